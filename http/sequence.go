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

// sequenceBody is the maximum size of a sequence with all its templates, in bytes.
const sequenceBody = 4 << 20

func newSequenceAnswer(ids *publicid.Codec, s outreach.Sequence) client.Sequence {
	n := s.Counts
	return client.Sequence{
		ID: ids.Seal(publicid.Sequence, s.ID), Name: s.Name, Description: s.Description, Status: string(s.Status),
		AIInstructions: s.Instructions,
		Templates:      kith.Each(s.Templates, newEmailTemplate), TotalLeads: n.Leads, ActiveLeads: n.ActiveLeads,
		OpenRate: n.Rate(n.Opened), ReplyRate: n.Rate(n.Replied), ClickRate: n.Rate(n.Clicked),
		ForwardRate: n.Rate(n.Forwarded),
	}
}

func newEmailTemplate(t outreach.Template) client.EmailTemplate {
	return client.EmailTemplate{
		ID: t.ID, Name: t.Name, UseCase: t.UseCase, UsedFor: t.UsedFor, Subject: t.Subject, EmailBody: t.Body,
	}
}

// getSequence answers GET /v2/sequences/{id}.
func getSequence(r *http.Request) (any, error) {
	c, id, err := pathID(r, publicid.Sequence)
	if err != nil {
		return nil, err
	}
	seq, err := c.dataset.Outreach.Sequence(r.Context(), c.actor, id)
	return newSequenceAnswer(c.dataset.IDs, seq), err
}

// listSequences answers GET /v2/sequences.
func listSequences(w http.ResponseWriter, r *http.Request) error {
	c := callerFrom(r.Context())
	return answerList(w, r, nil, newListing(c, "sequences", ""),
		func(after int64, n int) ([]outreach.Sequence, bool, error) {
			return c.dataset.Outreach.Sequences(r.Context(), c.actor, outreach.Page{After: after, N: n})
		}, func(seq outreach.Sequence) (client.Sequence, int64) {
			return newSequenceAnswer(c.dataset.IDs, seq), seq.ID
		})
}

// createSequence answers POST /v2/sequences.
func createSequence(w http.ResponseWriter, r *http.Request) (write, error) {
	return writeSequence(w, r, newPathIDs(r), (*outreach.Service).Create)
}

// changeSequence answers PATCH /v2/sequences/{id}.
func changeSequence(w http.ResponseWriter, r *http.Request) (write, error) {
	ids := newPathIDs(r)
	id := ids.open(publicid.Sequence, "id")
	return writeSequence(w, r, ids, func(
		s *outreach.Service, ctx context.Context, a kith.Actor, ch outreach.SequenceChange,
	) (outreach.Sequence, error) {
		return s.Change(ctx, a, id, ch)
	})
}

func writeSequence(
	w http.ResponseWriter, r *http.Request, ids *pathIDs,
	do func(*outreach.Service, context.Context, kith.Actor, outreach.SequenceChange) (outreach.Sequence, error),
) (write, error) {
	c := callerFrom(r.Context())
	change, ch, err := readWrite(w, r, sequenceBody, sequenceChange)
	err = ids.with(err)
	if err == nil && ch.Status != nil && *ch.Status == outreach.SequenceActive {
		err = requireScopes(r.Context(), kith.ScopeOutreachSend)
	}
	change.do = func(ctx context.Context, in *Services) (any, error) {
		seq, err := do(in.Outreach, ctx, c.actor, ch)
		return newSequenceAnswer(c.dataset.IDs, seq), err
	}
	return change, err
}

// sequenceChange reads a change. The problems include those that the domain finds.
func sequenceChange(v strict.Value) (outreach.SequenceChange, []kith.FieldError) {
	ch := outreach.SequenceChange{
		Status: stringMember[outreach.SequenceStatus](v, "status"),
		Name:   stringMember[string](v, "name"), Description: stringMember[string](v, "description"),
		Instructions: stringMember[string](v, "ai_instructions"),
	}
	list, ok := v.Get("ai_email_templates")
	ch.SetTemplates = ok
	for _, t := range list.Items {
		ch.Templates = append(ch.Templates, outreach.Template{
			ID: idMember(t, "id"), Name: t.String("name"), UseCase: t.String("use_case"), UsedFor: t.String("used_for"),
			Subject: t.String("subject"), Body: t.String("email_body"),
		})
	}
	return ch, ch.Check()
}

// idMember returns an id, written as a number or as text; 0 if it is absent.
func idMember(v strict.Value, name string) int64 {
	m, _ := v.Get(name)
	id, _ := m.ID()
	return id
}

// stringMember returns a string member; nil if it is absent or null.
func stringMember[S ~string](v strict.Value, name string) *S {
	m, ok := v.Get(name)
	if !ok || m.Kind != strict.String {
		return nil
	}
	text := S(m.Text)
	return &text
}
