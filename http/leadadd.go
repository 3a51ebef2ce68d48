package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/access/publicid"
	"kith/internal/outreach"
)

// maxID is the largest integer that every JSON parser represents exactly.
const maxID = 1<<53 - 1

// addLeads answers POST /v2/sequences/{id}/leads.
func addLeads(w http.ResponseWriter, r *http.Request) (write, error) {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	sequence := ids.open(publicid.Sequence, "sequence_id")
	change, people, err := readWrite(w, r, relationBody, readPeople)
	change.do = func(ctx context.Context, in *Services) (any, error) {
		wanted := make([]outreach.NewLead, len(people))
		for i, item := range people {
			wanted[i].PersonID, wanted[i].Identifier = personNamed(item)
		}
		added, err := in.Outreach.AddLeads(ctx, c.actor, sequence, wanted)
		return newAddedAnswer(c.dataset.IDs, people, added), err
	}
	return change, ids.with(err)
}

// personNamed reads a reference to a person. A number is an id, also if written as text.
func personNamed(item strict.Value) (id int64, identifier string) {
	if id, ok := item.Integer(); ok {
		return id, ""
	}
	if id, err := strconv.ParseInt(item.Text, 10, 64); err == nil && id > 0 && id <= maxID {
		return id, ""
	}
	return 0, item.Text
}

// readPeople returns the people to add, as the request names them.
func readPeople(v strict.Value) ([]strict.Value, []kith.FieldError) {
	people, _ := v.Get("people")
	return people.Items, nil
}

func newAddedAnswer(ids *publicid.Codec, asked []strict.Value, added []outreach.AddedLead) client.AddedLeads {
	out := client.AddedLeads{Results: make([]client.AddedLead, len(added))}
	for i, a := range added {
		res := client.AddedLead{Identifier: asked[i].Text, Status: string(a.Result)}
		out.Summary.Processed++
		switch a.Result {
		case outreach.LeadCreated:
			out.Summary.Created++
		case outreach.LeadUnchanged:
			out.Summary.Unchanged++
		case outreach.LeadRefused:
			out.Summary.Refused++
			res.Error = &client.EntryError{Code: a.Refusal.Code, Message: a.Refusal.Message}
		}
		if a.Lead != nil {
			res.LeadID, res.PersonID = ids.Seal(publicid.Lead, a.Lead.ID), a.Lead.PersonID
		}
		out.Results[i] = res
	}
	return out
}

// entryAnswer is one entry of a lead's history.
type entryAnswer struct {
	At      time.Time        `json:"at"`
	By      string           `json:"by"`
	Subject outreach.Subject `json:"subject"`
	ID      string           `json:"id"`
	// From is null for something new.
	From   *string `json:"from"`
	To     string  `json:"to"`
	Reason string  `json:"reason"`
}

// leadHistory answers GET /v2/sequences/{sequence_id}/leads/{lead_id}/history.
func leadHistory(w http.ResponseWriter, r *http.Request) error {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	sequence, lead := ids.open(publicid.Sequence, "sequence_id"), ids.open(publicid.Lead, "lead_id")
	return answerList(w, r, ids, newListing(c, "history", listName(lead, "")),
		func(after int64, n int) ([]outreach.Entry, bool, error) {
			return c.dataset.Outreach.History(r.Context(), c.actor, sequence, lead, outreach.Page{After: after, N: n})
		}, func(e outreach.Entry) (entryAnswer, int64) { return newEntryAnswer(c.dataset.IDs, e), e.Number })
}

func newEntryAnswer(ids *publicid.Codec, e outreach.Entry) entryAnswer {
	out := entryAnswer{
		At: e.At, By: e.By, Subject: e.Subject, ID: ids.Seal(publicid.Kind(e.Subject), e.Row), To: e.To,
		Reason: e.Reason,
	}
	if e.From != "" {
		out.From = &e.From
	}
	return out
}
