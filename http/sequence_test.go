package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	kithhttp "kith/http"
	"kith/internal/access/publicid"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// newOutreach returns outreach over a database with a store of sequences.
func newOutreach(db *postgres.DB, store outreach.Store) *outreach.Service {
	return outreach.New(outreach.Config{Store: store, People: db})
}

// withOutreach adds outreach over a database to a dataset.
func withOutreach(t *testing.T, db *postgres.DB, d *kithhttp.Dataset) {
	t.Helper()
	outbox := db.Delivery(d.Seal)
	d.Unsubscribe, d.Feedback = outbox, outreach.NewListener(outbox, nil)
	var err error
	d.IDs, err = publicid.New(make([]byte, 32))
	expect.NoError(t, err)
}

// data sends a request that must succeed, and decodes its data.
func (f *fixture) data(method, path, body string, into any) {
	f.t.Helper()
	res := f.call(method, path, body, f.bearer()).wants(f.t, http.StatusOK, "")
	expect.NoError(f.t, json.Unmarshal(res.envelope(f.t).Data, into))
}

type sequenceData struct {
	ID, Name, Status string
	Templates        []struct{ ID int } `json:"ai_email_templates"`
	Total            int                `json:"total_leads"`
	Active           int                `json:"active_leads"`
	ReplyRate        int                `json:"reply_rate"`
}

type leadData struct {
	ID, Status   string
	SequenceID   string  `json:"sequence_id"`
	PersonID     int64   `json:"platform_person_id"`
	NextFollowup *string `json:"next_followup_at"`
	Introducers  []struct {
		Name string
		Rank int
	} `json:"selected_introducers"`
	Person struct {
		SocialIdentifier string `json:"social_identifier"`
		Position         struct{ Company struct{ ID, Name string } }
	}
	LatestUpdate string `json:"latest_update"`
}

type activityData struct {
	ID, Decision string
	ConfirmedAt  *string `json:"decision_confirmed_at"`
	Note         string
	Email        struct {
		ID, Subject, Status string
		ScheduledAt         *string `json:"scheduled_at"`
		To                  string  `json:"to_email"`
		ThreadID            string  `json:"thread_id"`
		Content             struct {
			HTML string `json:"html_body"`
		}
	} `json:"email_outgoing"`
}

// outreachFixture is a server with a sequence of three leads.
func outreachFixture(t *testing.T) (*fixture, sequenceData, []leadData) {
	t.Helper()
	f := newFixture(t, nil)
	all := people()
	for i := range all {
		all[i].Email = fmt.Sprintf("p%d@example.com", all[i].ID)
	}
	f.load(all)
	var s sequenceData
	f.data(http.MethodPost, "/v2/sequences", `{"name":"Q3","status":"active","ai_email_templates":[
		{"name":"Intro","use_case":"sales","used_for":"first","subject":"Hi {first_name}",
		"email_body":"How is {company}?\n\n{offer}"}]}`, &s)
	var added struct{ Summary map[string]int }
	f.data(http.MethodPost, "/v2/sequences/"+s.ID+"/leads",
		`{"people":[1,"person-2","https://social.example/in/person-3","p1@example.com",99]}`, &added)
	if n := added.Summary; n["processed"] != 5 || n["created"] != 3 || n["unchanged"] != 1 || n["refused"] != 1 {
		t.Fatal("summary of the added leads:", n)
	}
	var leads []leadData
	f.data(http.MethodGet, "/v2/sequences/"+s.ID+"/leads", "", &leads)
	expect.Len(t, "leads", leads, 3)
	return f, s, leads
}

