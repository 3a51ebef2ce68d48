package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/index/load"
	"kith/internal/outreach"
)

// writeSequences writes the caller's sequences with their leads and e-mails, except leads no longer visible to the
// caller.
func (e *export) writeSequences(ctx context.Context, tx pgx.Tx) error {
	sequences, err := e.db.Outreach().Sequences(ctx, e.user, outreach.Page{N: everything})
	if err != nil {
		return err
	}
	for _, s := range sequences {
		line := load.Sequence{
			Name: s.Name, Description: s.Description, Status: string(s.Status),
			Instructions: s.Instructions,
		}
		for _, t := range s.Templates {
			line.Templates = append(line.Templates, load.SequenceTemplate(t))
		}
		if line.Leads, err = e.leads(ctx, tx, s.ID); err != nil {
			return err
		}
		if err := e.out.Sequence(line); err != nil {
			return err
		}
	}
	return nil
}

// everything is a page size that includes everything.
const everything = 1 << 30

func (e *export) leads(ctx context.Context, tx pgx.Tx, sequence int64) ([]load.SequenceLead, error) {
	leads, err := e.db.Outreach().Leads(ctx, e.user, sequence, outreach.LeadQuery{Page: outreach.Page{N: everything}})
	if err != nil {
		return nil, err
	}
	emails, err := e.emails(ctx, tx, sequence)
	if err != nil {
		return nil, err
	}
	var out []load.SequenceLead
	for _, l := range leads {
		if e.names[l.PersonID] == "" {
			continue
		}
		line := load.SequenceLead{
			SocialURL: e.names[l.PersonID], Status: string(l.Status), Stage: l.Stage, NextFollowup: l.NextFollowup,
			Emails: emails[l.ID],
		}
		for _, in := range l.Introducers {
			line.Introducers = append(line.Introducers, load.SequenceIntroducer(in))
		}
		out = append(out, line)
	}
	return out, nil
}

// emails returns the e-mails of a sequence by lead, each with the decision about it.
func (e *export) emails(ctx context.Context, tx pgx.Tx, sequence int64) (map[int64][]load.SequenceEmail, error) {
	all, err := e.db.Outreach().Emails(ctx, e.user, sequence, outreach.EmailQuery{Page: outreach.Page{N: everything}})
	if err != nil {
		return nil, err
	}
	decided := map[int64]*load.SequenceActivity{}
	var email int64
	var a outreach.Activity
	err = forEach(ctx, tx, "activities of a sequence", append([]any{&email}, activityFields(&a)...), func() error {
		decided[email] = &load.SequenceActivity{
			Type: a.Type, Decision: string(a.Decision), Confidence: a.Confidence, Note: a.Note, Prompt: a.Prompt,
		}
		return nil
	}, "select a.email_id, "+activityColumns+` from activities a
		where a.user_id = $1 and a.sequence_id = $2 and a.email_id is not null order by a.id desc`, e.user, sequence)
	byLead := map[int64][]load.SequenceEmail{}
	for _, m := range all {
		line := load.SequenceEmail{
			Subject: m.Subject, From: m.From, To: m.To, Status: string(m.Status), ScheduledAt: m.ScheduledAt, SentAt: m.SentAt,
			Activity: decided[m.ID],
		}
		if m.Content != nil {
			content := load.SequenceContent(*m.Content)
			line.Content = &content
		}
		byLead[m.LeadID] = append(byLead[m.LeadID], line)
	}
	return byLead, err
}
