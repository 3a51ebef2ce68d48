package agents

import (
	"context"

	"kith/client"
)

// outreach adds the tools that read sequences.
func (t tools) outreach() {
	read(t, "list_sequences", "List the user's e-mail sequences, with their rates.", listSequences)
	read(t, "read_sequence", "List the leads of a sequence, with their status and last event.", readSequence)
	read(t, "list_drafts", "List e-mails waiting for the user's decision.", listDrafts)
}

type sequencesOut struct {
	Sequences []sequence `json:"sequences"`
}

type sequence struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Status      string `json:"status" jsonschema:"draft, active, paused or finished"`
	Leads       int    `json:"leads"`
	ReplyRate   int    `json:"reply_rate" jsonschema:"percent of the e-mails sent"`
	OpenRate    int    `json:"open_rate"`
}

func listSequences(ctx context.Context, c *client.Client, in limitIn) (sequencesOut, error) {
	all, err := collect(c.Sequences(ctx), in, func(s client.Sequence) sequence {
		return sequence{
			ID: s.ID, Name: s.Name, Description: s.Description, Status: s.Status, Leads: s.TotalLeads,
			ReplyRate: s.ReplyRate, OpenRate: s.OpenRate,
		}
	})
	return sequencesOut{all}, err
}

type readSequenceIn struct {
	Sequence string `json:"sequence_id" jsonschema:"id of a sequence, from list_sequences"`
	Status   string `json:"status,omitempty" jsonschema:"not_started, pending, active, finished or deleted"`
	limitIn
}

type leadsOut struct {
	Leads []lead `json:"leads"`
}

type lead struct {
	ID           string   `json:"id"`
	PersonID     string   `json:"person_id"`
	Name         string   `json:"name"`
	Headline     string   `json:"headline,omitempty"`
	Status       string   `json:"status"`
	Introducers  []string `json:"introducers,omitempty"`
	LatestUpdate string   `json:"latest_update,omitempty"`
}

func readSequence(ctx context.Context, c *client.Client, in readSequenceIn) (leadsOut, error) {
	all, err := collect(c.Leads(ctx, in.Sequence, in.Status), in.limitIn, func(l client.Lead) lead {
		out := lead{
			ID: l.ID, PersonID: id(l.PersonID), Name: l.Person.FullName, Headline: l.Person.Headline, Status: l.Status,
			LatestUpdate: l.LatestUpdate,
		}
		for _, i := range l.Introducers {
			out.Introducers = append(out.Introducers, i.Name)
		}
		return out
	})
	return leadsOut{all}, err
}

type draftsOut struct {
	Drafts []draft `json:"drafts"`
}

type draft struct {
	ID       string `json:"activity_id"`
	Sequence string `json:"sequence"`
	To       string `json:"to"`
	Subject  string `json:"subject"`
	Body     string `json:"body"`
	Note     string `json:"note,omitempty"`
	Decision string `json:"decision"`
}

func listDrafts(ctx context.Context, c *client.Client, in limitIn) (draftsOut, error) {
	all, err := collect(c.Activities(ctx, "pending"), in, newDraft)
	return draftsOut{all}, err
}

func newDraft(a client.Activity) draft {
	out := draft{ID: a.ID, Sequence: a.Sequence.Name, To: a.Person.FullName, Note: a.Note, Decision: a.Decision}
	if a.Email != nil {
		out.Subject = a.Email.Subject
		if a.Email.Content != nil {
			out.Body = a.Email.Content.Body
		}
	}
	return out
}
