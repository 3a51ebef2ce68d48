package outreach

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"kith"
	"kith/internal/outreach"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
	"kith/query/cursor"
)

var (
	_ outreach.Outbox           = (*Delivery)(nil)
	_ outreach.IntegrationStore = (*Delivery)(nil)
)

// Delivery stores integrations and returns due e-mails. It implements [outreach.Outbox] and
// [outreach.IntegrationStore].
type Delivery struct {
	*Store
	vault *cursor.Sealer
}

// NewDelivery returns the store of delivery; the vault seals passwords.
func NewDelivery(db *recordsql.Store, vault *cursor.Sealer) *Delivery {
	return &Delivery{New(db), vault}
}

// Due implements [outreach.Outbox].
func (o *Delivery) Due(ctx context.Context, now time.Time, without []outreach.Sender, n int) ([]outreach.Due, error) {
	users, integrations := make([]int64, len(without)), make([]int64, len(without))
	for i, s := range without {
		users[i], integrations[i] = s.User, s.Integration
	}
	return o.due(ctx, `select user_id, sequence_id, lead_id, id, coalesce(integration_id, 0) from emails
		where status = 'scheduled' and due_at <= $1 and not exists (select from users u where u.id = user_id
		and u.disabled_at is not null) and (user_id, coalesce(integration_id, 0)) not in (select *
		from unnest($2::bigint[], $3::bigint[]))
		order by due_at, id limit $4`, now, users, integrations, n)
}

// wrongClock is how far in the future a claim must be to come from a wrong clock rather than a lease. Clocks of
// processes differ by less, and leases are shorter.
const wrongClock = 24 * time.Hour

// Stale implements [outreach.Outbox].
func (o *Delivery) Stale(ctx context.Context, before time.Time, n int) ([]outreach.Due, error) {
	return o.due(ctx, `select user_id, sequence_id, lead_id, id, coalesce(integration_id, 0) from emails
		where status = 'sending' and (claimed_at < $1 or claimed_at > $2 or claimed_at is null)
		limit $3`, before, before.Add(wrongClock), n)
}

func (o *Delivery) due(ctx context.Context, sql string, args ...any) ([]outreach.Due, error) {
	return conn.Collect(ctx, o.pool, "due e-mails", pgx.RowToStructByPos[outreach.Due], sql, args...)
}

const integrationColumns = `user_id, id, host, port, security, username, password, from_address, from_name, zone,
	window_start, window_end, per_hour, per_day, gap_seconds, track_opens, track_clicks, created_at`

func scanIntegration(row pgx.CollectableRow) (in outreach.Integration, err error) {
	var gap int
	p := &in.Policy
	err = row.Scan(&in.User, &in.ID, &in.Host, &in.Port, &in.Security, &in.Username, &in.Password, &in.From,
		&in.FromName,
		&p.Zone, &p.WindowStart, &p.WindowEnd, &p.PerHour, &p.PerDay, &gap, &in.TrackOpens, &in.TrackClicks,
		&in.CreatedAt)
	p.Gap = time.Duration(gap) * time.Second
	return in, err
}

// readIntegration reads an integration; lock is appended to the query to lock the row.
func readIntegration(ctx context.Context, q conn.Querier, user, id int64, lock string,
) (outreach.Integration, error) {
	rows, err := q.Query(ctx, "select "+integrationColumns+" from integrations where user_id = $1 and id = $2 and not "+
		"deleted"+lock, user, id)
	if err != nil {
		return outreach.Integration{}, err
	}
	in, err := pgx.CollectExactlyOneRow(rows, scanIntegration)
	if errors.Is(err, pgx.ErrNoRows) {
		return in, noIntegration()
	}
	return in, err
}

func noIntegration() error {
	return kith.Errorf(kith.NotFound, "INTEGRATION_NOT_FOUND", "you have no integration with this id")
}

