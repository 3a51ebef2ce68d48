package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"kith/internal/record"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// rows reads all rows that name a person, by table, as text. It leaves out columns that a restore renews.
func (f *fixture) rows() map[string]string {
	f.t.Helper()
	out := map[string]string{}
	for _, table := range []string{
		"people", "relationships", "contacts", "known_addresses", "leads", "emails",
		"activities", "outreach_history", "suppressions", "suppressed", "tenures", "studies", "sequences",
		"person_blocks",
	} {
		var text string
		err := f.db.Pool().QueryRow(f.t.Context(),
			"select coalesce(jsonb_agg(to_jsonb(t) - 'version' order by to_jsonb(t)::text)::text, '') from "+table+" "+
				"t").
			Scan(&text)
		expect.NoError(f.t, err)
		out[table] = text
	}
	return out
}

// An erasure hides the person at once. Its cancellation restores every row, also of a person with a name only.
func TestErasureCanBeCancelled(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	const jane = `{"social_url":"https://social.example/in/jane-doe"}`
	f.post("/v2/user/relationships", `{"people":["https://social.example/in/jane-doe"]}`).wants(t, 200, "")
	f.approached(t)
	f.contacted(t)
	pgtest.Load(t, f.db, record.People, `{"id":4711,"full_name":"Nemo"}`)
	before := f.rows()
	got := f.forget("https://social.example/in/jane-doe", "not-yet@example.com", "4711")
	if left := f.mentions("jane"); len(left) > 0 {
		t.Errorf("she is still in %v", left)
	}
	f.post("/v2/people/enrich", jane).wants(t, 451, "PERSON_SUPPRESSED")
	final, err := time.Parse(time.RFC3339, fmt.Sprint(got[0]["final_at"]))
	if days := time.Until(final).Hours() / 24; err != nil || days < 6.9 || days > 7.1 {
		t.Errorf("final at %v, %v", got[0]["final_at"], err)
	}
	for _, g := range got {
		path := fmt.Sprintf("/v2/privacy/forget/%v", g["erasure_id"])
		f.call(http.MethodDelete, path, "", f.eraser()).wants(t, http.StatusOK, "")
		f.call(http.MethodDelete, path, "", f.eraser()).wants(t, http.StatusConflict, "ERASURE_FINAL")
	}
	for table, rows := range f.rows() {
		if rows != before[table] {
			t.Errorf("%s:\nbefore %s\nafter  %s", table, before[table], rows)
		}
	}
	f.post("/v2/people/enrich", jane).wants(t, 200, "")
	var events, queued int
	if err := f.db.Pool().QueryRow(t.Context(),
		"select (select count(*) from outbox where fresh), (select count(*) from deleted)").Scan(&queued,
		&events); err != nil || queued != 2 || events != 0 {
		t.Errorf("%d rows queued for the index, %d rows in deleted, %v", queued, events, err)
	}
}

// A final erasure cannot be canceled, and the profile stays suppressed.
func TestFinalErasuresCannotBeCancelled(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	got := f.forget("https://social.example/in/jane-doe")
	svc := privacy.New(f.db.Privacy(newSealer(t))).At(func() time.Time {
		return time.Now().Add(privacy.Grace +
			time.Minute)
	})
	if n, err := svc.Finish(context.WithoutCancel(t.Context())); n != 1 || err != nil {
		t.Errorf("%d erasures became final, %v", n, err)
	}
	f.call(http.MethodDelete, fmt.Sprintf("/v2/privacy/forget/%v", got[0]["erasure_id"]), "", f.eraser()).wants(t,
		http.StatusConflict, "ERASURE_FINAL")
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/jane-doe"}`).wants(t, 451,
		"PERSON_SUPPRESSED")
}

// Erasing people for all apps needs a scope and has a limit. Only the app that asked may cancel.
func TestErasureForAllAppsNeedsItsScope(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	const jane = `{"identifiers":["https://social.example/in/jane-doe"]}`
	f.call(http.MethodPost, "/v2/privacy/forget", jane, "secret-key: "+f.key).wants(t, http.StatusForbidden,
		"INSUFFICIENT_SCOPE")
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/jane-doe"}`).wants(t, 200, "")

	got := f.forget("https://social.example/in/jane-doe")
	again := f.forget("https://social.example/in/jane-doe")
	path := fmt.Sprintf("/v2/privacy/forget/%v", got[0]["erasure_id"])
	f.call(http.MethodDelete, path, "", f.eraser()).wants(t, http.StatusConflict, "ERASURE_REPEATED")
	other := f.ofAnotherApp()
	f.call(http.MethodDelete, path, "", other.eraser()).wants(t, http.StatusNotFound, "ERASURE_NOT_FOUND")
	f.call(http.MethodDelete, fmt.Sprintf("/v2/privacy/forget/%v", again[0]["erasure_id"]), "", f.eraser()).wants(t,
		http.StatusOK, "")
	f.call(http.MethodDelete, path, "", f.eraser()).wants(t, http.StatusOK, "")

	many, err := json.Marshal(map[string]any{"identifiers": lines(99, "nobody-%d@example.com")})
	expect.NoError(t, err)
	f.call(http.MethodPost, "/v2/privacy/forget", string(many), f.eraser()).wants(t, http.StatusTooManyRequests,
		"ERASURE_LIMIT")
}

// ofAnotherApp returns the fixture with the credentials of another app.
func (f *fixture) ofAnotherApp() *fixture {
	f.t.Helper()
	other := *f
	other.privacyKey = ""
	var err error
	other.app, other.key, err = f.auth.CreateApp(f.t.Context(), "globex")
	expect.NoError(f.t, err)
	other.token = other.issue("u1")
	return &other
}

// An app erases only the data of its own users.
func TestErasureWithinAnAppSparesOtherApps(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	other := f.ofAnotherApp()
	const jane = `{"people":["https://social.example/in/jane-doe"]}`
	for _, one := range []*fixture{f, other} {
		one.post("/v2/user/relationships", jane).wants(t, 200, "")
		var s sequenceData
		one.data(http.MethodPost, sequencesPath, `{"name":"Q1"}`, &s)
		one.post(sequencesPath+"/"+s.ID+"/leads", jane).wants(t, 200, "")
	}
	pgtest.Exec(t, f.db, "delete from outbox") // no drainer runs here
	res := f.call(http.MethodPost, "/v2/privacy/app/forget", `{"identifiers":["jane@example.com"]}`,
		"secret-key: "+f.key).wants(t, 200, "")
	expect.Parts(t, "answer", string(res.body), `"forgotten"`, `"search_updated":true`)
	for one, want := range map[*fixture]int{f: 0, other: 1} {
		var list []struct{ Person struct{ Name string } }
		if one.data(http.MethodGet, "/v2/user/relationships", "", &list); len(list) != want {
			t.Errorf("%s has %d relationships, want %d", one.app.Name, len(list), want)
		}
		var n int
		if err := f.db.Pool().QueryRow(t.Context(),
			"select count(*) from leads l join users u on u.id = l.user_id where u.app_id = $1",
			one.app.ID).Scan(&n); err != nil || n != want {
			t.Errorf("%s has %d leads, want %d, %v", one.app.Name, n, want, err)
		}
		one.post("/v2/people/enrich", `{"social_url":"https://social.example/in/jane-doe"}`).wants(t, 200, "")
	}
}
