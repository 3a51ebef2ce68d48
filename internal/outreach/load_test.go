package outreach_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kith/internal/imports/loader"
	"kith/internal/outreach"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/test/expect"
)

const line = `{"app":"acme","external_user_id":"u1","name":"Q3 fintech","description":"",
 "status":"active","ai_instructions":"",
 "ai_email_templates":[{"name":"Intro","use_case":"sales","used_for":"first",
   "subject":"Hi {first_name}","email_body":"…"}],
 "leads":[{"social_url":"https://social.example/in/p1","status":"active","pipeline_stage":1,"next_followup_at":null,
   "selected_introducers":[{"social_identifier":"jane","name":"Jane","rank":1,"is_direct":true}],
   "emails":[{"subject":"Hello","from":"me@acme.example","to":"x@example.com","status":"draft",
     "scheduled_at":null,"sent_at":null,
     "content":{"body":"a","html_body":"<p>a</p>","text_body":"a"},
     "activity":{"activity_type":"outgoing_email","decision":"pending","ai_confidence_score":0.8,
       "note":"","ai_prompt":""}},
    {"subject":"Sent","status":"sent","sent_at":"2026-01-01T10:00:00+02:00","content":{"body":"b"}}]},
  {"social_url":"https://social.example/in/p2"}]}`

func (d *dataset) load(t *testing.T, lines ...string) (loader.Stats, string) {
	t.Helper()
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(l, "\n", "")
	}
	rejects := filepath.Join(t.TempDir(), "rejects")
	load := loader.New(d.db)
	load.Sequences = d.db.Outreach()
	stats, err := load.File(t.Context(), record.ForEveryone(), "-",
		loader.Options{Kind: record.Sequences, Stdin: strings.NewReader(strings.Join(lines, "\n")), Rejects: rejects})
	expect.NoError(t, err)
	text, err := os.ReadFile(rejects)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return stats, string(text)
}

func TestSequencesAreLoaded(t *testing.T) {
	d := newDataset(t, 4)
	if stats, rejects := d.load(t, line); stats.Created != 1 || stats.Rejected != 0 {
		t.Fatalf("load: %+v %s", stats, rejects)
	}
	a := d.user(t, "u1")
	s := outreach.Sequence{ID: 1}
	s, err := d.svc.Sequence(t.Context(), a, s.ID)
	expect.NoError(t, err)
	expect.Len(t, "templates", s.Templates, 1)
	expect.Values(t, "loaded sequence", []any{s.Counts.Leads, s.Counts.ActiveLeads, s.Counts.Sent, s.Templates[0].ID},
		2, 1, 1, 1)
	list, _, err := d.svc.Activities(t.Context(), a, outreach.ActivityQuery{Page: outreach.Page{N: 10}})
	expect.NoError(t, err)
	expect.Len(t, "activities", list, 2)
	pending, sent := list[0], list[1]
	if pending.Confidence == nil || sent.Email.SentAt == nil {
		t.Fatalf("activities without confidence or time: %+v, %+v", pending, sent)
	}
	expect.Values(t, "pending activity", []any{pending.Decision, *pending.Confidence, pending.Email.To},
		outreach.DecisionPending, 0.8, "x@example.com")
	expect.Values(t, "sent activity",
		[]any{sent.Decision, sent.Email.To, sent.Email.Content.HTMLBody, sent.Email.SentAt.Hour()},
		outreach.DecisionApproved, "p1@example.com", "<p>b</p>\n", 8)
	recounted(t, d.db.Pool())

	// A second load changes nothing, even after decisions.
	approved := outreach.DecisionApproved
	if _, err := d.svc.Decide(t.Context(), a, list[0].ID, outreach.ActivityChange{Decision: &approved}); err != nil {
		t.Fatal(err)
	}
	if stats, rejects := d.load(t, line); stats.Unchanged != 1 {
		t.Errorf("second load: %+v %s", stats, rejects)
	}
	more := strings.Replace(line, `"status":"active","pipeline_stage":1`, `"status":"finished","pipeline_stage":2`, 1)
	more = strings.Replace(more, `{"social_url":"https://social.example/in/p2"}`,
		`{"social_url":"https://social.example/in/p3"}`, 1)
	if stats, rejects := d.load(t, more); stats.Changed != 1 {
		t.Errorf("load of another lead: %+v %s", stats, rejects)
	}
	leads, _, err := d.svc.Leads(t.Context(), a, s.ID, outreach.LeadQuery{Page: outreach.Page{N: 10}})
	expect.NoError(t, err)
	expect.Len(t, "leads", leads, 3)
	expect.Values(t, "first lead", []any{leads[0].Status, leads[0].Stage}, outreach.LeadFinished, 2)
	emails, _, err := d.svc.Emails(t.Context(), a, s.ID, outreach.EmailQuery{Page: outreach.Page{N: 10}})
	expect.NoError(t, err)
	expect.Len(t, "e-mails", emails, 2)
	expect.Values(t, "e-mails", []any{emails[0].Status, emails[1].Status}, outreach.EmailCanceled, outreach.EmailSent)
	recounted(t, d.db.Pool())
}

