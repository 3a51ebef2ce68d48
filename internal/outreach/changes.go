package outreach

import (
	"context"
	"fmt"

	"kith"
)

// begin records who changes the case, and when.
func (s *Service) begin(c *Case, a kith.Actor) {
	c.By, c.Now = byUser(a.ExternalID), now()
	c.SenderEmail = a.Email
}

// ChangeLead changes a lead of the caller and returns the changed lead.
func (s *Service) ChangeLead(ctx context.Context, a kith.Actor, sequence, lead int64, ch LeadChange) (LeadView, error) {
	if err := kith.InvalidFields(ch.Check()); err != nil {
		return LeadView{}, err
	}
	if err := s.prepare(ctx, a); err != nil {
		return LeadView{}, err
	}
	var changed *Case // with the introducers that the store kept
	err := s.store.ChangeLead(ctx, a.UserID, sequence, lead, func(c *Case) error {
		s.begin(c, a)
		c.ChangeLead(ch)
		changed = c
		return nil
	})
	if err != nil {
		return LeadView{}, err
	}
	people, err := s.readPeople(ctx, a, []int64{changed.Lead.PersonID})
	if err != nil {
		return LeadView{}, kith.MaybeDone(err)
	}
	return LeadView{Lead: changed.Lead, Person: people[changed.Lead.PersonID]}, nil
}

// AddLeads adds people to a sequence independently: one refusal does not stop the others.
func (s *Service) AddLeads(ctx context.Context, a kith.Actor, sequence int64, wanted []NewLead) ([]AddedLead, error) {
	if err := s.prepare(ctx, a); err != nil {
		return nil, err
	}
	return s.store.AddLeads(ctx, a.UserID, sequence, byUser(a.ExternalID), wanted, admit)
}

// admit returns why a person cannot become a lead, or nil.
func admit(p Standing) *Refusal {
	switch {
	case p.Email == "":
		return &Refusal{"NO_EMAIL", "the person has no e-mail address; refresh or load the person first"}
	case p.Suppressed:
		return &Refusal{"SUPPRESSED", "the address is suppressed: its owner opted out, or it cannot be reached"}
	case p.Elsewhere:
		return &Refusal{
			"IN_ANOTHER_SEQUENCE",
			"the person is a lead of another active sequence; finish or delete that lead first",
		}
	}
	return nil
}

// Draft adds an e-mail to a lead, and returns the activity that decides about it. If placeholders have no value, it is
// Invalid and names all of them.
func (s *Service) Draft(ctx context.Context, a kith.Actor, sequence, lead int64, d Draft) (Decided, error) {
	if err := kith.InvalidFields(d.Check()); err != nil {
		return Decided{}, err
	}
	if err := s.prepare(ctx, a); err != nil {
		return Decided{}, err
	}
	d, err := s.fill(ctx, a, sequence, d)
	if err != nil {
		return Decided{}, err
	}
	var view ActivityView
	var added *Activity
	err = s.store.ChangeLead(ctx, a.UserID, sequence, lead, func(c *Case) (err error) {
		s.begin(c, a)
		added, err = c.Add(d)
		view.Sequence, view.Lead = c.Sequence, c.Lead
		return err
	})
	if err != nil {
		return Decided{}, err
	}
	view.Activity = *added // with the id that the store assigned
	people, err := s.readPeople(ctx, a, []int64{view.Lead.PersonID})
	if err != nil {
		return Decided{}, kith.MaybeDone(err)
	}
	return Decided{ActivityView: view, Person: people[view.Lead.PersonID]}, nil
}

// fill copies the text of the template that a draft names.
func (s *Service) fill(ctx context.Context, a kith.Actor, sequence int64, d Draft) (Draft, error) {
	if d.Template == 0 {
		return d, nil
	}
	seq, err := s.store.Sequence(ctx, a.UserID, sequence)
	if err != nil {
		return d, err
	}
	t, ok := seq.Template(d.Template)
	if !ok {
		return d, kith.InvalidFields([]kith.FieldError{{
			Field: "template_id", Code: "UNKNOWN_TEMPLATE",
			Message: fmt.Sprintf("must be the id of a template of the sequence, which has %d", len(seq.Templates)),
		}})
	}
	d.Subject, d.Body = t.Subject, t.Body
	return d, nil
}

// Decided is an activity with the person of its lead.
type Decided struct {
	ActivityView
	Person kith.Person
}

// Activities lists the caller's activities, oldest or newest first.
func (s *Service) Activities(ctx context.Context, a kith.Actor, q ActivityQuery) (out []Decided, more bool, err error) {
	return viewPage(ctx, s, a, q.Page,
		func(p Page) ([]ActivityView, error) {
			return s.store.Activities(ctx, a.UserID, ActivityQuery{Page: p, Decision: q.Decision, Newest: q.Newest})
		},
		func(v ActivityView) int64 { return v.Lead.PersonID },
		func(v ActivityView, p kith.Person) Decided { return Decided{ActivityView: v, Person: p} })
}

// Decide decides about an activity of the caller, or edits it, and returns the changed activity.
func (s *Service) Decide(ctx context.Context, a kith.Actor, id int64, ch ActivityChange) (Activity, error) {
	if err := kith.InvalidFields(ch.Check()); err != nil {
		return Activity{}, err
	}
	if err := s.prepare(ctx, a); err != nil {
		return Activity{}, err
	}
	var changed Activity
	err := s.store.ChangeActivity(ctx, a.UserID, id, func(c *Case, act *Activity) error {
		s.begin(c, a)
		if err := c.Decide(act, ch); err != nil {
			return err
		}
		changed = *act
		return nil
	})
	return changed, err
}
