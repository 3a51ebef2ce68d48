package http_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// private starts a server that can erase people, with a source that knows every profile.
func private(t *testing.T) (*fixture, *provider) {
	t.Helper()
	p := newProvider(t)
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		refreshes(t, p.source(t), time.Minute)(f, cfg)
		cfg.Datasets[0].Privacy = privacy.New(f.db.Privacy(newSealer(t)))
	})
	storePeople(t, f.db)
	return f, p
}

// eraser returns the header with a key of the app that may erase people.
func (f *fixture) eraser() string {
	f.t.Helper()
	if f.privacyKey == "" {
		var err error
		if _, f.privacyKey, err = f.auth.AddKey(f.t.Context(), kith.OperatorPrincipal(), f.app,
			auth.KeySpec{Name: "privacy", Scopes: kith.ScopePrivacy}); err != nil {
			f.t.Error(err)
		}
	}
	return "secret-key: " + f.privacyKey
}

func (f *fixture) forget(identifiers ...string) []map[string]any {
	f.t.Helper()
	body, _ := json.Marshal(map[string]any{"identifiers": identifiers})
	// No drainer runs here: delete the rows queued for the index by hand.
	pgtest.Exec(f.t, f.db, "delete from outbox")
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				_, _ = f.db.Pool().Exec(f.t.Context(), "delete from outbox")
			case <-stop:
				return
			}
		}
	}()
	a := f.call(http.MethodPost, "/v2/privacy/forget", string(body), f.eraser())
	close(stop)
	<-done
	if a.StatusCode != http.StatusOK && a.StatusCode != http.StatusAccepted {
		f.t.Errorf("the erasure answered: %d %s", a.StatusCode, a.body)
		return nil
	}
	var data struct {
		Results       []map[string]any
		SearchUpdated bool `json:"search_updated"`
	}
	dec := json.NewDecoder(bytes.NewReader(a.envelope(f.t).Data))
	dec.UseNumber()
	if err := dec.Decode(&data); err != nil || !data.SearchUpdated {
		f.t.Errorf("the erasure did not update the search: %s, %v", a.body, err)
	}
	return data.Results
}

// mentions counts the rows of all tables that contain a text.
func (f *fixture) mentions(text string) map[string]int {
	f.t.Helper()
	rows, err := f.db.Pool().Query(f.t.Context(),
		"select table_name from information_schema.tables where table_schema = current_schema() and table_type = "+
			"'BASE "+
			"TABLE'")
	expect.NoError(f.t, err)
	var tables []string
	for rows.Next() {
		var name string
		expect.NoError(f.t, rows.Scan(&name))
		tables = append(tables, name)
	}
	out := map[string]int{}
	for _, name := range tables {
		var n int
		err := f.db.Pool().QueryRow(f.t.Context(),
			"select count(*) from "+name+" t where lower(t::text) like '%'||lower($1)||'%'", text).Scan(&n)
		expect.NoError(f.t, err)
		if n > 0 {
			out[name] = n
		}
	}
	return out
}

