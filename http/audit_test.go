package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kith"
	"kith/internal/access/audit"
	"kith/internal/access/auth"
	"kith/internal/test/expect"
)

// Operators page through all events or those of one kind. Reads of people are recorded without a name.
func TestOperatorsReadTheAuditInPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	_, secret, err := f.auth.AddKey(
		t.Context(), kith.OperatorPrincipal(), f.app, auth.KeySpec{Name: "auditor", Scopes: kith.ScopeAudit},
	)
	expect.NoError(t, err)
	storePeople(t, f.db)
	f.call(http.MethodPost, "/v2/people/enrich", `{"social_url":"https://social.example/in/jane-doe"}`,
		"Authorization: Bearer "+f.token).wants(t, http.StatusOK, "")
	f.call(http.MethodPost, "/v2/people/enrich/bulk",
		`{"identifiers":[{"url":"https://social.example/in/jane-doe"},{"url":"https://social.example/in/jose-núñez"}]}`,
		"Authorization: Bearer "+f.token).wants(t, http.StatusOK, "")
	get := func(query string) (entries []audit.Entry, cursor string) {
		t.Helper()
		e := f.call(http.MethodGet, "/v2/audit?"+query, "", "secret-key: "+secret).wants(t, http.StatusOK, "")
		var body struct {
			Data       struct{ Entries []audit.Entry }
			Pagination struct{ Cursor string }
		}
		expect.NoError(t, json.Unmarshal(e.body, &body))
		return body.Data.Entries, body.Pagination.Cursor
	}
	var told []string
	for cursor := ""; ; {
		page, next := get("limit=2&cursor=" + cursor)
		for _, e := range page {
			told = append(told, e.Action)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if want := "app.created token.issued key.created people.enriched people.enriched"; strings.Join(told, " ") != want {
		t.Errorf("audit event kinds are %v", told)
	}
	read, _ := get("action=people.")
	if len(read) != 2 || read[0].Actor != "user u1" || !strings.HasPrefix(read[0].Subject, "person ") ||
		strings.Contains(fmt.Sprint(read), "social.example") ||
		!strings.Contains(string(read[1].Detail), strings.TrimPrefix(read[0].Subject, "person ")) {
		t.Errorf("read event: %+v", read)
	}
	if future, _ := get("since=2100-01-01T00:00:00Z"); len(future) != 0 {
		t.Errorf("events from the future: %+v", future)
	}
	for _, query := range []string{"since=yesterday", "action=", "order=desc", "limit=0"} {
		f.call(http.MethodGet, "/v2/audit?"+query, "", "secret-key: "+secret).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED")
	}
	f.call(http.MethodGet, "/v2/audit?cursor=x", "", "secret-key: "+secret).wants(t, http.StatusBadRequest,
		"CURSOR_INVALID")
}

// audited returns the audit entries of an action.
func (f *fixture) audited(action string) (entries []audit.Entry) {
	f.t.Helper()
	err := f.db.Audit().Each(f.t.Context(), audit.Filter{Action: action},
		func(e audit.Entry) error { entries = append(entries, e); return nil })
	expect.NoError(f.t, err)
	return entries
}

// Entries tell people apart, also those without a profile URL.
func TestReadsNamePeopleWithoutAProfile(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storeLines(t, f.db, `{"full_name":"Ann Mail","email":"ann@example.com","sources":["crm:1"]}`,
		`{"full_name":"Bob Mail","email":"bob@example.com","sources":["crm:2"]}`)
	subjects := map[string]bool{}
	for _, address := range []string{"ann@example.com", "bob@example.com", "ann@example.com"} {
		f.post("/v2/people/enrich", `{"social_url":"`+address+`"}`).wants(t, http.StatusOK, "")
	}
	for _, e := range f.audited("people.enriched") {
		subjects[e.Subject] = true
	}
	if len(subjects) != 2 || subjects["person "] {
		t.Errorf("two people have the names %v", subjects)
	}
}

// A person without profile and address has the same name in entries about reads and about the erasure.
func TestReadsNamePeopleWithoutIdentifiers(t *testing.T) {
	t.Parallel()
	f, _ := private(t)
	storeLines(t, f.db, `{"id":4711,"full_name":"Nemo"}`, `{"id":4712,"full_name":"Nemo Too"}`)
	for _, id := range []string{"4711", "4712"} {
		f.call(http.MethodGet, "/v2/people/"+id+"/profile", "", f.bearer()).wants(t, http.StatusOK, "")
	}
	f.forget("4711")
	read, erased := f.audited("people.enriched"), f.audited("person.erased")
	if len(read) != 2 || len(erased) != 1 || read[0].Subject == read[1].Subject ||
		read[0].Subject != erased[0].Subject || len(read[0].Subject) <= len("person ") {
		t.Errorf("reads are about %+v, the erasure about %+v", read, erased)
	}
}

// Lists of leads, changed leads, drafts and refreshed people show addresses.
func TestReadsOfAddressesAreAudited(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	f.call(http.MethodGet, "/v2/sequences/"+s.ID+"/leads?limit=2", "", f.bearer()).wants(t, http.StatusOK, "")
	lead := "/v2/sequences/" + s.ID + "/leads/" + leads[0].ID
	f.call(http.MethodPut, lead, `{"selected_introducers":[]}`, f.bearer(), "Idempotency-Key: one").
		wants(t, http.StatusOK, "")
	f.post(lead+"/emails", `{"subject":"Hi","body":"Hello"}`).wants(t, http.StatusOK, "")
	var read []string
	for _, e := range f.audited("addresses.read") {
		read = append(read, e.Subject+" "+string(e.Detail))
	}
	want := fmt.Sprintf(`leads {"count":%d}, leads {"count":2}, leads {"count":1}, emails {"count":1}`, len(leads))
	if got := strings.ReplaceAll(strings.Join(read, ", "), `": `, `":`); got != want {
		t.Errorf("entries about addresses: %s, want %s", got, want)
	}

	p := newProvider(t)
	f = newFixture(t, refreshes(t, p.source(t), time.Minute))
	f.refresh(f.token, `{"social_urls":"https://social.example/in/fine","realtime":true}`)
	job := f.refresh(f.token, `{"social_urls":"https://social.example/in/fine","realtime":false}`).JobIDs[0]
	f.ended(f.token, job)
	if all := f.audited("people.enriched"); len(all) < 2 || all[0].Subject != all[len(all)-1].Subject {
		t.Errorf("entries about two refreshes: %+v", all)
	}
}

// Concurrent reads each have an audit entry, and the hash chain stays intact.
func TestConcurrentReadsAreAudited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	storePeople(t, f.db)
	var all sync.WaitGroup
	const readers = 50
	for i := range readers {
		token := f.issue(fmt.Sprintf("reader-%d", i/5)) // one user gets only a part of the server
		all.Go(func() {
			res := f.call(http.MethodPost, "/v2/people/enrich", `{"social_url":"https://social.example/in/jane-doe"}`,
				"Authorization: Bearer "+token)
			if res.StatusCode != http.StatusOK {
				t.Errorf("read answered %d %s", res.StatusCode, res.body)
			}
		})
	}
	all.Wait()
	n := len(f.audited("people.enriched"))
	if _, broken := audit.Verify(t.Context(), f.db.Audit(), ""); n != readers || broken != nil {
		t.Errorf("%d entries, %v", n, broken)
	}
}
