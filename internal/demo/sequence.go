package demo

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"kith"
	"kith/internal/outreach"
)

// Sequences returns the three sequences of a new demo user, as of now: leads and e-mails
// in every state, and activities that await a decision. No person is in two of them.
func (d *Dataset) Sequences(now time.Time) ([]outreach.Loaded, error) {
	w := sequenceWriter{d: d, now: now.UTC().Truncate(time.Minute)}
	plans := []struct {
		name, description, instructions string
		status                          outreach.SequenceStatus
		leads                           []outreach.LeadStatus
	}{
		{
			"Data leaders in Europe", "A first conversation with people who lead data teams.",
			"Be brief, name the company, ask one question.",
			outreach.SequenceActive, cycle(40),
		},
		{
			"Product launch follow-up", "Those who asked for a demo in spring.",
			"Refer to the launch; offer two dates.",
			outreach.SequencePaused, cycle(20),
		},
		{
			"Founding engineers", "People to talk to about joining early.", "Write as an engineer to an engineer.",
			outreach.SequenceDraft,
			[]outreach.LeadStatus{
				outreach.LeadNotStarted, outreach.LeadPending, outreach.LeadNotStarted, outreach.LeadPending,
				outreach.LeadNotStarted,
			},
		},
	}
	var out []outreach.Loaded
	for _, p := range plans {
		l := outreach.Loaded{Sequence: outreach.Sequence{
			Name: p.name, Description: p.description, Status: p.status, Instructions: p.instructions,
			Templates: sequenceTemplates(),
		}}
		for _, status := range p.leads {
			lead, err := w.lead(status)
			if err != nil {
				return nil, fmt.Errorf("demo: %s: %w", p.name, err)
			}
			l.Leads = append(l.Leads, lead)
		}
		out = append(out, l)
	}
	return out, nil
}

// cycle returns n statuses, each in turn.
func cycle(n int) []outreach.LeadStatus {
	all := outreach.LeadStatuses()
	return slices.Repeat(all, n/len(all)+1)[:n]
}

func sequenceTemplates() []outreach.Template {
	return []outreach.Template{
		{
			ID: 1, Name: "Introduction", UseCase: "sales", UsedFor: "first", Subject: "A question about {company}",
			Body: "Hi {first_name},\n\nwho looks after this at {company}?\n\nBest regards",
		},
		{
			ID: 2, Name: "Follow-up", UseCase: "sales", UsedFor: "followup", Subject: "Re: A question about {company}",
			Body: "Hi {first_name},\n\nmay I ask once more?\n\nBest regards",
		},
		{
			ID: 3, Name: "Answer", UseCase: "sales", UsedFor: "reply", Subject: "Re: A question about {company}",
			Body: "Hi {first_name},\n\nthank you for your answer. Would Tuesday suit you?\n\nBest regards",
		},
	}
}

// sequenceStride is the distance between the people of the sequences, for variety.
const sequenceStride = 211

// sequenceWriter generates leads one by one.
type sequenceWriter struct {
	d    *Dataset
	now  time.Time
	made int
}

// lead generates a lead in a state, with the e-mails that led to it.
func (w *sequenceWriter) lead(status outreach.LeadStatus) (outreach.LoadedLead, error) {
	w.made++
	if w.d.cfg.People < 1 {
		return outreach.LoadedLead{}, errors.New("there are no people")
	}
	p := w.d.Person(int64(w.made*sequenceStride%w.d.cfg.People + 1))
	friend := w.d.Person(int64((w.made*sequenceStride+7)%w.d.cfg.People + 1))
	updated := w.now.Add(-time.Duration(w.made) * time.Hour)
	l := outreach.LoadedLead{Lead: outreach.Lead{
		PersonID: p.ID, Status: status, LatestUpdateAt: &updated,
		Introducers: []outreach.Introducer{{
			SocialIdentifier: path.Base(friend.SocialURL), Name: friend.FullName, Rank: 1, IsDirect: w.made%2 == 0,
		}},
	}}
	err := w.fill(&l, p)
	return l, err
}

