package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

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
	n := 0
	err := f.db.Audit().Each(t.Context(), audit.Filter{Action: "people.enriched"},
		func(audit.Entry) error { n++; return nil })
	if _, broken := audit.Verify(t.Context(), f.db.Audit(), ""); n != readers || err != nil || broken != nil {
		t.Errorf("%d entries, %v, %v", n, err, broken)
	}
}
