package http

import (
	"context"
	"net/http"
	"strconv"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/access/publicid"
	"kith/internal/outreach"
	"kith/query/analysis"
)

func newLeadAnswer(ids *publicid.Codec, l outreach.LeadView) client.Lead {
	return client.Lead{
		ID: ids.Seal(publicid.Lead, l.ID), SequenceID: ids.Seal(publicid.Sequence, l.SequenceID), PersonID: l.PersonID,
		Status: string(l.Status), NextFollowupAt: l.NextFollowup, Introducers: newIntroducers(l.Introducers),
		PipelineStage: l.Stage, CreatedAt: l.CreatedAt, Person: newSequencePerson(l.Person),
		LatestUpdate: l.LatestUpdate, LatestUpdateDate: l.LatestUpdateAt,
	}
}

func newIntroducers(all []outreach.Introducer) []client.Introducer {
	return kith.Each(all, func(in outreach.Introducer) client.Introducer { return client.Introducer(in) })
}

// newSequencePerson returns the summary of a person in outreach.
func newSequencePerson(p kith.Person) client.SequencePerson {
	out := client.SequencePerson{
		ID: p.ID, FirstName: p.FirstName, LastName: p.LastName, FullName: p.FullName, SocialURL: p.SocialURL,
		SocialIdentifier: analysis.SocialID(p.SocialURL), Headline: p.Headline, Location: p.Location,
		ImageURL: p.ImageURL, Email: p.Email,
	}
	if present := p.Present(); present != nil {
		j := present.Result()
		at := &client.SequencePosition{
			Title: j.Title, StartDate: j.StartDate, EndDate: j.EndDate, StartPrecision: j.StartPrecision,
			EndPrecision: j.EndPrecision,
		}
		at.Company.Name, at.Company.SocialURL, at.Company.Domain = j.Company.Name, j.Company.SocialURL, j.Company.Domain
		if j.Company.ID != 0 {
			at.Company.ID = strconv.FormatInt(j.Company.ID, 10)
		}
		out.Position = at
	}
	return out
}

// listLeads answers GET /v2/sequences/{sequence_id}/leads.
func listLeads(w http.ResponseWriter, r *http.Request) error {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	sequence := ids.open(publicid.Sequence, "sequence_id")
	q := outreach.LeadQuery{Status: outreach.LeadStatus(r.URL.Query().Get("status"))}
	list := newListing(c, "leads", listName(sequence, string(q.Status)))
	return answerList(w, r, ids, list, func(after int64, n int) ([]outreach.LeadView, bool, error) {
		q.Page = outreach.Page{After: after, N: n}
		leads, more, err := c.dataset.Outreach.Leads(r.Context(), c.actor, sequence, q)
		if err == nil {
			err = addressesRead(r.Context(), c.dataset.Audit, c.by(), "leads", len(leads))
		}
		return leads, more, err
	}, func(l outreach.LeadView) (client.Lead, int64) { return newLeadAnswer(c.dataset.IDs, l), l.ID })
}

// changeLead answers PUT /v2/sequences/{sequence_id}/leads/{lead_id}.
func changeLead(w http.ResponseWriter, r *http.Request) (write, error) {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	sequence, lead := ids.open(publicid.Sequence, "sequence_id"), ids.open(publicid.Lead, "lead_id")
	change, ch, err := readWrite(w, r, smallBody, leadChange)
	change.do = func(ctx context.Context, in *Services) (any, error) {
		changed, err := in.Outreach.ChangeLead(ctx, c.actor, sequence, lead, ch)
		if err == nil {
			err = kith.MaybeDone(addressesRead(ctx, in.Audit, c.by(), "leads", 1))
		}
		return newLeadAnswer(c.dataset.IDs, changed), err
	}
	return change, ids.with(err)
}

// leadChange reads a change: absent members stay, null clears.
func leadChange(v strict.Value) (ch outreach.LeadChange, problems []kith.FieldError) {
	ch.Status = stringMember[outreach.LeadStatus](v, "status")
	var list strict.Value
	list, ch.SetIntroducers = v.Get("selected_introducers")
	for i, in := range list.Items {
		one := outreach.Introducer{
			SocialIdentifier: in.String("social_identifier"), Name: in.String("name"), Rank: i + 1,
			IsDirect: in.Bool("is_direct"),
		}
		if _, ranked := in.Get("rank"); ranked {
			one.Rank = in.Int("rank")
		}
		ch.Introducers = append(ch.Introducers, one)
	}
	_, ch.SetNextFollowup = v.Get("next_followup_at")
	ch.NextFollowup, problems = readMoment(v, "next_followup_at")
	return ch, append(problems, ch.Check()...)
}