// fill adds the e-mails of a lead.
func (w *sequenceWriter) fill(l *outreach.LoadedLead, p kith.Person) error {
	lead := &l.Lead
	add := func(template int64, e outreach.Email, a outreach.Activity) error {
		text, err := w.fillTemplate(template, p)
		if err != nil {
			return err
		}
		e.Subject, e.Content, e.From, e.To = text.Subject, outreach.Written(text.Body), "demo@example.com", p.Email
		confidence := 0.6 + float64(w.made%8)/20
		a.Confidence, a.Prompt = &confidence, "Write to the lead with the template "+text.Name+"."
		l.Emails = append(l.Emails, outreach.LoadedEmail{Email: e, Activity: a})
		return nil
	}
	switch lead.Status {
	case outreach.LeadNotStarted:
		lead.LatestUpdateAt = nil
	case outreach.LeadPending:
		lead.LatestUpdate = "E-mail drafted"
		return add(1, outreach.Email{Status: outreach.EmailDraft}, outreach.Activity{})
	case outreach.LeadActive:
		return w.active(lead, add)
	case outreach.LeadFinished:
		lead.LatestUpdate, lead.Stage = "Replied", 1
		sent := w.sent(72)
		sent.RepliedAt = sent.OpenedAt
		if err := add(1, sent, outreach.Activity{}); err != nil {
			return err
		}
		return add(3, outreach.Email{Status: outreach.EmailDraft}, outreach.Activity{Type: outreach.TypeIncoming})
	case outreach.LeadDeleted:
		lead.LatestUpdate = "Lead set to deleted"
		return add(1, outreach.Email{Status: outreach.EmailCanceled}, outreach.Activity{Note: "not now"})
	}
	return nil
}

// active fills in a lead with an approved e-mail: sent with a scheduled follow-up, being sent, or failed.
func (w *sequenceWriter) active(lead *outreach.Lead, add func(int64, outreach.Email, outreach.Activity) error) error {
	due := w.now.Add(time.Duration(24+w.made) * time.Hour)
	switch w.made / len(outreach.LeadStatuses()) % 4 {
	case 2:
		lead.LatestUpdate = "E-mail approved"
		at := w.now
		return add(1, outreach.Email{Status: outreach.EmailSending, ScheduledAt: &at}, outreach.Activity{})
	case 3:
		lead.LatestUpdate = "E-mail not sent: the mailbox does not exist"
		at := w.now.Add(-time.Hour)
		return add(1, outreach.Email{
			Status: outreach.EmailFailed, ScheduledAt: &at,
			Failure: "the mailbox does not exist",
		}, outreach.Activity{})
	}
	lead.LatestUpdate, lead.Stage, lead.NextFollowup = "E-mail sent", 1, &due
	if err := add(1, w.sent(48), outreach.Activity{}); err != nil {
		return err
	}
	return add(2, outreach.Email{Status: outreach.EmailScheduled, ScheduledAt: &due}, outreach.Activity{})
}

// sent returns an e-mail that was sent some hours ago. Most such e-mails were opened, some clicked, few forwarded.
func (w *sequenceWriter) sent(hours int) outreach.Email {
	at := w.now.Add(-time.Duration(hours) * time.Hour)
	opened := at.Add(time.Duration(1+w.made%20) * time.Hour)
	e := outreach.Email{Status: outreach.EmailSent, ScheduledAt: &at, SentAt: &at}
	if w.made%3 > 0 {
		e.OpenedAt = &opened
	}
	if w.made%5 == 1 {
		e.ClickedAt, e.OpenedAt = &opened, &opened
	}
	if w.made%11 == 1 {
		e.ForwardedAt = &opened
	}
	return e
}

// fillTemplate returns a template filled in for a person.
func (w *sequenceWriter) fillTemplate(id int64, p kith.Person) (outreach.Template, error) {
	company := "your company"
	if p.WorkRelevant != nil {
		company = w.d.Company(p.WorkRelevant.Company.ID).Name
	}
	values := map[string]string{"first_name": p.FirstName, "company": company}
	t, ok := outreach.Sequence{Templates: sequenceTemplates()}.Template(id)
	if !ok {
		return t, fmt.Errorf("there is no template %d", id)
	}
	subject, wrong := outreach.Render("subject", t.Subject, values)
	body, more := outreach.Render("body", t.Body, values)
	t.Subject, t.Body = subject, body
	return t, kith.InvalidFields(append(wrong, more...))
}
