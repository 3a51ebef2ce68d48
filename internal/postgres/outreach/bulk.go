package outreach

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/outreach"
	"kith/internal/postgres/conn"
)

// Rows passed to Postgres in one JSON parameter, whatever their number.
type (
	leadRow struct {
		Person       int64                 `json:"person_id"`
		Status       outreach.LeadStatus   `json:"status"`
		NextFollowup *time.Time            `json:"next_followup_at"`
		Introducers  []outreach.Introducer `json:"introducers"`
		Stage        int                   `json:"stage"`
		Update       string                `json:"latest_update"`
		UpdateAt     *time.Time            `json:"latest_update_at"`
		CreatedAt    time.Time             `json:"created_at"`
	}
	emailRow struct {
		Person      int64                `json:"person_id"`
		Loaded      int                  `json:"loaded"`
		Status      outreach.EmailStatus `json:"status"`
		Subject     string               `json:"subject"`
		From        string               `json:"from_address"`
		To          string               `json:"to_address"`
		Content     *outreach.Content    `json:"content"`
		ScheduledAt *time.Time           `json:"scheduled_at"`
		SentAt      *time.Time           `json:"sent_at"`
		CreatedAt   time.Time            `json:"created_at"`
		Failure     string               `json:"failure"`
		OpenedAt    *time.Time           `json:"opened_at"`
		ClickedAt   *time.Time           `json:"clicked_at"`
		RepliedAt   *time.Time           `json:"replied_at"`
		ForwardedAt *time.Time           `json:"forwarded_at"`
		Type        string               `json:"type"`
		Decision    outreach.Decision    `json:"decision"`
		ConfirmedAt *time.Time           `json:"confirmed_at"`
		Confidence  *float64             `json:"confidence"`
		Note        string               `json:"note"`
		Prompt      string               `json:"prompt"`
	}
)

const leadRowColumns = `person_id bigint, status text, next_followup_at timestamptz, introducers jsonb, stage integer,
	latest_update text, latest_update_at timestamptz, created_at timestamptz`

const emailRowColumns = `person_id bigint, loaded integer, status text, subject text, from_address text,
	to_address text, content jsonb,
	scheduled_at timestamptz, sent_at timestamptz, created_at timestamptz, failure text, opened_at timestamptz,
	clicked_at timestamptz,
	replied_at timestamptz, forwarded_at timestamptz, type text, decision text, confirmed_at timestamptz,
	confidence double precision, note text, prompt text`

// addLoaded adds the missing leads and e-mails, in one statement each, and reports whether there were any.
func addLoaded(ctx context.Context, tx pgx.Tx, at caseKey, leads []outreach.LoadedLead) (bool, error) {
	var people []leadRow
	var emails []emailRow
	for _, l := range leads {
		people = append(people, leadRow{
			l.Lead.PersonID, l.Lead.Status, l.Lead.NextFollowup, introducers(l.Lead), l.Lead.Stage, l.Lead.LatestUpdate,
			l.Lead.LatestUpdateAt, l.Lead.CreatedAt,
		})
		for i, e := range l.Emails {
			emails = append(emails, newEmailRow(l.Lead.PersonID, i, e))
		}
	}
	newLeads, err := addRows(ctx, tx, at, people, addLeadRows)
	if err != nil {
		return false, fmt.Errorf("leads: %w", err)
	}
	newEmails, err := addRows(ctx, tx, at, emails, addEmailRows)
	return newLeads+newEmails > 0, conn.Named("e-mails", err)
}

func newEmailRow(person int64, position int, l outreach.LoadedEmail) emailRow {
	e, a := l.Email, l.Activity
	return emailRow{
		person, position, e.Status, e.Subject, e.From, e.To, e.Content, e.ScheduledAt, e.SentAt, e.CreatedAt, e.Failure,
		e.OpenedAt, e.ClickedAt, e.RepliedAt, e.ForwardedAt, a.Type, a.Decision, a.ConfirmedAt, a.Confidence, a.Note,
		a.Prompt,
	}
}

func addRows[T any](ctx context.Context, tx pgx.Tx, at caseKey, rows []T, sql string) (int64, error) {
	if len(rows) == 0 {
		return 0, nil
	}
	text, err := json.Marshal(rows)
	if err != nil {
		return 0, err
	}
	tag, err := tx.Exec(ctx, sql, at.user, at.sequence, string(text), outreach.ByLoad)
	return tag.RowsAffected(), err
}

const addLeadRows = `with added as (
		insert into leads (user_id, sequence_id, person_id, status, next_followup_at, introducers, stage, latest_update,
		latest_update_at, created_at)
		select $1, $2, person_id, status, next_followup_at, introducers, stage, latest_update, latest_update_at,
		created_at
		from jsonb_to_recordset($3::text::jsonb) as r (` + leadRowColumns + `)
		on conflict (user_id, sequence_id, person_id) do nothing returning id, status, created_at
	)
	insert into outreach_history (user_id, sequence_id, lead_id, subject, row_id, from_state, to_state, reason,
	moved_by, moved_at) select $1, $2, id, 'lead', id, '', status, '', $4, created_at from added`

// The key of an e-mail is its lead and its index among the e-mails of the line. One that was drafted here has no index:
// its recipient and text tell that a line, such as that of an export, has it.
const addEmailRows = `with r as (
		select l.id as lead_id, l.sequence_id, r.*, coalesce(nullif(r.to_address, ''), p.email, '') as recipient
		from jsonb_to_recordset($3::text::jsonb) as r (` + emailRowColumns + `)
		join leads l on l.user_id = $1 and l.sequence_id = $2 and l.person_id = r.person_id
		join people p on p.id = r.person_id
	), added as (
		insert into emails (user_id, sequence_id, lead_id, loaded, status, subject, from_address, to_address, content,
			scheduled_at, due_at, sent_at, created_at, failure, opened_at, clicked_at, replied_at, forwarded_at)
		select $1, sequence_id, lead_id, loaded, status, subject, from_address, recipient, content,
			scheduled_at, scheduled_at, sent_at, created_at, failure, opened_at, clicked_at, replied_at, forwarded_at
			from r where not exists (select from emails e where e.user_id = $1 and e.lead_id = r.lead_id
				and e.loaded is null and e.subject = r.subject and e.to_address in (r.to_address, r.recipient)
				and e.content is not distinct from r.content)
			order by lead_id, loaded
		on conflict (user_id, lead_id, loaded) do nothing returning id, lead_id, loaded, status, created_at
	), decided as (
		insert into activities (user_id, sequence_id, lead_id, email_id, type, decision, confirmed_at, confidence, note,
		prompt, created_at)
		select $1, $2, a.lead_id, a.id, r.type, r.decision, r.confirmed_at, r.confidence, r.note, r.prompt, r.created_at
		from added a join r using (lead_id, loaded) order by a.id returning id, lead_id, decision, created_at
	)
	insert into outreach_history (user_id, sequence_id, lead_id, subject, row_id, from_state, to_state, reason,
	moved_by, moved_at) select $1, $2, lead_id, subject, id, '', state, '', $4, created_at from (
		select lead_id, 'email' as subject, id, status as state, created_at from added
		union all select lead_id, 'activity', id, decision, created_at from decided) m`
