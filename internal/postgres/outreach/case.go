package outreach

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/outreach"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// caseKey identifies where a move is recorded; a lead of 0 is none.
type caseKey struct{ user, sequence, lead int64 }

// ChangeLead implements [outreach.Cases].
func (o *Store) ChangeLead(ctx context.Context, user, sequence, lead int64,
	change func(*outreach.Case) error,
) error {
	return o.db.InTx(ctx, "change lead", func(tx pgx.Tx) error {
		if err := o.db.BlockDeletions(ctx, tx); err != nil { // it may name a person who is being erased
			return err
		}
		return o.changeCase(ctx, tx, caseKey{user: user, sequence: sequence, lead: lead}, change)
	})
}

// ChangeActivity implements [outreach.Cases].
func (o *Store) ChangeActivity(ctx context.Context, user, activity int64,
	change func(*outreach.Case, *outreach.Activity) error,
) error {
	return o.db.InTx(ctx, "change activity", func(tx pgx.Tx) error {
		if err := o.db.BlockDeletions(ctx, tx); err != nil { // see ChangeLead
			return err
		}
		at := caseKey{user: user}
		err := tx.QueryRow(ctx, "select sequence_id, lead_id from activities where user_id = $1 and id = $2", user,
			activity).Scan(&at.sequence, &at.lead)
		if errors.Is(err, pgx.ErrNoRows) {
			return noActivity()
		}
		if err != nil {
			return err
		}
		return o.changeCase(ctx, tx, at, func(c *outreach.Case) error {
			a := c.Activity(activity)
			if a == nil {
				return noActivity()
			}
			return change(c, a)
		})
	})
}

func noActivity() error {
	return kith.Errorf(kith.NotFound, "ACTIVITY_NOT_FOUND", "you have no activity with this id")
}

// changeCase locks a lead, which protects everything attached to it, runs change on the case and stores the
// differences.
func (o *Store) changeCase(ctx context.Context, tx pgx.Tx, at caseKey, change func(*outreach.Case) error) error {
	c, err := readCase(ctx, tx, at)
	if err != nil {
		return err
	}
	c.Person = func() (kith.Person, error) { return o.person(ctx, tx, c.Lead.PersonID) }
	c.Sender = func(integration int64) (string, bool, error) { return sender(ctx, tx, at.user, integration) }
	c.Refused = func(address string) (bool, error) { return o.addressRefused(ctx, tx, at.user, address) }
	before := copyCase(c)
	if err := change(c); err != nil {
		return err
	}
	if !reflect.DeepEqual(before.Lead.Introducers, c.Lead.Introducers) {
		if c.Lead.Introducers, err = o.withoutForgotten(ctx, tx, c.Lead.Introducers); err != nil {
			return err
		}
	}
	return o.writeCase(ctx, tx, at, before, c)
}

// person reads the person of a lead.
func (o *Store) person(ctx context.Context, tx pgx.Tx, id int64) (kith.Person, error) {
	people, err := o.db.ReadPeople(ctx, tx, []int64{id})
	if err != nil || len(people) == 0 {
		return kith.Person{ID: id}, err
	}
	return people[0].Person, nil
}

func readCase(ctx context.Context, tx pgx.Tx, at caseKey) (*outreach.Case, error) {
	c := &outreach.Case{}
	rows, err := tx.Query(ctx, "select "+leadColumns+" from leads l where l.user_id = $1 and l.id = $2 and "+
		"l.sequence_id = $3 for no key update",
		at.user, at.lead, at.sequence)
	if err == nil {
		c.Lead, err = pgx.CollectExactlyOneRow(rows, conn.Into(leadFields))
	}
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, noLead()
	}
	if err != nil {
		return nil, err
	}
	err = tx.QueryRow(ctx, "select id, name, status from sequences where user_id = $1 and id = $2", at.user,
		at.sequence).
		Scan(&c.Sequence.ID, &c.Sequence.Name, &c.Sequence.Status)
	if err != nil {
		return nil, err
	}
	c.Emails, err = conn.Collect(ctx, tx, "e-mails", scanEmail,
		"select "+emailColumns+" from emails e where e.user_id = $1 and e.lead_id = $2 order by e.id", at.user, at.lead)
	if err != nil {
		return nil, err
	}
	c.Activities, err = readActivities(ctx, tx, at, c.Emails)
	return c, err
}

func readActivities(ctx context.Context, tx pgx.Tx, at caseKey,
	emails []*outreach.Email,
) ([]*outreach.Activity, error) {
	return conn.Collect(ctx, tx, "activities", func(row pgx.CollectableRow) (*outreach.Activity, error) {
		a := new(outreach.Activity)
		var email int64
		err := row.Scan(append(activityFields(a), &email)...)
		if i := slices.IndexFunc(emails, func(e *outreach.Email) bool { return e.ID == email }); i >= 0 {
			a.Email = emails[i]
		}
		return a, err
	}, "select "+activityColumns+", coalesce(a.email_id, 0) from activities a where a.user_id = $1 and a.lead_id = $2 "+
		"order by a.id",
		at.user, at.lead)
}

// copyCase copies a case for comparison. A shallow copy suffices: methods of a case replace pointers and slices and
// never write through them.
func copyCase(c *outreach.Case) *outreach.Case {
	before := &outreach.Case{Lead: c.Lead}
	for _, e := range c.Emails {
		kept := *e
		before.Emails = append(before.Emails, &kept)
	}
	for _, a := range c.Activities {
		kept := *a
		kept.Email = nil
		before.Activities = append(before.Activities, &kept)
	}
	return before
}