// sender returns the sender name of an integration; known is false if the user has no such integration.
func sender(ctx context.Context, q conn.Querier, user, id int64) (name string, known bool, err error) {
	name, err = conn.Value[string](ctx, q, "sender",
		"select coalesce(from_name, '') from integrations where user_id = $1 and id = $2 and not deleted", user, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	return name, err == nil, err
}

func usage(ctx context.Context, q conn.Querier, in outreach.Integration, now time.Time,
) (u outreach.Usage, err error) {
	err = q.QueryRow(ctx, `select count(*) filter (where claimed_at > $4), count(*), max(claimed_at) from emails
		where user_id = $1 and integration_id = $2 and claimed_at > $3 and claimed_at < $5`,
		in.User, in.ID, now.Add(-24*time.Hour), now.Add(-time.Hour), now.Add(wrongClock)).
		Scan(&u.LastHour, &u.LastDay, (*zeronull.Timestamptz)(&u.Last))
	return u, err
}

// Integration implements [outreach.Outbox].
func (o *Delivery) Integration(ctx context.Context, user, id int64,
	now time.Time,
) (in outreach.Integration, u outreach.Usage, err error) {
	if in, err = readIntegration(ctx, o.pool, user, id, ""); err == nil {
		u, err = usage(ctx, o.pool, in, now)
	}
	if err != nil {
		return in, u, conn.Named("integration", err)
	}
	if in.Password != "" {
		plain, err := o.vault.Open(access.PurposePassword, access.BindUser(user), in.Password)
		if err != nil { // worded for cursors
			refused := &outreach.Refused{Reason: fmt.Sprintf("the password of integration %d can no longer be read; "+
				"add the "+"mail server again", id)}
			return in, u, fmt.Errorf("it was sealed with another key: %w", refused)
		}
		in.Password = string(plain)
	}
	return in, u, nil
}

// Claim implements [outreach.Outbox]. It leaves the e-mails of disabled users alone, as Due does.
func (o *Delivery) Claim(ctx context.Context, d outreach.Due, now time.Time,
	claim func(*outreach.Case, outreach.Claiming) error,
) error {
	return o.db.InTx(ctx, "claim an e-mail", func(tx pgx.Tx) error {
		var k outreach.Claiming
		var err error
		if k.Integration, err = readIntegration(ctx, tx, d.User, d.Integration, " for no key update"); err != nil {
			return err
		}
		disabled, err := conn.Value[bool](ctx, tx, "user",
			"select exists (select from users where id = $1 and disabled_at is not null)", d.User)
		if err != nil || disabled {
			return err
		}
		if k.Usage, err = usage(ctx, tx, k.Integration, now); err != nil {
			return err
		}
		return o.changeCase(ctx, tx, caseKey{user: d.User, sequence: d.Sequence, lead: d.Lead},
			func(c *outreach.Case) error { return claim(c, k) })
	})
}

// Later implements [outreach.Outbox]. It skips e-mails that are being changed: they will be checked again in any case.
func (o *Delivery) Later(ctx context.Context, d outreach.Due, now, until time.Time) error {
	return conn.Exec(ctx, o.pool, "put off e-mails", `update emails set due_at = $4 where (user_id, id) in (
		select user_id, id from emails where user_id = $1 and integration_id = $2 and status = 'scheduled'
		and due_at <= $3 for no key update skip locked)`,
		d.User, d.Integration, now, until)
}

// CreateIntegration implements [outreach.IntegrationStore].
func (o *Delivery) CreateIntegration(ctx context.Context, in outreach.Integration) (outreach.Integration, error) {
	password := ""
	if in.Password != "" {
		password = o.vault.Seal(access.PurposePassword, access.BindUser(in.User), []byte(in.Password))
	}
	in.CreatedAt, in.FeedbackSecret = time.Now().UTC().Truncate(time.Millisecond), rand.Text()+rand.Text()
	feedback := o.vault.Seal(access.PurposeFeedback, access.BindUser(in.User), []byte(in.FeedbackSecret))
	err := o.db.InTx(ctx, "create integration", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, in.User); err != nil {
			return err
		}
		if err := roomForIntegration(ctx, tx, in.User); err != nil {
			return err
		}
		p := in.Policy
		return tx.QueryRow(ctx, `insert into integrations (user_id, id, host, port, security, username, password,
			from_address, from_name,
				zone, window_start, window_end, per_hour, per_day, gap_seconds, created_at, feedback_secret,
				track_opens, track_clicks)
			values ($1, (select coalesce(max(id), 0) + 1 from integrations
			where user_id = $1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
			returning id`, in.User, in.Host, in.Port, string(in.Security), in.Username, password, in.From, in.FromName,
			p.Zone, p.WindowStart, p.WindowEnd, p.PerHour, p.PerDay, int(p.Gap/time.Second), in.CreatedAt, feedback,
			in.TrackOpens, in.TrackClicks).Scan(&in.ID)
	})
	return in, err
}

func roomForIntegration(ctx context.Context, tx pgx.Tx, user int64) error {
	var n int
	err := tx.QueryRow(ctx, "select count(*) from integrations where user_id = $1 and not deleted", user).Scan(&n)
	if err == nil && n >= outreach.MaxIntegrations {
		return kith.Errorf(kith.Conflict, "TOO_MANY_INTEGRATIONS",
			"you have %d integrations, the maximum; delete one first", n)
	}
	return err
}

// Integrations implements [outreach.IntegrationStore].
func (o *Delivery) Integrations(ctx context.Context, user int64) ([]outreach.Integration, error) {
	list, err := conn.Collect(ctx, o.pool, "integrations", scanIntegration,
		"select "+integrationColumns+" from integrations where user_id = $1 and not deleted order by id", user)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Password = ""
	}
	return list, nil
}

// DeleteIntegration implements [outreach.IntegrationStore]. The row stays, without the password: its id is not reused.
func (o *Delivery) DeleteIntegration(ctx context.Context, user, id int64) error {
	tag, err := o.pool.Exec(ctx, "update integrations set deleted = true, password = '', feedback_secret = '' where "+
		"user_id = $1 and id = $2 and not deleted", user, id)
	if err != nil {
		return conn.Named("delete integration", err)
	}
	if tag.RowsAffected() == 0 {
		return noIntegration()
	}
	return nil
}