func TestErasureDeletesEverythingAboutAPerson(t *testing.T) {
	t.Parallel()
	f, p := private(t)
	const jane = `{"social_url":"https://social.example/in/jane-doe"}`
	f.post("/v2/user/relationships", `{"people":["https://social.example/in/jane-doe"]}`).wants(t, 200, "")
	f.call(http.MethodPost, "/v2/user/relationships", `{"people":["jane@example.com"]}`, f.bearer(),
		"Idempotency-Key: one").wants(t, 200, "")
	f.refresh(f.token, `{"social_urls":"https://social.example/in/jane-doe","realtime":true}`)
	bob := f.approached(t)
	for _, table := range []string{"emails", "activities", "leads", "suppressions"} {
		if f.mentions("jane")[table] == 0 {
			t.Fatalf("%s does not name her, so the erasure has nothing to delete", table)
		}
	}
	if got := f.forget("https://www.social.example/in/Jane-Doe"); got[0]["status"] != "forgotten" {
		t.Fatalf("erasure: %v", got)
	}
	for _, text := range []string{"jane-doe", "jane doe", "jane@example.com"} {
		if left := f.mentions(text); len(left) > 0 {
			t.Errorf("%q is still in %v", text, left)
		}
	}
	// Leads of others stay, without her.
	var lead leadData
	f.data(http.MethodPut, bob, `{}`, &lead)
	var emails struct{ Emails []struct{ Subject string } }
	f.data(http.MethodGet, bob[:strings.Index(bob, "/leads/")]+"/emails", "", &emails)
	expect.Len(t, "e-mails after the erasure", emails.Emails, 1)
	expect.Values(t, "lead and e-mail after the erasure",
		[]any{len(lead.Introducers), emails.Emails[0].Subject}, 0, "Bob, [forgotten] says hello")
	// No operation brings her back.
	f.post("/v2/people/enrich", jane).wants(t, 451, "PERSON_SUPPRESSED")
	asked := p.asked.Load()
	got := f.refresh(f.token, `{"social_urls":"https://social.example/in/jane-doe","realtime":true}`)
	expect.Len(t, "failures of a refresh of the erased person", got.Failures, 1)
	expect.Values(t, "refresh of the erased person", []any{got.Failures[0].Error, p.asked.Load()},
		"PERSON_SUPPRESSED", asked)
	stats := storeLines(t, f.db, `{"id":1,"full_name":"Jane Doe","social_url":"http://social.example/in/jane-doe/"}`,
		`{"full_name":"J. D.","social_url":"https://social.example/in/another","email":"Jane@example.com"}`,
		`{"full_name":"Someone Else","social_url":"https://social.example/in/else"}`)
	expect.Values(t, "load of the erased person",
		[]any{stats.Suppressed, stats.Created, stats.Rejected, stats.Rejects}, 2, 1, 0, "")
	a := f.post("/v2/people/enrich/bulk",
		`{"identifiers":[{"url":"social.example/in/jane-doe"},{"url":"social.example/in/else"}]}`).wants(t, 200, "")
	if !strings.Contains(string(a.body), "PERSON_SUPPRESSED") || !strings.Contains(string(a.body), "Someone Else") {
		t.Errorf("enrich of the erased person: %s", a.body)
	}
	a = f.post("/v2/user/relationships", `{"people":["https://social.example/in/jane-doe"]}`).wants(t, 200, "")
	if !strings.Contains(string(a.body), "PERSON_NOT_FOUND") {
		t.Errorf("relationship with the erased person: %s", a.body)
	}
	if strings.Contains(f.logs.String(), "jane") {
		t.Errorf("the log names her: %s", f.logs)
	}
}

// approached makes Jane Doe a lead who unsubscribed, with announced events, and returns the path of a lead that
// she introduces.
func (f *fixture) approached(t *testing.T) string {
	t.Helper()
	storeLines(t, f.db, `{"id":3,"full_name":"Bob Roe","first_name":"Bob","email":"bob@example.com",`+
		`"social_url":"https://social.example/in/bob-roe"}`)
	var s sequenceData
	f.data(http.MethodPost, "/v2/sequences", `{"name":"Q3","status":"active","ai_email_templates":[
		{"name":"Intro","use_case":"sales","used_for":"first","subject":"{first_name}, {introducer_name} says hello",
		"email_body":"{introducer_name}, {x}"}]}`, &s)
	f.call(http.MethodPost, "/v2/sequences/"+s.ID+"/leads", `{"people":[1,"3"]}`, f.bearer()).wants(t, 200, "")
	var leads []leadData
	f.data(http.MethodGet, "/v2/sequences/"+s.ID+"/leads", "", &leads)
	jane, bob := "/v2/sequences/"+s.ID+"/leads/"+leads[0].ID, "/v2/sequences/"+s.ID+"/leads/"+leads[1].ID
	f.call(http.MethodPut, bob, `{"selected_introducers":[
		{"name":"Jane Doe","social_identifier":"jane-doe","rank":1,"is_direct":true}]}`, f.bearer()).wants(t, 200, "")
	var drafted struct{ Activity activityData }
	f.data(http.MethodPost, bob+"/emails",
		`{"template_id":1,"variables":[{"name":"x","value":"JANE DOE at jane@example.com"}]}`, &drafted)
	f.call(http.MethodPatch, "/v2/sequences/activities/"+drafted.Activity.ID,
		`{"decision":"approved","note":"Jane Doe knows him"}`, f.bearer()).wants(t, 200, "")
	f.call(http.MethodPost, bob+"/emails", `{"subject":"Hi","body":"x","to_email":"Jane@example.com"}`,
		f.bearer()).wants(t, 200, "")
	f.call(http.MethodPost, jane+"/emails", `{"subject":"Hi","body":"Dear Jane Doe"}`, f.bearer()).wants(t, 200, "")
	var user, email int64
	if err := f.db.Pool().QueryRow(t.Context(), "select user_id, id from emails order by id desc limit 1").Scan(&user,
		&email); err != nil {
		t.Fatal(err)
	}
	link := kithhttp.EmailLinks(newSealer(t), "", user, email, "").Unsubscribe
	if page := f.call(http.MethodPost, link, "List-Unsubscribe=One-Click"); page.StatusCode != http.StatusOK {
		t.Fatalf("the unsubscription answered: %d %s", page.StatusCode, page.body)
	}
	return bob
}