func TestSequenceFromDraftToDecision(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	first := leads[0]
	expect.Values(t, "first lead", []any{first.Status, first.SequenceID, first.Person.SocialIdentifier},
		"not_started", s.ID, "person-1")
	employer := first.Person.Position.Company
	expect.Values(t, "employer of the first lead", []any{employer.ID, employer.Name}, "1", "Initech")
	lead := "/v2/sequences/" + s.ID + "/leads/" + first.ID
	var drafted struct{ Activity activityData }
	f.data(http.MethodPost, lead+"/emails",
		`{"template_id":1,"variables":[{"name":"offer","value":"A <demo>"}],"ai_confidence_score":0.8}`, &drafted)
	a := drafted.Activity
	e := a.Email
	expect.Values(t, "drafted activity", []any{a.Decision, e.Subject, e.To, e.ThreadID, e.Content.HTML},
		"pending", "Hi Person1", "p1@example.com", e.ID, "<p>How is Initech?</p>\n<p>A &lt;demo&gt;</p>\n")
	var list struct{ Activities []activityData }
	f.data(http.MethodGet, "/v2/sequences/activities?decision=null", "", &list)
	if len(list.Activities) != 1 || list.Activities[0].ID != a.ID {
		t.Fatalf("pending activities: %+v", list)
	}
	var decided activityData
	f.data(http.MethodPatch, "/v2/sequences/activities/"+a.ID,
		`{"decision":"approved","note":"good","subject":"Hello {last_name}",`+
			`"scheduled_at":"2090-01-01T10:00:00+02:00"}`,
		&decided)
	expect.Values(t, "decided activity", []any{decided.ID, decided.Decision, decided.ConfirmedAt != nil, decided.Note},
		a.ID, "approved", true, "good")
	var emails struct {
		Emails []struct {
			ID, Subject, Status string
			ScheduledAt         string `json:"scheduled_at"`
			LeadID              string `json:"sequence_lead_id"`
		}
	}
	f.data(http.MethodGet, "/v2/sequences/"+s.ID+"/emails?status=scheduled", "", &emails)
	expect.Len(t, "scheduled e-mails", emails.Emails, 1)
	scheduled := emails.Emails[0]
	expect.Values(t, "scheduled e-mail", []any{scheduled.Subject, scheduled.ScheduledAt, scheduled.LeadID},
		"Hello Example", "2090-01-01T08:00:00Z", first.ID)
	f.data(http.MethodPatch, "/v2/sequences/activities/"+a.ID, `{"decision":null,"scheduled_at":null}`, &decided)
	f.data(http.MethodGet, "/v2/sequences/"+s.ID+"/emails?status=scheduled", "", &emails)
	expect.Len(t, "scheduled e-mails without their time", emails.Emails, 1)
	expect.Values(t, "time of an e-mail without its own", []any{emails.Emails[0].ScheduledAt < "2090"}, true)
	f.data(http.MethodGet, "/v2/sequences/"+s.ID, "", &s)
	expect.Values(t, "sequence after the approval", []any{s.Total, s.Active, s.ReplyRate}, 3, 1, 0)
	f.data(http.MethodPatch, "/v2/sequences/"+s.ID, `{"status":"paused","ai_email_templates":[]}`, &s)
	expect.Values(t, "paused sequence", []any{s.Status, s.Name, len(s.Templates)}, "paused", "Q3", 0)
	var all []sequenceData
	f.data(http.MethodGet, "/v2/sequences?limit=1", "", &all)
	if len(all) != 1 || all[0].ID != s.ID {
		t.Errorf("sequences: %+v", all)
	}
}