func TestBadLinesOfSequencesAreRejected(t *testing.T) {
	d := newDataset(t, 3)
	for name, tt := range map[string]struct{ from, to, says string }{
		"app":      {`"acme"`, `"nobody"`, `there is no app`},
		"no user":  {`"u1"`, `""`, "external_user_id: is required"},
		"person":   {"in/p2", "in/nobody", "leads: there is no person"},
		"twice":    {"in/p2", "in/p1", "is the same person as"},
		"status":   {`"status":"active","ai`, `"status":"running","ai`, "status must be draft"},
		"lead":     {`"status":"active","pipe`, `"status":"running","pipe`, "leads[0].status must be active"},
		"decision": {`"pending"`, `"maybe"`, "leads[0].emails[0].activity.decision must be"},
		"sent": {
			`"status":"draft"`, `"status":"scheduled"`,
			"leads[0].emails[0].activity.decision must be approved",
		},
		"address": {"me@acme.example", "me", "leads[0].emails[0].from must be a valid"},
		"injection": {
			`"subject":"Sent"`, `"subject":"Sent\r\nBcc: x@example.com"`,
			"leads[0].emails[1].subject must not have control",
		},
		"template": {
			"Hi {first_name}", "Hi {{first_name}}", "ai_email_templates[0].subject has a placeholder within braces",
		},
		"unfilled": {
			`"subject":"Hello"`, `"subject":"Hello {first_name}"`,
			"leads[0].emails[0].subject has the placeholder {first_name}",
		},
		"in a body": {
			`{"body":"a","html_body":"<p>a</p>","text_body":"a"}`, `{"body":"{{x}}"}`,
			"leads[0].emails[0].content.body has the placeholder {x}",
		},
		"time":   {`"sent_at":null`, `"sent_at":"yesterday"`, "sent_at"},
		"member": {`"pipeline_stage"`, `"pipeline"`, "pipeline"},
	} {
		if !strings.Contains(line, tt.from) {
			t.Fatal("the line lacks the text to replace:", name)
		}
		stats, rejects := d.load(t, strings.Replace(line, tt.from, tt.to, 1))
		if stats.Rejected != 1 || !strings.Contains(rejects, tt.says) {
			t.Errorf("%s: %+v %s", name, stats, rejects)
		}
	}
	recounted(t, d.db.Pool())
}

// Loads follow the rules for callers: nobody gets e-mails from two active sequences, or as a finished lead.
func TestLoadedLeadsAreInOneActiveSequence(t *testing.T) {
	d := newDataset(t, 4)
	a := d.user(t, "u1")
	_, leads := d.sequence(t, a, "Q3", 1)
	const other = `{"app":"acme","external_user_id":"u1","name":"Q4","status":"active",
		"leads":[{"social_url":"https://social.example/in/p1"}]}`
	if stats, rejects := d.load(t, other); stats.Rejected != 1 ||
		!strings.Contains(rejects, "leads: 1 of its leads are leads of another active sequence, person 1 for one") {
		t.Errorf("load of a lead of another active sequence: %+v %s", stats, rejects)
	}
	if list, _, err := d.svc.Sequences(t.Context(), a, outreach.Page{N: 10}); err != nil || len(list) != 1 {
		t.Errorf("a refused line was stored: %+v, %v", list, err)
	}
	for _, free := range []string{
		strings.Replace(other, `"active"`, `"paused"`, 1),
		strings.Replace(other, `/in/p1"`, `/in/p1","status":"finished"`, 1),
	} {
		if stats, rejects := d.load(t, free); stats.Rejected != 0 {
			t.Errorf("load of a paused sequence or a finished lead: %+v %s", stats, rejects)
		}
	}
	closed := outreach.LeadFinished
	if _, err := d.svc.ChangeLead(t.Context(), a, 1, leads[0], outreach.LeadChange{Status: &closed}); err != nil {
		t.Fatal(err)
	}
	if stats, rejects := d.load(t, strings.Replace(other, `/in/p1"`, `/in/p1","status":"not_started"`,
		1)); stats.Changed != 1 {
		t.Errorf("load of a reopened lead: %+v %s", stats, rejects)
	}
}

