package outreachdb

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"kith"
	"kith/index/pgfault"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/query/cursor"
)

var (
	_ outreach.Outbox   = (*Delivery)(nil)
	_ outreach.Accounts = (*Delivery)(nil)
)

// Delivery stores integrations and returns due e-mails. It implements [outreach.Outbox] and [outreach.Accounts].
type Delivery struct {
	*Store
	vault *cursor.Sealer
}

// NewDelivery returns the store of delivery; the vault seals passwords.
func NewDelivery(db *postgres.DB, vault *cursor.Sealer) *Delivery { return &Delivery{New(db), vault} }

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
	return postgres.Collect(ctx, o.pool, "due e-mails", pgx.RowToStructByPos[outreach.Due], sql, args...)
}

const accountColumns = `user_id, id, host, port, security, username, password, from_address, from_name, zone,
	window_start, window_end, per_hour, per_day, gap_seconds, track_opens, track_clicks, created_at`

func scanAccount(row pgx.CollectableRow) (a outreach.Account, err error) {
	var gap int
	p := &a.Policy
	err = row.Scan(&a.User, &a.ID, &a.Host, &a.Port, &a.Security, &a.Username, &a.Password, &a.From, &a.FromName,
		&p.Zone, &p.WindowStart, &p.WindowEnd, &p.PerHour, &p.PerDay, &gap, &a.TrackOpens, &a.TrackClicks, &a.CreatedAt)
	p.Gap, a.CreatedAt = time.Duration(gap)*time.Second, a.CreatedAt.UTC()
	return a, err
}

// account reads an integration; lock is appended to the query to lock the row.
func account(ctx context.Context, q postgres.Querier, user, id int64, lock string) (outreach.Account, error) {
	rows, err := q.Query(ctx, "select "+accountColumns+" from integrations where user_id = $1 and id = $2 and not "+
		"deleted"+lock, user, id)
	if err != nil {
		return outreach.Account{}, err
	}
	a, err := pgx.CollectExactlyOneRow(rows, scanAccount)
	if errors.Is(err, pgx.ErrNoRows) {
		return a, noIntegration()
	}
	return a, err
}

func noIntegration() error {
	return kith.Errorf(kith.NotFound, "INTEGRATION_NOT_FOUND", "you have no integration with this id")
}

// sender returns the sender name of an integration; known is false if the user has no such integration.
func sender(ctx context.Context, q postgres.Querier, user, id int64) (name string, known bool, err error) {
	name, err = postgres.Value[string](ctx, q, "sender",
		"select coalesce(from_name, '') from integrations where user_id = $1 and id = $2 and not deleted", user, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", false, nil
	}
	return name, err == nil, err
}

func usage(ctx context.Context, q postgres.Querier, a outreach.Account, now time.Time) (u outreach.Usage, err error) {
	err = q.QueryRow(ctx, `select count(*) filter (where claimed_at > $4), count(*), max(claimed_at) from emails
		where user_id = $1 and integration_id = $2 and claimed_at > $3 and claimed_at < $5`,
		a.User, a.ID, now.Add(-24*time.Hour), now.Add(-time.Hour), now.Add(wrongClock)).
		Scan(&u.LastHour, &u.LastDay, (*zeronull.Timestamptz)(&u.Last))
	u.Last = u.Last.UTC()
	return u, err
}

// Account implements [outreach.Outbox].
func (o *Delivery) Account(ctx context.Context, user, id int64,
	now time.Time,
) (a outreach.Account, u outreach.Usage, err error) {
	if a, err = account(ctx, o.pool, user, id, ""); err == nil {
		u, err = usage(ctx, o.pool, a, now)
	}
	if err != nil {
		return a, u, fmt.Errorf("integration: %w", pgfault.Classify(err))
	}
	if a.Password != "" {
		plain, err := o.vault.Open(postgres.PurposePassword, postgres.BindUser(user), a.Password)
		if err != nil { // worded for cursors
			refused := &outreach.Refused{Reason: fmt.Sprintf("the password of integration %d can no longer be read; add the "+
				"mail server again", id)}
			return a, u, fmt.Errorf("it was sealed with another key: %w", refused)
		}
		a.Password = string(plain)
	}
	return a, u, nil
}