func TestLeadsChangeOnlyGivenFields(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	path := "/v2/sequences/" + s.ID + "/leads/" + leads[1].ID
	var l leadData
	f.data(http.MethodPut, path, `{"status":"active","selected_introducers":[{"social_identifier":"jane","name":"Jane"},
		{"social_identifier":"joe","rank":9,"is_direct":true}],
		"next_followup_at":"2030-01-01T10:00:00Z"}`, &l)
	expect.Len(t, "introducers", l.Introducers, 2)
	expect.Values(t, "changed lead", []any{l.Status, l.NextFollowup != nil, l.LatestUpdate != ""}, "active", true, true)
	expect.Values(t, "ranks of the introducers", []any{l.Introducers[0].Rank, l.Introducers[1].Rank}, 1, 9)
	f.data(http.MethodPut, path, `{}`, &l)
	expect.Values(t, "lead without changes", []any{l.Status, len(l.Introducers), l.NextFollowup != nil}, "active", 2,
		true)
	f.data(http.MethodPut, path, `{"selected_introducers":null,"next_followup_at":null}`, &l)
	expect.Values(t, "cleared lead", []any{l.Status, len(l.Introducers), l.NextFollowup != nil}, "active", 0, false)
	for _, status := range []string{"deleted", "not_started", "finished", "pending", "active"} {
		if f.data(http.MethodPut, path, `{"status":"`+status+`"}`, &l); l.Status != status {
			t.Errorf("want status %s, got %s", status, l.Status)
		}
	}
	var history []struct{ Subject, To, By string }
	f.data(http.MethodGet, path+"/history?limit=100", "", &history)
	if len(history) != 8 || history[0].To != "not_started" || history[7].By != "user:u1" {
		t.Errorf("history: %+v", history)
	}
}

