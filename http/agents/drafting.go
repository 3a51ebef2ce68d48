package agents

import (
	"cmp"
	"context"
	"fmt"

	"kith/client"
)

// drafting adds the tools that prepare outreach.
func (t tools) drafting() {
	write(t, "add_to_sequence", "Add people to a sequence as leads.", addToSequence)
	write(t, "draft_email", "Draft an e-mail to a lead of a sequence. It waits for the user's decision.", draftEmail)
	write(t, "draft_introduction", "Draft an e-mail that asks a contact of the user for an introduction to a person. "+
		"By default it has a standard text for the strongest introducer. It waits for the user's decision.",
		draftIntroduction)
}

type addIn struct {
	Sequence string       `json:"sequence_id" jsonschema:"id of a sequence, from list_sequences"`
	People   []identifier `json:"people" jsonschema:"ids, profile URLs or e-mail addresses: 1 to 1,000"`
}

type addOut struct {
	Added []addedLead `json:"people"`
}

type addedLead struct {
	Person  string `json:"person"`
	Status  string `json:"status" jsonschema:"created, unchanged or refused"`
	Lead    string `json:"lead_id,omitempty"`
	Problem string `json:"problem,omitempty"`
}

func addToSequence(ctx context.Context, c *client.Client, in addIn) (addOut, error) {
	added, err := c.AddLeads(ctx, in.Sequence, texts(in.People))
	out := addOut{Added: []addedLead{}}
	for _, r := range added.Results {
		one := addedLead{Person: r.Identifier, Status: r.Status, Lead: r.LeadID}
		if r.Error != nil {
			one.Problem = r.Error.Message
		}
		out.Added = append(out.Added, one)
	}
	return out, err
}

type draftIn struct {
	Sequence string `json:"sequence_id" jsonschema:"id of a sequence, from list_sequences"`
	Lead     string `json:"lead_id" jsonschema:"id of a lead, from read_sequence or add_to_sequence"`
	Subject  string `json:"subject" jsonschema:"one line"`
	Body     string `json:"body" jsonschema:"plain text; {first_name} and the like are filled in from the record"`
	Note     string `json:"note,omitempty" jsonschema:"for the user who decides"`
}

func draftEmail(ctx context.Context, c *client.Client, in draftIn) (draft, error) {
	email := client.EmailDraft{Subject: in.Subject, Body: in.Body, Note: in.Note}
	made, err := c.DraftEmail(ctx, in.Sequence, in.Lead, email)
	if err != nil {
		return draft{}, err
	}
	return newDraft(made.Activity), nil
}

type introductionIn struct {
	Sequence   string     `json:"sequence_id" jsonschema:"id of the sequence that the draft is kept in"`
	Person     identifier `json:"person" jsonschema:"the person to be introduced to: id, profile URL or e-mail address"`
	Introducer identifier `json:"introducer,omitempty" jsonschema:"person to ask: id, profile URL or e-mail address"`
	Subject    string     `json:"subject,omitempty" jsonschema:"one line, instead of the standard one"`
	Body       string     `json:"body,omitempty" jsonschema:"plain text; {first_name} is the introducer's"`
}

func draftIntroduction(ctx context.Context, c *client.Client, in introductionIn) (draft, error) {
	target, err := find(ctx, c, in.Person)
	if err != nil {
		return draft{}, err
	}
	var named client.Person
	if in.Introducer != "" {
		if named, err = find(ctx, c, in.Introducer); err != nil {
			return draft{}, err
		}
	}
	written, err := c.IntroductionRequest(ctx, target.ID, named.ID)
	if err != nil {
		return draft{}, err
	}
	introducer := written.Introducer
	added, err := c.AddLeads(ctx, in.Sequence, []string{id(introducer.ID)})
	if err != nil {
		return draft{}, err
	}
	lead := added.Results[0]
	if lead.Error != nil {
		return draft{}, fmt.Errorf("%s cannot be e-mailed: %s", introducer.FullName, lead.Error.Message)
	}
	return draftEmail(ctx, c, draftIn{
		Sequence: in.Sequence, Lead: lead.LeadID, Subject: cmp.Or(in.Subject, written.Subject),
		Body: cmp.Or(in.Body, written.Text), Note: "Asks for an introduction to " + target.FullName,
	})
}