// Claim implements [outreach.Outbox].
func (o *Delivery) Claim(ctx context.Context, d outreach.Due, now time.Time,
	claim func(*outreach.Case, outreach.Claiming) error,
) error {
	err := o.db.InTx(ctx, func(tx pgx.Tx) error {
		var k outreach.Claiming
		var err error
		if k.Account, err = account(ctx, tx, d.User, d.Integration, " for no key update"); err != nil {
			return err
		}
		if k.Usage, err = usage(ctx, tx, k.Account, now); err != nil {
			return err
		}
		return o.changeCase(ctx, tx, caseKey{user: d.User, sequence: d.Sequence, lead: d.Lead},
			func(c *outreach.Case) error { return claim(c, k) })
	})
	if err != nil {
		return fmt.Errorf("claim an e-mail: %w", err)
	}
	return nil
}

// Later implements [outreach.Outbox]. It skips e-mails that are being changed: they will be checked again in any case.
func (o *Delivery) Later(ctx context.Context, d outreach.Due, now, until time.Time) error {
	return postgres.Exec(ctx, o.pool, "put off e-mails", `update emails set due_at = $4 where (user_id, id) in (
		select user_id, id from emails where user_id = $1 and integration_id = $2 and status = 'scheduled' and due_at <= $3
		for no key update skip locked)`,
		d.User, d.Integration, now, until)
}

// CreateAccount implements [outreach.Accounts].
func (o *Delivery) CreateAccount(ctx context.Context, a outreach.Account) (outreach.Account, error) {
	password := ""
	if a.Password != "" {
		password = o.vault.Seal(postgres.PurposePassword, postgres.BindUser(a.User), []byte(a.Password))
	}
	a.CreatedAt, a.FeedbackSecret = time.Now().UTC().Truncate(time.Millisecond), rand.Text()+rand.Text()
	feedback := o.vault.Seal(postgres.PurposeFeedback, postgres.BindUser(a.User), []byte(a.FeedbackSecret))
	err := o.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := postgres.LockUser(ctx, tx, a.User); err != nil {
			return err
		}
		if err := roomForAccount(ctx, tx, a.User); err != nil {
			return err
		}
		p := a.Policy
		err := tx.QueryRow(ctx, `insert into integrations (user_id, id, host, port, security, username, password,
			from_address, from_name,
				zone, window_start, window_end, per_hour, per_day, gap_seconds, created_at, feedback_secret, track_opens,
				track_clicks)
			values ($1, (select coalesce(max(id), 0) + 1 from integrations
			where user_id = $1), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
			returning id`, a.User, a.Host, a.Port, string(a.Security), a.Username, password, a.From, a.FromName,
			p.Zone, p.WindowStart, p.WindowEnd, p.PerHour, p.PerDay, int(p.Gap/time.Second), a.CreatedAt, feedback, a.TrackOpens,
			a.TrackClicks).Scan(&a.ID)
		if err != nil {
			return err
		}
		return wake(ctx, tx, a.User, a.ID)
	})
	if err != nil {
		return a, fmt.Errorf("create integration: %w", err)
	}
	return a, nil
}

func roomForAccount(ctx context.Context, tx pgx.Tx, user int64) error {
	var n int
	err := tx.QueryRow(ctx, "select count(*) from integrations where user_id = $1 and not deleted", user).Scan(&n)
	if err == nil && n >= outreach.MaxAccounts {
		return kith.Errorf(kith.Conflict, "TOO_MANY_INTEGRATIONS",
			"you have %d integrations, the maximum; delete one first", n)
	}
	return err
}

// wake makes the waiting e-mails of an integration due at once.
func wake(ctx context.Context, tx pgx.Tx, user, integration int64) error {
	return postgres.Exec(ctx, tx, "wake e-mails", `update emails set due_at = scheduled_at where (user_id, id) in (
		select user_id, id from emails where user_id = $1 and integration_id = $2 and status = 'scheduled'
		for no key update skip locked)`, user, integration)
}

// Accounts implements [outreach.Accounts].
func (o *Delivery) Accounts(ctx context.Context, user int64) ([]outreach.Account, error) {
	list, err := postgres.Collect(ctx, o.pool, "integrations", scanAccount,
		"select "+accountColumns+" from integrations where user_id = $1 and not deleted order by id", user)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Password = ""
	}
	return list, nil
}

// DeleteAccount implements [outreach.Accounts]. The row stays, without the password, so that its id is not reused.
func (o *Delivery) DeleteAccount(ctx context.Context, user, id int64) error {
	tag, err := o.pool.Exec(ctx, "update integrations set deleted = true, password = '', feedback_secret = '' where "+
		"user_id = $1 and id = $2 and not deleted", user, id)
	if err != nil {
		return fmt.Errorf("delete integration: %w", pgfault.Classify(err))
	}
	if tag.RowsAffected() == 0 {
		return noIntegration()
	}
	return nil
}