func TestErasureSuppressesUnknownProfiles(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	got := f.forget("https://social.example/in/not-yet", "not-yet@example.com", "nobody-of-this-name", "4711")
	for i, want := range []string{"suppressed", "suppressed", "failed", "failed"} {
		if got[i]["status"] != want {
			t.Errorf("%v, want %s", got[i], want)
		}
	}
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/not-yet"}`).wants(t, 451, "PERSON_SUPPRESSED")
	f.call(http.MethodPost, "/v2/privacy/forget", `{"identifiers":["x"]}`, f.bearer()).wants(t, 401,
		"SECRET_KEY_MISSING")
	f.call(http.MethodPost, "/v2/privacy/forget", `{"identifiers":[]}`, f.eraser()).wants(t, 422, "VALIDATION_FAILED")
}

// A refresh that runs during the erasure stores nothing.
func TestRefreshDuringAnErasureStoresNothing(t *testing.T) {
	t.Parallel()
	f, p := private(t)
	id := f.refresh(f.token, `{"social_urls":"https://social.example/in/hanging","realtime":false}`).JobIDs[0]
	deadline := time.After(time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for p.asked.Load() == 0 {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("nobody asked the provider")
		}
	}
	f.forget("https://social.example/in/hanging")
	close(p.open)
	if j := f.ended(f.token, id); j.Status != "failed" || j.Error.Code != "PERSON_SUPPRESSED" {
		t.Errorf("job of the erased person: %+v", j)
	}
	got := f.refresh(f.token,
		`{"social_urls":["https://social.example/in/hanging","https://social.example/in/quick"],"realtime":true}`)
	if len(got.People) != 1 || len(got.Failures) != 1 {
		t.Errorf("refresh of the erased person: %+v", got)
	}
	if left := f.mentions("in/hanging"); len(left) > 0 {
		t.Errorf("the profile is still in %v", left)
	}
}

// The error of a failed refresh may contain personal data from the source.
func TestErasureDeletesErrorsOfRefreshes(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	id := f.refresh(f.token, `{"social_urls":"https://social.example/in/garbled","realtime":false}`).JobIDs[0]
	if j := f.ended(f.token, id); j.Status != "failed" || j.Error.Code != "RECORD_REFUSED" ||
		!strings.Contains(j.Error.Message, "zoe.zed at home") {
		t.Fatalf("job with a refused record: %+v", j)
	}
	f.forget("https://social.example/in/garbled")
	if left := f.mentions("zoe.zed"); len(left) > 0 {
		t.Errorf("the text is still in %v", left)
	}
	if j := f.ended(f.token, id); j.Status != "failed" || j.Error.Code != "PERSON_SUPPRESSED" {
		t.Errorf("job after the erasure: %+v", j)
	}
}

