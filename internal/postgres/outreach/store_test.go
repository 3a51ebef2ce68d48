package outreach_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"kith/internal/outreach"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// stored returns everything stored of a sequence and its first lead, as JSON.
func (d dataset) stored(t *testing.T, sequence, lead int64) string {
	t.Helper()
	page := outreach.Page{N: 10}
	s, err := d.Sequence(t.Context(), d.user, sequence)
	leads, err2 := d.Leads(t.Context(), d.user, sequence, outreach.LeadQuery{Page: page})
	emails, err3 := d.Emails(t.Context(), d.user, sequence, outreach.EmailQuery{Page: page})
	decisions, err4 := d.Activities(t.Context(), d.user, outreach.ActivityQuery{Page: page})
	history, err5 := d.History(t.Context(), d.user, sequence, lead, 0, 10)
	text, err6 := json.Marshal([]any{s, leads, emails, decisions, history})
	expect.NoError(t, errors.Join(err, err2, err3, err4, err5, err6))
	return string(text)
}

// A change that fails stores nothing. One that succeeds is read back as it was made.
func TestChangesAreStoredWholeOrNotAtAll(t *testing.T) {
	d := newDataset(t, 2)
	id, leads := d.sequence(t, "Q3", 1)
	at, sure := time.Date(2030, 1, 2, 3, 4, 5, 6000, time.UTC), 0.5
	var lead outreach.Lead
	email := outreach.Email{
		Subject: "Hi", From: "me@acme.example", To: "p1@example.com", Status: outreach.EmailDraft, CreatedAt: at,
		Content: &outreach.Content{Body: "b", HTMLBody: "<p>b</p>", TextBody: "t"},
	}
	decision := outreach.Activity{
		Type: outreach.TypeOutgoing, Decision: outreach.DecisionPending, Note: "n", Prompt: "p", CreatedAt: at,
		Confidence: &sure,
	}
	change := func(fails error) error {
		return d.ChangeLead(t.Context(), d.user, id, leads[0], func(c *outreach.Case) error {
			c.Lead.Status, c.Lead.Stage, c.Lead.NextFollowup = outreach.LeadActive, 2, &at
			c.Lead.LatestUpdate, c.Lead.LatestUpdateAt = "written", &at
			c.Lead.Introducers = []outreach.Introducer{{SocialIdentifier: "p2", Name: "Two", Rank: 1, IsDirect: true}}
			written, decided := email, decision
			decided.Email, lead = &written, c.Lead
			c.Emails, c.Activities = append(c.Emails, &written), append(c.Activities, &decided)
			return fails
		})
	}
	before, refused := d.stored(t, id, leads[0]), errors.New("refused")
	if err := change(refused); !errors.Is(err, refused) || d.stored(t, id, leads[0]) != before {
		t.Errorf("after a change that failed with %v, %s\nis %s", err, before, d.stored(t, id, leads[0]))
	}
	_, err := d.ChangeSequence(t.Context(), d.user, id, "test", func(s *outreach.Sequence) error {
		s.Name, s.Status = "Q4", outreach.SequencePaused
		return refused
	})
	if !errors.Is(err, refused) || d.stored(t, id, leads[0]) != before {
		t.Errorf("after a change that failed with %v, %s\nis %s", err, before, d.stored(t, id, leads[0]))
	}
	expect.NoError(t, change(nil))
	err = d.ChangeLead(t.Context(), d.user, id, leads[0], func(c *outreach.Case) error {
		got, decided := *c.Emails[0], *c.Activities[0]
		email.ID, email.SequenceID, email.LeadID = got.ID, id, leads[0]
		decision.ID, decision.Email = decided.ID, c.Emails[0]
		if !reflect.DeepEqual(c.Lead, lead) || !reflect.DeepEqual(got, email) || !reflect.DeepEqual(decided, decision) {
			t.Errorf("%+v\n%+v\n%+v\nare read as\n%+v\n%+v\n%+v", lead, email, decision, c.Lead, got, decided)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A page at the end of 100,000 leads reads no more than one at the start.
func TestPagesOfManyLeadsCostTheSame(t *testing.T) {
	d := newDataset(t, 2)
	s, _ := d.sequence(t, "Large", 1)
	exec := func(sql string, args ...any) {
		t.Helper()
		pgtest.Exec(t, d.db, sql, args...)
	}
	exec(`insert into people (id, social_key, social_id, record, hash, rank, version, company_ids)
		select i, 'k' || i, 'k' || i, '{}', '', 0, 1, '{}' from generate_series(10, 100009) i`)
	exec(`insert into leads (user_id, sequence_id, person_id, status, created_at)
		select $1, $2, i, case when i % 50 = 0 then 'active' else 'not_started' end, now()
		from generate_series(10, 100009) i`, d.user, s)
	exec("analyze leads")
	want := outreach.Counts{Leads: 100_001, ActiveLeads: 2000}
	if q, err := d.Sequence(t.Context(), d.user, s); err != nil || q.Counts != want {
		t.Errorf("the sequence counts %+v, %v", q.Counts, err)
	}
	read := func(where string, args ...any) (blocks int) {
		var plan []struct {
			Plan struct {
				Hit  int `json:"Shared Hit Blocks"`
				Read int `json:"Shared Read Blocks"`
			}
		}
		sql := "explain (analyze, buffers, format json) select * from leads l where l.user_id = $1 and l.sequence_id " +
			"= $2 and l.id > $3" + where + " order by l.id limit 26"
		expect.NoError(t, d.db.Pool().QueryRow(t.Context(), sql, args...).Scan(&plan))
		return plan[0].Plan.Hit + plan[0].Plan.Read
	}
	for name, where := range map[string]string{"all": "", "of a state": " and l.status = 'active'"} {
		first, last := read(where, d.user, s, 0), read(where, d.user, s, 95_000)
		if last > first+10 || first > 100 {
			t.Errorf("%s: a page reads %d blocks at the start and %d at the end", name, first, last)
		}
	}
	var walked, after int64
	for {
		page, err := d.Leads(t.Context(), d.user, s,
			outreach.LeadQuery{Page: outreach.Page{After: after, N: 100}, Status: outreach.LeadActive})
		expect.NoError(t, err)
		if len(page) == 0 {
			break
		}
		walked, after = walked+int64(len(page)), page[len(page)-1].ID
	}
	if walked != 2000 {
		t.Errorf("walked past %d leads", walked)
	}
}
