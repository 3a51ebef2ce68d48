package http

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"kith"
	"kith/http/strict"
	"kith/internal/access/publicid"
	"kith/internal/outreach"
)

// activityAnswer is an activity.
type activityAnswer struct {
	ID          string                `json:"id"`
	Type        string                `json:"activity_type"`
	Decision    outreach.Decision     `json:"decision"`
	ConfirmedAt *time.Time            `json:"decision_confirmed_at"`
	Confidence  *float64              `json:"ai_confidence_score"`
	Introducers []outreach.Introducer `json:"introducer_data"`
	Note        string                `json:"note"`
	Prompt      string                `json:"ai_prompt"`
	CreatedAt   time.Time             `json:"created_at"`
	Sequence    sequenceRef           `json:"sequence"`
	Lead        leadRef               `json:"sequence_lead"`
	Person      outreach.Person       `json:"person"`
	Email       *outgoingAnswer       `json:"email_outgoing"`
}

type sequenceRef struct {
	ID     string                  `json:"id"`
	Name   string                  `json:"name"`
	Status outreach.SequenceStatus `json:"status"`
}

type leadRef struct {
	ID       string              `json:"id"`
	PersonID int64               `json:"platform_person_id"`
	Status   outreach.LeadStatus `json:"status"`
}

// outgoingAnswer is the e-mail of an activity.
type outgoingAnswer struct {
	ID          string               `json:"id"`
	Subject     string               `json:"subject"`
	Status      outreach.EmailStatus `json:"status"`
	ScheduledAt *time.Time           `json:"scheduled_at"`
	SentAt      *time.Time           `json:"sent_at"`
	From        string               `json:"from_email"`
	To          string               `json:"to_email"`
	ThreadID    string               `json:"thread_id"`
	Content     outreach.Content     `json:"content"`
}

func newActivityAnswer(ids *publicid.Codec, a outreach.Decided) activityAnswer {
	out := activityAnswer{
		ID: ids.Seal(publicid.Activity, a.ID), Type: a.Type, Decision: a.Decision, ConfirmedAt: a.ConfirmedAt,
		Confidence: a.Confidence, Introducers: append([]outreach.Introducer{}, a.Lead.Introducers...),
		Note: a.Note, Prompt: a.Prompt, CreatedAt: a.CreatedAt,
		Person: a.Person,
		Sequence: sequenceRef{
			ID: ids.Seal(publicid.Sequence, a.Sequence.ID), Name: a.Sequence.Name, Status: a.Sequence.Status,
		},
		Lead: leadRef{ID: ids.Seal(publicid.Lead, a.Lead.ID), PersonID: a.Lead.PersonID, Status: a.Lead.Status},
	}
	if e := a.Email; e != nil {
		out.Email = &outgoingAnswer{
			ID: ids.Seal(publicid.Email, e.ID), Subject: e.Subject, Status: e.Status, ScheduledAt: e.ScheduledAt,
			SentAt: e.SentAt,
			From:   e.From, To: e.To, ThreadID: ids.Seal(publicid.Email, e.Thread()),
		}
		if e.Content != nil {
			out.Email.Content = *e.Content
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
	}, func(a outreach.Decided) (activityAnswer, int64) { return newActivityAnswer(c.dataset.IDs, a), a.ID })
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