// An erasure also removes introducers without a record from leads, in every form of their identifier. People with
// the same name, or the same last URL segment on another site, stay.
func TestErasureRemovesIntroducersWithoutARecord(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	bob := f.approached(t)
	email := bob + "/emails"
	introduce := func(identifiers ...string) {
		t.Helper()
		var all []map[string]any
		for i, id := range identifiers {
			all = append(all, map[string]any{"name": "Zoë Zymurgist", "social_identifier": id, "rank": i + 1})
		}
		body, _ := json.Marshal(map[string]any{"selected_introducers": all})
		f.call(http.MethodPut, bob, string(body), f.bearer()).wants(t, 200, "")
	}
	left := func() (out []string) {
		t.Helper()
		var lead struct {
			Introducers []struct {
				SocialIdentifier string `json:"social_identifier"`
			} `json:"selected_introducers"`
		}
		f.data(http.MethodPut, bob, `{}`, &lead)
		for _, in := range lead.Introducers {
			out = append(out, in.SocialIdentifier)
		}
		return out
	}
	introduce("zoë-z", "@Zoë-Z", "https://www.social.example/in/Zo%C3%AB-Z/?utm=1", "social.example/in/zoë-z",
		"https://other.example/in/zoë-z", "zoe@example.com")
	f.call(http.MethodPost, email, `{"subject":"Hi","body":"Zoë Zymurgist says hello"}`, f.bearer()).wants(t, 200, "")
	d, err := privacy.New(f.db.Privacy(newSealer(t))).
		Export(t.Context(), "https://social.example/in/zoë-z", kith.OperatorPrincipal())
	if text := string(d.Sections["introducer_of"]); err != nil || strings.Count(text, "Zymurgist") != 4 ||
		!strings.Contains(string(d.Sections["emails_as_introducer"]), "Zymurgist") {
		t.Errorf("%v: %s", err, text)
	}
	if got := f.forget("https://social.example/in/zoë-z"); got[0]["status"] != "suppressed" {
		t.Fatalf("erasure of the introducer: %v", got)
	}
	if got := left(); len(got) != 2 || got[0] != "https://other.example/in/zoë-z" || got[1] != "zoe@example.com" {
		t.Errorf("%q remain", got)
	}
	if got := f.mentions("Zymurgist says"); len(got) != 0 {
		t.Errorf("the name is still in %v", got)
	}
	f.forget("Zoe@example.com", "https://other.example/in/zoë-z")
	if got := left(); len(got) != 0 {
		t.Errorf("%q remain", got)
	}
	if got := f.mentions("Zymurgist"); len(got) != 0 {
		t.Errorf("the name is still in %v", got)
	}
	// An identifier of a stored person means that person.
	introduce("bob-roe", "https://elsewhere.example/p/bob-roe")
	f.forget("https://elsewhere.example/p/bob-roe")
	if got := left(); len(got) != 1 || got[0] != "bob-roe" {
		t.Errorf("%q remain", got)
	}
}

// A full load of sequences and relationships skips erased people without an error.
func TestLoadsDoNotBringErasedPeopleBack(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	bob := f.approached(t)
	app := ""
	expect.NoError(t, f.db.Pool().QueryRow(t.Context(),
		"select a.name from apps a join users u on u.app_id = a.id where u.external_id = 'u1'").Scan(&app))
	f.forget("https://social.example/in/jane-doe", "https://social.example/in/zoe")
	const introducers = `[{"social_identifier":"Jane-Doe","name":"Jane Doe","rank":1,"is_direct":true},
		{"social_identifier":"https://social.example/in/zoe/","name":"Zoe Zed","rank":2,"is_direct":true},
		{"social_identifier":"else","name":"Else","rank":3,"is_direct":true}]`
	f.call(http.MethodPut, bob, `{"selected_introducers":`+introducers+`}`, f.bearer()).wants(t, 200, "")
	load := loader.New(f.db)
	load.Relations, load.Sequences = f.db.Network(), f.db.Outreach()
	for kind, lines := range map[record.Kind]string{
		record.Relationships: `{"app":"APP","external_user_id":"u1",` +
			`"identifier":"https://social.example/in/jane-doe","score":5}
			{"app":"APP","external_user_id":"u1","identifier":"jane@example.com","score":5}
			{"app":"APP","external_user_id":"u1","identifier":"jane-doe","score":5}`,
		record.Sequences: `{"app":"APP","external_user_id":"u1","name":"Q4",
			"leads":[{"social_url":"https://social.example/in/jane-doe"},
			{"social_url":"https://social.example/in/bob-roe","selected_introducers":` + introducers + `}]}`,
	} {
		if kind == record.Sequences {
			lines = strings.ReplaceAll(lines, "\n", " ")
		}
		stats, err := load.File(t.Context(), record.ForEveryone(), "-", loader.Options{
			Kind: kind, Stdin: strings.NewReader(strings.ReplaceAll(lines, "APP", app)),
			Rejects: filepath.Join(t.TempDir(), "rejects"),
		})
		if err != nil || stats.Rejected != 0 || (kind == record.Relationships) != (stats.Suppressed == 3) {
			t.Errorf("%s: %v, %v", kind, stats, err)
		}
	}
	for _, text := range []string{"jane", "zoe"} {
		if left := f.mentions(text); len(left) > 0 {
			t.Errorf("%q is again in %v", text, left)
		}
	}
	if n := f.mentions("Else")["leads"]; n != 2 {
		t.Errorf("%d leads have the introducer who was not erased, want 2", n)
	}
}

func TestDemoRefusesErasures(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.call(http.MethodPost, "/v2/privacy/forget", `{"identifiers":["x"]}`, f.eraser()).wants(t, 403, "DEMO_READ_ONLY")
}
