package outreach

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/internal/imports/loader"
	"kith/internal/outreach"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
)

// ExportSequences writes the sequences of a user, with the leads whose identifiers, by id of the person, are in names.
// in are the records in the transaction of the export.
func ExportSequences(ctx context.Context, in *recordsql.Store, tx pgx.Tx, user int64, names map[int64]string,
	out *loader.ExportWriter,
) error {
	o := New(in)
	sequences, err := o.Sequences(ctx, user, outreach.Page{N: everything})
	if err != nil {
		return err
	}
	for _, s := range sequences {
		line := loader.Sequence{
			Name: s.Name, Description: &s.Description, Status: string(s.Status), Instructions: &s.Instructions,
		}
		for _, t := range s.Templates {
			line.Templates = append(line.Templates, loader.SequenceTemplate(t))
		}
		if line.Leads, err = o.exportLeads(ctx, tx, caseKey{user: user, sequence: s.ID}, names); err != nil {
			return err
		}
		if err := out.Sequence(line); err != nil {
			return err
		}
	}
	return nil
}

// everything is a page size that includes everything.
const everything = 1 << 30

func (o *Store) exportLeads(ctx context.Context, tx pgx.Tx, at caseKey, names map[int64]string,
) ([]loader.SequenceLead, error) {
	leads, err := o.Leads(ctx, at.user, at.sequence, outreach.LeadQuery{Page: outreach.Page{N: everything}})
	if err != nil {
		return nil, err
	}
	emails, err := exportEmails(ctx, tx, at)
	if err != nil {
		return nil, err
	}
	var out []loader.SequenceLead
	for _, l := range leads {
		if names[l.PersonID] == "" {
			continue
		}
		line := loader.SequenceLead{
			SocialURL: names[l.PersonID], Status: string(l.Status), Stage: l.Stage, NextFollowup: l.NextFollowup,
			Emails: emails[l.ID],
		}
		for _, in := range l.Introducers {
			line.Introducers = append(line.Introducers, loader.SequenceIntroducer(in))
		}
		out = append(out, line)
	}
	return out, nil
}

// exportEmails returns the e-mails of a sequence by lead, each with the decision about it. Loaded ones come first, at
// the positions that identify them.
func exportEmails(ctx context.Context, tx pgx.Tx, at caseKey) (map[int64][]loader.SequenceEmail, error) {
	all, err := conn.Collect(ctx, tx, "e-mails of a sequence", scanEmail, "select "+emailColumns+` from emails e
		where e.user_id = $1 and e.sequence_id = $2 order by e.loaded nulls last, e.id`, at.user, at.sequence)
	if err != nil {
		return nil, err
	}
	decided := map[int64]*loader.SequenceActivity{}
	_, err = conn.Collect(ctx, tx, "activities of a sequence", func(row pgx.CollectableRow) (struct{}, error) {
		var email int64
		var a outreach.Activity
		err := row.Scan(append([]any{&email}, activityFields(&a)...)...)
		decided[email] = &loader.SequenceActivity{
			Type: a.Type, Decision: string(a.Decision), Confidence: a.Confidence, Note: a.Note, Prompt: a.Prompt,
		}
		return struct{}{}, err
	}, "select a.email_id, "+activityColumns+` from activities a
		where a.user_id = $1 and a.sequence_id = $2 and a.email_id is not null
		order by a.id desc`, at.user, at.sequence)
	byLead := map[int64][]loader.SequenceEmail{}
	for _, m := range all {
		line := loader.SequenceEmail{
			Subject: m.Subject, From: m.From, To: m.To, Status: string(m.Status), ScheduledAt: m.ScheduledAt,
			SentAt:   m.SentAt,
			Activity: decided[m.ID],
		}
		if m.Content != nil {
			content := loader.SequenceContent(*m.Content)
			line.Content = &content
		}
		byLead[m.LeadID] = append(byLead[m.LeadID], line)
	}
	return byLead, err
}