func (o *Store) writeCase(ctx context.Context, tx pgx.Tx, at caseKey, before, c *outreach.Case) error {
	if !reflect.DeepEqual(before.Lead, c.Lead) {
		if err := updateLead(ctx, tx, at, c.Lead); err != nil {
			return err
		}
	}
	for i, e := range c.Emails {
		var err error
		switch {
		case i >= len(before.Emails):
			err = insertEmail(ctx, tx, at, e)
		case !reflect.DeepEqual(before.Emails[i], e):
			err = updateEmail(ctx, tx, at, *e)
		}
		if err != nil {
			return err
		}
	}
	for i, a := range c.Activities {
		plain := *a
		plain.Email = nil
		var err error
		switch {
		case i >= len(before.Activities):
			err = insertActivity(ctx, tx, at, a)
		case !reflect.DeepEqual(*before.Activities[i], plain):
			err = updateActivity(ctx, tx, at, *a)
		}
		if err != nil {
			return err
		}
	}
	if err := writeMoves(ctx, tx, at, c.Moves); err != nil {
		return err
	}
	return o.recordSends(ctx, tx, at, before, c)
}

// recordSends writes audit entries about sent e-mails.
func (o *Store) recordSends(ctx context.Context, tx pgx.Tx, at caseKey, before, c *outreach.Case) error {
	for i, e := range c.Emails {
		if e.Status != outreach.EmailSent || i < len(before.Emails) && before.Emails[i].Status == outreach.EmailSent {
			continue
		}
		var by kith.Principal
		if err := tx.QueryRow(ctx, "select 'user ' || external_id, app_id from users where id = $1",
			at.user).Scan(&by.Name, &by.App); err != nil {
			return err
		}
		detail := map[string]any{"sequence": at.sequence, "lead": at.lead, "integration": e.Integration}
		subject := fmt.Sprintf("email %d", e.ID)
		if err := access.Record(ctx, o.db.DB, tx, by, "email.sent", subject, detail); err != nil {
			return err
		}
	}
	return nil
}

func updateLead(ctx context.Context, tx pgx.Tx, at caseKey, l outreach.Lead) error {
	_, err := tx.Exec(ctx, `update leads set status = $3, next_followup_at = $4, introducers = $5, stage = $6,
		latest_update = $7, latest_update_at = $8
		where user_id = $1 and id = $2`,
		at.user, l.ID, string(l.Status), l.NextFollowup, introducers(l), l.Stage, l.LatestUpdate, l.LatestUpdateAt)
	return err
}

func introducers(l outreach.Lead) []outreach.Introducer {
	if l.Introducers == nil {
		return []outreach.Introducer{}
	}
	return l.Introducers
}

// insertEmail stores an e-mail and sets its id.
func insertEmail(ctx context.Context, tx pgx.Tx, at caseKey, e *outreach.Email) error {
	return tx.QueryRow(ctx, `insert into emails (user_id, sequence_id, lead_id, status, subject, from_address,
		to_address, content,
			scheduled_at, sent_at, created_at, integration_id, in_thread, root, failure)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, nullif($12, 0::bigint), $13, nullif($14, 0::bigint), $15)
		returning id`,
		at.user, at.sequence, at.lead, string(e.Status), e.Subject, e.From, e.To, e.Content,
		e.ScheduledAt, e.SentAt, e.CreatedAt, e.Integration, e.InThread, e.Root, e.Failure).Scan(&e.ID)
}

func updateEmail(ctx context.Context, tx pgx.Tx, at caseKey, e outreach.Email) error {
	_, err := tx.Exec(ctx, `update emails set status = $3, subject = $4, from_address = $5, to_address = $6,
		content = $7, scheduled_at = $8,
			sent_at = $9, integration_id = nullif($10, 0::bigint), in_thread = $11, root = nullif($12, 0::bigint),
			failure = $13, opened_at = $14, clicked_at = $15, replied_at = $16, forwarded_at = $17, bounced_at = $18,
			due_at = $19, claimed_at = $20, message_id = $21, deferrals = $22
		where user_id = $1 and id = $2`,
		at.user, e.ID, string(e.Status), e.Subject, e.From, e.To, e.Content, e.ScheduledAt,
		e.SentAt, e.Integration, e.InThread, e.Root, e.Failure,
		e.OpenedAt, e.ClickedAt, e.RepliedAt, e.ForwardedAt, e.BouncedAt,
		e.DueAt, e.ClaimedAt, e.MessageID, e.Deferrals)
	return err
}

func insertActivity(ctx context.Context, tx pgx.Tx, at caseKey, a *outreach.Activity) error {
	var email int64
	if a.Email != nil {
		email = a.Email.ID
	}
	return tx.QueryRow(ctx, `insert into activities (user_id, sequence_id, lead_id, email_id, type, decision,
		confirmed_at, confidence, note, prompt, created_at)
		values ($1, $2, $3, nullif($4, 0::bigint), $5, $6, $7, $8, $9, $10, $11) returning id`,
		at.user, at.sequence, at.lead, email, a.Type, string(a.Decision), a.ConfirmedAt, a.Confidence, a.Note, a.Prompt,
		a.CreatedAt).Scan(&a.ID)
}

func updateActivity(ctx context.Context, tx pgx.Tx, at caseKey, a outreach.Activity) error {
	_, err := tx.Exec(ctx, "update activities set decision = $3, confirmed_at = $4, note = $5 where user_id = $1 and "+
		"id = $2",
		at.user, a.ID, string(a.Decision), a.ConfirmedAt, a.Note)
	return err
}