func TestLeadsAreListedInPages(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	path := "/v2/sequences/" + s.ID + "/leads?limit=2"
	first := f.call(http.MethodGet, path, "", f.bearer()).wants(t, http.StatusOK, "").envelope(t)
	if first.Pagination.Count != 2 || !first.Pagination.HasNextPage {
		t.Fatalf("pagination of the first page: %+v", first.Pagination)
	}
	next := "&cursor=" + url.QueryEscape(first.Pagination.Cursor)
	second := f.call(http.MethodGet, path+next, "", f.bearer()).wants(t, http.StatusOK, "").envelope(t)
	if second.Pagination.Count != 1 || second.Pagination.HasNextPage ||
		!strings.Contains(string(second.Data), leads[2].ID) {
		t.Errorf("second page: %+v %s", second.Pagination, second.Data)
	}
	f.call(http.MethodGet, path+"&status=active"+next, "", f.bearer()).wants(t, http.StatusBadRequest, "CURSOR_INVALID")
	f.call(http.MethodGet, path+next, "", "Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusBadRequest,
		"CURSOR_INVALID")
	f.call(http.MethodGet, "/v2/sequences/"+s.ID+"/leads?status=gone&limit=0", "", f.bearer()).wants(t,
		http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}

func TestForeignAndForgedIdentifiersAreNotFound(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	other := "Authorization: Bearer " + f.issue("u2")
	body := strings.TrimSuffix(s.ID, publicid.Suffix)
	get := func(id string, who string) answer { return f.call(http.MethodGet, "/v2/sequences/"+id, "", who) }
	get(s.ID, f.bearer()).wants(t, http.StatusOK, "")
	get(body+"%21vNnNM", f.bearer()).wants(t, http.StatusOK, "")
	get(strings.ReplaceAll(s.ID, "!vNnNM", "%21%76NnNM"), f.bearer()).wants(t, http.StatusOK, "")
	refused := map[string]string{
		"double-encoded": body + "%2521vNnNM", "no suffix": body, "re-cased suffix": body + "!VNNNM", "a number": "1",
		"a slash": "a%2Fb!vNnNM", "suffix only": "!vNnNM",
	}
	for name, id := range refused {
		e := get(id, f.bearer()).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error
		if len(e.Errors) != 1 || e.Errors[0].Code != "INVALID_ID" || e.Errors[0].Field != "id" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	absent := map[string]answer{
		"another user's":  get(s.ID, other),
		"another kind's":  get(leads[0].ID, f.bearer()),
		"cut":             get(body[:len(body)-1]+publicid.Suffix, f.bearer()),
		"re-cased":        get(strings.ToUpper(body)+publicid.Suffix, f.bearer()),
		"forged":          get(strings.Repeat("A", 32)+publicid.Suffix, f.bearer()),
		"another app key": get("x"+body+publicid.Suffix, f.bearer()),
	}
	for name, got := range absent {
		e := got.wants(t, http.StatusNotFound, "SEQUENCE_NOT_FOUND").envelope(t).Error
		if e.Detail != absent["forged"].envelope(t).Error.Detail ||
			got.ContentLength != absent["forged"].ContentLength {
			t.Errorf("%s has a different error: %+v", name, e)
		}
	}
	lead := "/v2/sequences/" + s.ID + "/leads/"
	f.call(http.MethodPut, lead+s.ID, `{}`, f.bearer()).wants(t, http.StatusNotFound, "LEAD_NOT_FOUND")
	f.call(http.MethodPut, lead+leads[0].ID, `{}`, other).wants(t, http.StatusNotFound, "LEAD_NOT_FOUND")
	f.call(http.MethodPatch, "/v2/sequences/activities/"+leads[0].ID, `{"decision":null}`, f.bearer()).wants(t,
		http.StatusNotFound, "ACTIVITY_NOT_FOUND")
	e := f.call(http.MethodPut, lead+"x", `{"status":"gone"}`, f.bearer()).wants(t, http.StatusUnprocessableEntity,
		"VALIDATION_FAILED").envelope(t).Error
	if len(e.Errors) != 2 {
		t.Errorf("the answer lacks some problems: %+v", e.Errors)
	}
}

func TestOutreachRefusesBadInput(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	var drafted struct{ Activity activityData }
	lead := "/v2/sequences/" + s.ID + "/leads/" + leads[0].ID
	f.data(http.MethodPost, lead+"/emails", `{"subject":"Hi","body":"Hello"}`, &drafted)
	activity := "/v2/sequences/activities/" + drafted.Activity.ID
	long := strings.Repeat("é", 10_001)
	for _, tt := range []struct{ method, path, body, field, code string }{
		{http.MethodPatch, activity, `{}`, "decision", "REQUIRED"},
		{http.MethodPatch, activity, `{"decision":"maybe"}`, "decision", "UNKNOWN_VALUE"},
		{
			http.MethodPatch, activity, `{"decision":null,"subject":"Hi\r\nBcc: all@example.com"}`, "subject",
			"INVALID_CHARACTER",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"from_email":"me@example.com\r\nBcc: all@example.com"}`,
			"from_email",
			"INVALID_CHARACTER",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"to_email":"a@example.com, b@example.com"}`, "to_email",
			"INVALID_EMAIL",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"to_email":"Jane <a@example.com>"}`, "to_email",
			"INVALID_EMAIL",
		},
		{http.MethodPatch, activity, `{"decision":null,"body":"` + long + `"}`, "body", "TOO_LONG"},
		{http.MethodPatch, activity, `{"decision":null,"note":"` + long + `"}`, "note", "TOO_LONG"},
		{http.MethodPatch, activity, `{"decision":null,"subject":"` + long + `"}`, "subject", "TOO_LONG"},
		{http.MethodPatch, activity, `{"decision":null,"body":"Hi {frist_name}"}`, "body", "MISSING_VALUE"},
		{http.MethodPatch, activity, `{"decision":null,"body":"Hi {{first_name}}"}`, "body", "PLACEHOLDER_NESTED"},
		{
			http.MethodPatch, activity, `{"decision":null,"user_integration_id":0}`, "user_integration_id",
			"OUT_OF_RANGE",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"user_integration_id":1.5}`, "user_integration_id",
			"INVALID_TYPE",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"scheduled_at":"2020-01-01T10:00:00Z"}`, "scheduled_at",
			"IN_THE_PAST",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"scheduled_at":"2090-01-01T10:00:00"}`, "scheduled_at",
			"INVALID_DATE_TIME",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"scheduled_at":"2090-01-01T10:00:00+25:00"}`, "scheduled_at",
			"INVALID_DATE_TIME",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"scheduled_at":"2090-01-01T10:00:00+23:00"}`, "scheduled_at",
			"INVALID_DATE_TIME",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"scheduled_at":"2090-01-01T10:00:00 Europe/Berlin"}`,
			"scheduled_at",
			"INVALID_DATE_TIME",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"scheduled_at":"2090-02-30T10:00:00Z"}`, "scheduled_at",
			"INVALID_DATE_TIME",
		},
		{
			http.MethodPatch, activity, `{"decision":null,"sheduled_at":"2090-02-30T10:00:00Z"}`, "sheduled_at",
			"UNKNOWN_FIELD",
		},
		{http.MethodPost, lead + "/emails", `{"subject":"Hi"}`, "body", "REQUIRED"},
		{http.MethodPost, lead + "/emails", `{"template_id":7}`, "template_id", "UNKNOWN_TEMPLATE"},
		{http.MethodPost, lead + "/emails", `{"template_id":1,"subject":"Hi"}`, "template_id", "INVALID_VALUE"},
		{http.MethodPost, lead + "/emails", `{"template_id":1}`, "body", "MISSING_VALUE"},
		{
			http.MethodPost, lead + "/emails", `{"template_id":1,"variables":[{"name":"offer","value":"{offer}"}]}`,
			"body",
			"PLACEHOLDER_RECURSIVE",
		},
		{
			http.MethodPost, lead + "/emails", `{"subject":"Hi","body":"x","scheduled_at":"2020-01-01T10:00:00Z"}`,
			"scheduled_at", "IN_THE_PAST",
		},
		{http.MethodPut, lead, `{"next_followup_at":"tomorrow"}`, "next_followup_at", "INVALID_DATE_TIME"},
		{
			http.MethodPut, lead, `{"selected_introducers":[{}]}`, "selected_introducers[0].social_identifier",
			"REQUIRED",
		},
		{
			http.MethodPost, "/v2/sequences", `{"name":"x","ai_email_templates":[{"subject":"a {b","email_body":""}]}`,
			"ai_email_templates[0].subject", "PLACEHOLDER_MALFORMED",
		},
		{http.MethodPost, "/v2/sequences/" + s.ID + "/leads", `{"people":[0]}`, "people[0]", "OUT_OF_RANGE"},
		{http.MethodPost, "/v2/sequences/" + s.ID + "/leads", `{"people":[]}`, "people", "TOO_FEW_ITEMS"},
	} {
		e := f.call(tt.method, tt.path, tt.body, f.bearer()).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED").envelope(t).Error
		found := false
		for _, p := range e.Errors {
			found = found || p.Field == tt.field && p.Code == tt.code && p.Message != ""
		}
		if !found {
			t.Errorf("%.80s: %+v, want %s %s", tt.body, e.Errors, tt.field, tt.code)
		}
	}
	// One answer has the problems of both the schema and the rules, each field once.
	all := f.call(http.MethodPatch, activity,
		`{"decision":"maybe","user_integration_id":0,"subject":"a\r\nb","to_email":"zz","scheduled_at":"soon"}`,
		f.bearer()).
		wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error
	if len(all.Errors) != 5 {
		t.Errorf("problems of a change: %+v", all.Errors)
	}
	tooLong := strings.Repeat("x", 501)
	all = f.call(http.MethodPost, lead+"/emails", `{"subject":"Hi","body":"x","variables":[
		{"name":"b","value":"`+tooLong+`"},{"name":"a","value":"`+tooLong+`"},{"name":"b","value":"x"}]}`, f.bearer()).
		wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error
	if got := fmt.Sprint(all.Errors); len(all.Errors) != 3 || !strings.Contains(got, "variables[0].value") ||
		!strings.Contains(got, "variables[1].value") ||
		!strings.Contains(got, "{variables[2].name REPEATED must be given once}") {
		t.Error("problems of the variables:", got)
	}
	huge := `{"decision":null,"body":"` + strings.Repeat("x", 300<<10) + `"}`
	f.call(http.MethodPatch, activity, huge, f.bearer()).wants(t, http.StatusRequestEntityTooLarge, "PAYLOAD_TOO_LARGE")
	f.call(http.MethodPost, "/v2/sequences", `{"name":"Q3"}`, f.bearer()).wants(t, http.StatusConflict,
		"SEQUENCE_EXISTS")
}

