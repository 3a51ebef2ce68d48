package outreach

import (
	"cmp"
	"context"
	"math"

	"github.com/jackc/pgx/v5"

	"kith/internal/outreach"
	"kith/internal/postgres/conn"
)

const leadColumns = `l.id, l.sequence_id, l.person_id, l.status, l.next_followup_at, l.introducers, l.stage,
	l.latest_update, l.latest_update_at, l.created_at`

// leadFields returns the scan targets of the columns of a lead.
func leadFields(l *outreach.Lead) []any {
	return []any{
		&l.ID, &l.SequenceID, &l.PersonID, &l.Status, &l.NextFollowup, &l.Introducers, &l.Stage, &l.LatestUpdate,
		&l.LatestUpdateAt, &l.CreatedAt,
	}
}

const emailColumns = `e.id, e.sequence_id, e.lead_id, e.status, e.subject, e.from_address, e.to_address, e.content,
	e.scheduled_at, e.sent_at, e.created_at,
	coalesce(e.integration_id, 0), e.in_thread, coalesce(e.root, 0), e.due_at, e.claimed_at, e.message_id, e.deferrals,
	e.failure, e.opened_at, e.clicked_at, e.replied_at, e.forwarded_at, e.bounced_at`

func emailFields(e *outreach.Email) []any {
	return []any{
		&e.ID, &e.SequenceID, &e.LeadID, &e.Status, &e.Subject, &e.From, &e.To, &e.Content, &e.ScheduledAt, &e.SentAt,
		&e.CreatedAt,
		&e.Integration, &e.InThread, &e.Root, &e.DueAt, &e.ClaimedAt, &e.MessageID, &e.Deferrals, &e.Failure,
		&e.OpenedAt, &e.ClickedAt, &e.RepliedAt, &e.ForwardedAt, &e.BouncedAt,
	}
}

// Leads implements [outreach.Store].
func (o *Store) Leads(ctx context.Context, user, sequence int64, q outreach.LeadQuery) ([]outreach.Lead, error) {
	if err := mine(ctx, o.pool, user, sequence); err != nil {
		return nil, conn.Named("list leads", err)
	}
	sql, args := "select "+leadColumns+" from leads l where l.user_id = $1 and l.sequence_id = $2 and l.id > $3",
		[]any{user, sequence, q.After, q.N}
	if q.Status != "" {
		sql, args = sql+" and l.status = $5", append(args, string(q.Status))
	}
	return conn.Collect(ctx, o.pool, "list leads", conn.Into(leadFields), sql+" order by l.id limit $4", args...)
}

// Emails implements [outreach.Store].
func (o *Store) Emails(ctx context.Context, user, sequence int64, q outreach.EmailQuery) ([]outreach.Email, error) {
	if err := mine(ctx, o.pool, user, sequence); err != nil {
		return nil, conn.Named("list e-mails", err)
	}
	sql := "select " + emailColumns + `, l.person_id from emails e join leads l on l.user_id = e.user_id
		and l.id = e.lead_id
		where e.user_id = $1 and e.sequence_id = $2 and e.id > $3`
	args := []any{user, sequence, q.After, q.N}
	if q.Status != "" {
		sql, args = sql+" and e.status = $5", append(args, string(q.Status))
	}
	return conn.Collect(ctx, o.pool, "list e-mails", conn.Into(func(e *outreach.Email) []any {
		return append(emailFields(e), &e.PersonID)
	}), sql+" order by e.id limit $4", args...)
}

const activityColumns = `a.id, a.type, a.decision, a.confirmed_at, a.confidence, a.note, a.prompt, a.created_at`

func activityFields(a *outreach.Activity) []any {
	return []any{&a.ID, &a.Type, &a.Decision, &a.ConfirmedAt, &a.Confidence, &a.Note, &a.Prompt, &a.CreatedAt}
}

// Activities implements [outreach.Store].
func (o *Store) Activities(ctx context.Context, user int64,
	q outreach.ActivityQuery,
) ([]outreach.ActivityView, error) {
	after, order := "a.id > $2", "a.id"
	if q.Newest {
		after, order = "a.id < $2", "a.id desc"
		q.After = cmp.Or(q.After, math.MaxInt64)
	}
	sql := "select " + activityColumns + ", coalesce(a.email_id, 0), s.id, s.name, s.status, " + leadColumns + ` from
		activities a
		join leads l on l.user_id = a.user_id and l.id = a.lead_id
		join sequences s on s.user_id = a.user_id and s.id = a.sequence_id
		where a.user_id = $1 and ` + after
	args := []any{user, q.After, q.N}
	if q.Decision != "" {
		sql, args = sql+" and a.decision = $4", append(args, string(q.Decision))
	}
	var about []int64
	views, err := conn.Collect(ctx, o.pool, "list activities",
		func(row pgx.CollectableRow) (v outreach.ActivityView, err error) {
			var email int64
			fields := append(activityFields(&v.Activity), &email, &v.Sequence.ID, &v.Sequence.Name, &v.Sequence.Status)
			err = row.Scan(append(fields, leadFields(&v.Lead)...)...)
			about = append(about, email)
			return v, err
		}, sql+" order by "+order+" limit $3", args...)
	if err != nil {
		return nil, err
	}
	emails, err := emailsByID(ctx, o.pool, user, about)
	if err != nil {
		return nil, conn.Named("list activities", err)
	}
	for i := range views {
		views[i].Email = emails[about[i]]
	}
	return views, nil
}

func emailsByID(ctx context.Context, q conn.Querier, user int64, ids []int64) (map[int64]*outreach.Email, error) {
	out := map[int64]*outreach.Email{}
	emails, err := conn.Collect(ctx, q, "e-mails", scanEmail,
		"select "+emailColumns+" from emails e where e.user_id = $1 and e.id = any($2)", user, ids)
	for _, e := range emails {
		out[e.ID] = e
	}
	return out, err
}

func scanEmail(row pgx.CollectableRow) (*outreach.Email, error) {
	e := new(outreach.Email)
	err := row.Scan(emailFields(e)...)
	return e, err
}