func TestLoadedEmailsOfClosedLeadsAreCanceled(t *testing.T) {
	d := newDataset(t, 2)
	a := d.user(t, "u1")
	d.load(t, `{"app":"acme","external_user_id":"u1","name":"Q3","status":"active",
		"leads":[{"social_url":"https://social.example/in/p1","status":"finished",
		"emails":[{"subject":"a","status":"scheduled"},{"subject":"b","status":"sent"},{"subject":"c"}]}]}`)
	emails, _, err := d.svc.Emails(t.Context(), a, 1, outreach.EmailQuery{Page: outreach.Page{N: 10}})
	if err != nil || len(emails) != 3 || emails[0].Status != outreach.EmailCanceled ||
		emails[1].Status != outreach.EmailSent || emails[2].Status != outreach.EmailDraft {
		t.Errorf("e-mails of the closed lead: %+v, %v", emails, err)
	}
}

// Loading a file again keeps later changes: members that a line lacks stay as they are.
func TestLoadingAgainKeepsLaterChanges(t *testing.T) {
	d := newDataset(t, 3)
	const bare = `{"app":"acme","external_user_id":"u1","name":"Q3",` +
		`"leads":[{"social_url":"https://social.example/in/p1"},{"social_url":"https://social.example/in/p2"}]}`
	if stats, rejects := d.load(t, bare); stats.Created != 1 {
		t.Fatalf("load: %+v %s", stats, rejects)
	}
	a := d.user(t, "u1")
	running, active, closed := outreach.SequenceActive, outreach.LeadActive, outreach.LeadFinished
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	text, templates := "written later", []outreach.Template{{Name: "One", Subject: "Hi", Body: "Hello"}}
	_, err := d.svc.Change(t.Context(), a, 1, outreach.SequenceChange{
		Status: &running, Description: &text, Instructions: &text, SetTemplates: true, Templates: templates,
	})
	expect.NoError(t, err)
	for lead, ch := range map[int64]outreach.LeadChange{
		1: {
			Status: &active, SetNextFollowup: true, NextFollowup: &at, SetIntroducers: true,
			Introducers: []outreach.Introducer{{SocialIdentifier: "p3", Name: "Three", Rank: 1}},
		},
		2: {Status: &closed},
	} {
		if _, err := d.svc.ChangeLead(t.Context(), a, 1, lead, ch); err != nil {
			t.Fatal(err)
		}
	}
	state := func() string {
		t.Helper()
		s, err := d.svc.Sequence(t.Context(), a, 1)
		expect.NoError(t, err)
		leads, _, err := d.svc.Leads(t.Context(), a, 1, outreach.LeadQuery{Page: outreach.Page{N: 10}})
		if err != nil || len(leads) != 2 {
			t.Fatal(leads, err)
		}
		return fmt.Sprint(s.Status, leads[0].Status, leads[0].NextFollowup, leads[0].Introducers, leads[1].Status,
			s.Description, s.Instructions, s.Templates)
	}
	before := state()
	if stats, rejects := d.load(t, bare); stats.Unchanged != 1 || state() != before {
		t.Errorf("%s became %s: %+v %s", before, state(), stats, rejects)
	}
	// New e-mails to a lead that was closed meanwhile are not sent.
	more := strings.Replace(bare, `in/p2"`,
		`in/p2","emails":[{"subject":"a","content":{"body":"b"},"status":"scheduled"}]`, 1)
	if stats, rejects := d.load(t, more); stats.Changed != 1 || state() != before {
		t.Errorf("%s became %s: %+v %s", before, state(), stats, rejects)
	}
	emails, _, err := d.svc.Emails(t.Context(), a, 1, outreach.EmailQuery{Page: outreach.Page{N: 10}})
	expect.NoError(t, err)
	expect.Len(t, "e-mails of the closed lead", emails, 1)
	expect.Values(t, "e-mail of the closed lead", []any{emails[0].Status}, outreach.EmailCanceled)
	// Members of a line are applied.
	edited := strings.Replace(strings.Replace(bare, `"Q3"`, `"Q3","status":"paused"`, 1), `in/p1"`,
		`in/p1","status":"not_started"`, 1)
	if stats, rejects := d.load(t, edited); stats.Changed != 1 || !strings.HasPrefix(state(), "paused"+"not_started") {
		t.Errorf("the sequence became %s: %+v %s", state(), stats, rejects)
	}
	recounted(t, d.db.Pool())
}

