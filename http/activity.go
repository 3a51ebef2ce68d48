package http

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/access/publicid"
	"kith/internal/outreach"
)

func newActivityAnswer(ids *publicid.Codec, a outreach.Decided) client.Activity {
	out := client.Activity{
		ID: ids.Seal(publicid.Activity, a.ID), Type: a.Type, Decision: string(a.Decision), ConfirmedAt: a.ConfirmedAt,
		Confidence: a.Confidence, Introducers: newIntroducers(a.Lead.Introducers), Note: a.Note, AIPrompt: a.Prompt,
		CreatedAt: a.CreatedAt, Person: newSequencePerson(a.Person),
	}
	out.Sequence.ID, out.Sequence.Name = ids.Seal(publicid.Sequence, a.Sequence.ID), a.Sequence.Name
	out.Sequence.Status = string(a.Sequence.Status)
	out.Lead.ID, out.Lead.PersonID = ids.Seal(publicid.Lead, a.Lead.ID), a.Lead.PersonID
	out.Lead.Status = string(a.Lead.Status)
	if e := a.Email; e != nil {
		out.Email = &client.OutgoingEmail{
			ID: ids.Seal(publicid.Email, e.ID), Subject: e.Subject, Status: string(e.Status),
			ScheduledAt: e.ScheduledAt, SentAt: e.SentAt, FromEmail: e.From, ToEmail: e.To,
			ThreadID: ids.Seal(publicid.Email, e.Thread()), Content: newEmailContent(e.Content),
		}
		if e.Content == nil {
			out.Email.Content = &client.EmailContent{}
		}
	}
	return out
}

// listActivities answers GET /v2/sequences/activities.
func listActivities(w http.ResponseWriter, r *http.Request) error {
	c, query := callerFrom(r.Context()), r.URL.Query()
	q := outreach.ActivityQuery{
		Decision: outreach.Decision(query.Get("decision")), Newest: query.Get("order") == "newest",
	}
	if q.Decision == "null" { // not decided yet
		q.Decision = outreach.DecisionPending
	}
	list := newListing(c, "activities", fmt.Sprintf("%s/%t", q.Decision, q.Newest))
	list.member = "activities"
	return answerList(w, r, nil, list, func(after int64, n int) ([]outreach.Decided, bool, error) {
		q.Page = outreach.Page{After: after, N: n}
		found, more, err := c.dataset.Outreach.Activities(r.Context(), c.actor, q)
		if err == nil {
			err = addressesRead(r.Context(), c.dataset.Audit, c.by(), "activities", len(found))
		}
		return found, more, err
	}, func(a outreach.Decided) (client.Activity, int64) { return newActivityAnswer(c.dataset.IDs, a), a.ID })
}

// decidedAnswer is an activity after a decision.
type decidedAnswer struct {
	ID          string            `json:"id"`
	Decision    outreach.Decision `json:"decision"`
	ConfirmedAt *time.Time        `json:"decision_confirmed_at"`
	Note        string            `json:"note"`
}

// decide answers PATCH /v2/sequences/activities/{activity_id}.
func decide(w http.ResponseWriter, r *http.Request) (write, error) {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	id := ids.open(publicid.Activity, "activity_id")
	change, ch, err := readWrite(w, r, emailBody, activityChange)
	ch.MaySend = scopesFrom(r.Context()).Has(kith.ScopeOutreachSend)
	err = ids.with(err)
	if err == nil && ch.Decision != nil && *ch.Decision == outreach.DecisionApproved {
		err = requireScopes(r.Context(), kith.ScopeOutreachSend)
	}
	change.do = func(ctx context.Context, in *Services) (any, error) {
		a, err := in.Outreach.Decide(ctx, c.actor, id, ch)
		return decidedAnswer{
			ID: c.dataset.IDs.Seal(publicid.Activity, a.ID), Decision: a.Decision, ConfirmedAt: a.ConfirmedAt,
			Note: a.Note,
		}, err
	}
	return change, err
}

// activityChange reads a change. The problems include those that the domain finds.
func activityChange(v strict.Value) (outreach.ActivityChange, []kith.FieldError) {
	ch := outreach.ActivityChange{
		Decision: stringMember[outreach.Decision](v, "decision"),
		Note:     stringMember[string](v, "note"),
		Subject:  stringMember[string](v, "subject"),
		Body:     stringMember[string](v, "body"),
		From:     stringMember[string](v, "from_email"),
		To:       stringMember[string](v, "to_email"),
	}
	if m, ok := v.Get("user_integration_id"); ok {
		n, _ := m.ID()
		ch.Integration = &n
	}
	if m, ok := v.Get("reply_in_thread"); ok {
		ch.InThread = &m.True
	}
	at, problems := readMoment(v, "scheduled_at")
	given, _ := v.Get("scheduled_at")
	ch.ScheduledAt, ch.Untimed = at, given.Kind == strict.Null
	return ch, append(problems, ch.Check()...)
}