func TestOutreachWritesAreIdempotent(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	for i := range 2 {
		path := "/v2/sequences/" + s.ID + "/leads/" + leads[i].ID + "/emails"
		body, key := `{"subject":"Hi","body":"Hello"}`, "Idempotency-Key: k1"
		first := f.call(http.MethodPost, path, body, f.bearer(), key).wants(t, http.StatusOK, "")
		again := f.call(http.MethodPost, path, body, f.bearer(), key).wants(t, http.StatusOK, "")
		if string(first.body) != string(again.body) || !strings.Contains(string(first.body), leads[i].ID) {
			t.Errorf("first and repeated answer: %s\n%s", first.body, again.body)
		}
	}
	var list struct{ Activities []activityData }
	f.data(http.MethodGet, "/v2/sequences/activities", "", &list)
	if len(list.Activities) != 2 {
		t.Errorf("the lead has %d activities", len(list.Activities))
	}
}

func TestSentEmailsCannotBeDecidedOn(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	var drafted struct{ Activity activityData }
	f.data(http.MethodPost, "/v2/sequences/"+s.ID+"/leads/"+leads[0].ID+"/emails", `{"subject":"Hi","body":"Hello"}`,
		&drafted)
	pgtest.Exec(t, f.db, "update emails set status = 'sent', sent_at = $1", time.Now())
	path := "/v2/sequences/activities/" + drafted.Activity.ID
	for _, body := range []string{
		`{"decision":"rejected"}`, `{"decision":"pending"}`, `{"decision":null,"subject":"Re"}`,
	} {
		f.call(http.MethodPatch, path, body, f.bearer()).wants(t, http.StatusConflict, "ACTIVITY_ALREADY_SENT")
	}
	var note activityData
	if f.data(http.MethodPatch, path, `{"decision":null,"note":"well done"}`, &note); note.Note != "well done" {
		t.Errorf("activity with a note: %+v", note)
	}
}