// A line empties what it has as empty, and keeps what it has as null.
func TestLoadsEmptyWhatALineHasAsEmpty(t *testing.T) {
	d := newDataset(t, 2)
	a := d.user(t, "u1")
	line := func(description, instructions, templates, introducers string) string {
		return fmt.Sprintf(`{"app":"acme","external_user_id":"u1","name":"Q3","description":%s,"ai_instructions":%s,`+
			`"ai_email_templates":%s,"leads":[{"social_url":"https://social.example/in/p1",`+
			`"selected_introducers":%s}]}`,
			description, instructions, templates, introducers)
	}
	for _, step := range []struct {
		what, line string
		want       []any
	}{
		{
			"full", line(`"a"`, `"b"`, `[{"name":"One","subject":"Hi","email_body":"Hello"}]`,
				`[{"social_identifier":"jane","name":"Jane"}]`),
			[]any{"a", "b", 1, 1},
		},
		{"null", line("null", "null", "null", "null"), []any{"a", "b", 1, 1}},
		{"empty", line(`""`, `""`, "[]", "[]"), []any{"", "", 0, 0}},
	} {
		if stats, rejects := d.load(t, step.line); stats.Rejected > 0 {
			t.Fatalf("%s: %+v %s", step.what, stats, rejects)
		}
		s, err := d.svc.Sequence(t.Context(), a, 1)
		expect.NoError(t, err)
		leads, _, err := d.svc.Leads(t.Context(), a, 1, outreach.LeadQuery{Page: outreach.Page{N: 10}})
		expect.NoError(t, err)
		expect.Len(t, "leads", leads, 1)
		expect.Values(t, step.what,
			[]any{s.Description, s.Instructions, len(s.Templates), len(leads[0].Introducers)}, step.want...)
	}
}

// Importing an export into its own dataset adds no e-mail, whether the e-mails were drafted or loaded, and sent or
// edited since.
func TestImportingAnExportHereAddsNoEmail(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	d.approved(t, s.ID, leads[0], 1, false)
	d.pass(t)
	d.approved(t, s.ID, leads[0], 1, true)
	if stats, rejects := d.load(t, `{"app":"acme","external_user_id":"u1","name":"Q3","leads":[
		{"social_url":"https://social.example/in/p1","emails":[{"subject":"Loaded"}]}]}`); stats.Changed != 1 {
		t.Fatalf("load: %+v %s", stats, rejects)
	}
	var export bytes.Buffer
	expect.NoError(t, d.db.Export(t.Context(), d.user.Viewer(), &export))
	d.pass(t)
	activities, _, err := d.svc.Activities(t.Context(), d.user, outreach.ActivityQuery{Page: outreach.Page{N: 10}})
	expect.NoError(t, err)
	expect.Len(t, "activities", activities, 3)
	edited := "Edited"
	_, err = d.svc.Decide(t.Context(), d.user, activities[2].ID, outreach.ActivityChange{Subject: &edited})
	expect.NoError(t, err)

	load := loader.New(d.db)
	load.Relations, load.Sequences, load.Users = d.db.Network(), d.db.Outreach(), d.db.Network()
	stats, err := load.File(t.Context(), record.ForEveryone(), "-", loader.Options{
		Kind: record.Exports, ExportUniter: identity.Uniter{}, Stdin: &export,
		Rejects: filepath.Join(t.TempDir(), "rejects"),
	})
	if err != nil || stats.Rejected > 0 {
		t.Errorf("import of the export: %+v, %v", stats, err)
	}
	emails, _, err := d.svc.Emails(t.Context(), d.user, s.ID, outreach.EmailQuery{Page: outreach.Page{N: 10}})
	expect.NoError(t, err)
	expect.Len(t, "e-mails after the import", emails, 3)
	recounted(t, d.db.Pool())
}
