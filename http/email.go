package http

import (
	"context"
	"net/http"

	"kith"
	"kith/client"
	"kith/http/strict"
	"kith/internal/access/publicid"
	"kith/internal/outreach"
)

// emailBody is the maximum size of an e-mail in bytes, however its characters are escaped.
const emailBody = 256 << 10

func newEmailAnswer(ids *publicid.Codec, e outreach.EmailView) client.Email {
	return client.Email{
		ID: ids.Seal(publicid.Email, e.ID), SequenceID: ids.Seal(publicid.Sequence, e.SequenceID),
		LeadID:  ids.Seal(publicid.Lead, e.LeadID),
		Subject: e.Subject, From: e.From, Status: string(e.Status), ScheduledAt: e.ScheduledAt, SentAt: e.SentAt,
		CreatedAt: e.CreatedAt,
		Person:    newSequencePerson(e.Person), Content: newEmailContent(e.Content),
	}
}

func newEmailContent(c *outreach.Content) *client.EmailContent {
	if c == nil {
		return nil
	}
	content := client.EmailContent(*c)
	return &content
}

// listEmails answers GET /v2/sequences/{sequence_id}/emails.
func listEmails(w http.ResponseWriter, r *http.Request) error {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	sequence := ids.open(publicid.Sequence, "sequence_id")
	q := outreach.EmailQuery{Status: outreach.EmailStatus(r.URL.Query().Get("status"))}
	list := newListing(c, "emails", listName(sequence, string(q.Status)))
	list.member = "emails"
	return answerList(w, r, ids, list, func(after int64, n int) ([]outreach.EmailView, bool, error) {
		q.Page = outreach.Page{After: after, N: n}
		emails, more, err := c.dataset.Outreach.Emails(r.Context(), c.actor, sequence, q)
		if err == nil {
			err = addressesRead(r.Context(), c.dataset.Audit, c.by(), "emails", len(emails))
		}
		return emails, more, err
	}, func(e outreach.EmailView) (client.Email, int64) { return newEmailAnswer(c.dataset.IDs, e), e.ID })
}

// draftEmail answers POST /v2/sequences/{id}/leads/{lead_id}/emails.
func draftEmail(w http.ResponseWriter, r *http.Request) (write, error) {
	c, ids := callerFrom(r.Context()), newPathIDs(r)
	sequence, lead := ids.open(publicid.Sequence, "sequence_id"), ids.open(publicid.Lead, "lead_id")
	change, draft, err := readWrite(w, r, emailBody, readDraft)
	change.do = func(ctx context.Context, in *Services) (any, error) {
		d, err := in.Outreach.Draft(ctx, c.actor, sequence, lead, draft)
		if err == nil {
			err = kith.MaybeDone(addressesRead(ctx, in.Audit, c.by(), "emails", 1))
		}
		if err != nil {
			return nil, err
		}
		email := newEmailAnswer(c.dataset.IDs, outreach.EmailView{Email: *d.Email, Person: d.Person})
		return client.Drafted{Email: email, Activity: newActivityAnswer(c.dataset.IDs, d)}, nil
	}
	return change, ids.with(err)
}

// readDraft reads a draft. The problems include those that the domain finds.
func readDraft(v strict.Value) (outreach.Draft, []kith.FieldError) {
	d := outreach.Draft{
		Subject: v.String("subject"), Body: v.String("body"),
		From: v.String("from_email"), To: v.String("to_email"), Integration: idMember(v, "user_integration_id"),
		InThread: v.Bool("reply_in_thread"), Note: v.String("note"), Prompt: v.String("ai_prompt"),
	}
	if id, ok := v.Get("template_id"); ok {
		if d.Template, _ = id.ID(); d.Template == 0 {
			d.Template = -1 // the shape has refused the given id
		}
	}
	if score, ok := v.Get("ai_confidence_score"); ok {
		f := score.Float()
		d.Confidence = &f
	}
	variables, _ := v.Get("variables")
	for _, item := range variables.Items {
		d.Variables = append(d.Variables, outreach.Variable{Name: item.String("name"), Value: item.String("value")})
	}
	at, problems := readMoment(v, "scheduled_at")
	d.ScheduledAt = at
	return d, append(problems, d.Check()...)
}