// An e-mail can lose its address, and so can its person: one loaded without, or one whose record was replaced.
func TestEmailsWithoutAnAddressAreNotApproved(t *testing.T) {
	f, s, leads := outreachFixture(t)
	draft := func(lead leadData) (path string) {
		var drafted struct{ Activity activityData }
		f.data(http.MethodPost, "/v2/sequences/"+s.ID+"/leads/"+lead.ID+"/emails",
			`{"subject":"Hi","body":"Hello","to_email":"x@example.com"}`, &drafted)
		return "/v2/sequences/activities/" + drafted.Activity.ID
	}
	without, given, known := draft(leads[0]), draft(leads[0]), draft(leads[1])
	pgtest.Exec(t, f.db, "update emails set to_address = ''")
	bare := people()
	for i := range bare {
		if bare[i].Email = ""; bare[i].ID == leads[1].PersonID {
			bare[i].Email = "known@example.com"
		}
	}
	f.load(bare)
	for range 2 { // and it stays undecided
		e := f.call(http.MethodPatch, without, `{"decision":"approved"}`, f.bearer()).wants(t, http.StatusConflict,
			"APPROVAL_WITHOUT_ADDRESS").envelope(t).Error
		if !strings.Contains(e.Detail, "to_email") {
			t.Errorf("the refusal does not say what to do: %s", e.Detail)
		}
	}
	var decided activityData
	f.data(http.MethodPatch, without, `{"decision":"rejected"}`, &decided)
	f.data(http.MethodPatch, given, `{"decision":"approved","to_email":"given@example.com"}`, &decided)
	f.data(http.MethodPatch, known, `{"decision":"approved"}`, &decided)
	var list struct{ Activities []activityData }
	f.data(http.MethodGet, "/v2/sequences/activities", "", &list)
	var got []string
	for _, a := range list.Activities {
		got = append(got, a.Email.Status+" "+a.Email.To)
	}
	expect.Values(t, "e-mails", []any{strings.Join(got, ", ")},
		"canceled , scheduled given@example.com, scheduled known@example.com")
}
