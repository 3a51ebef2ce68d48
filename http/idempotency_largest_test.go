package http_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kith/internal/test/expect"
)

// lines formats n texts with the numbers from 1.
func lines(n int, format string) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(format, i+1)
	}
	return all
}

func numbered(n int, format string) string { return strings.Join(lines(n, format), ",") }

// Each operation with an idempotency key repeats its largest answer byte for byte.
func TestLargestAnswersAreRepeated(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	storeLines(t, f.db, lines(1000, `{"id":%[1]d,"full_name":"Person %[1]d",`+
		`"social_url":"https://social.example/in/person-%[1]d","email":"p%[1]d@example.com"}`)...)
	var s sequenceData
	f.data(http.MethodPost, sequencesPath, `{"name":"Q1"}`, &s)
	sequence := sequencesPath + "/" + s.ID
	var added struct {
		Results []struct {
			LeadID string `json:"lead_id"`
		}
	}
	f.data(http.MethodPost, sequence+"/leads", `{"people":[1]}`, &added)
	lead := sequence + "/leads/" + added.Results[0].LeadID
	var drafted struct{ Activity activityData }
	f.data(http.MethodPost, lead+"/emails", `{"subject":"Hi","body":"Hello","to_email":"p1@example.com"}`, &drafted)

	var l struct{ ID string }
	f.data(http.MethodPost, "/v2/lists", `{"name":"L"}`, &l)
	everyone := `"search":{"filters":{"country":"Germany, Norway"},"scope":"global"}`
	var kept struct{ ID string }
	f.data(http.MethodPost, "/v2/searches", `{"name":"S",`+everyone+`}`, &kept)

	text := strings.Repeat("<", 10_000)
	template := `{"name":"n","use_case":"u","used_for":"f","subject":"s",` +
		`"email_body":"` + strings.Repeat("x", 4_000) + `"}`
	templates := "[" + template + strings.Repeat(","+template, 49) + "]"
	far := strings.Repeat("x", 380)
	tried := map[string]bool{}
	for i, tt := range []struct{ method, path, body string }{
		{http.MethodPost, relationshipsPath, `{"people":[` + numbered(1000, `"https://social.example/in/person-%d"`) +
			`]}`},
		{http.MethodPost, relationshipsPath, `{"people":[` + numbered(1000, `"https://social.example/in/`+far+`-%d"`) +
			`]}`},
		{http.MethodPost, sequence + "/leads", `{"people":[` + numbered(1000, `"person-%d"`) + `]}`},
		{http.MethodPost, sequencesPath, `{"name":"Q2","description":"` + text + `","ai_email_templates":` + templates +
			`}`},
		{http.MethodPatch, sequence, `{"ai_instructions":"` + text + `","ai_email_templates":` + templates + `}`},
		{http.MethodPut, lead, `{"status":"active","selected_introducers":[` +
			numbered(20, `{"social_identifier":"`+far[:190]+`%d","name":"n","rank":1,"is_direct":true}`) + `]}`},
		{
			http.MethodPost, lead + "/emails",
			`{"subject":"` + text[:500] + `","body":"` + text + `","to_email":"p1@example.com"}`,
		},
		{
			http.MethodPatch, sequencesPath + "/activities/" + drafted.Activity.ID,
			`{"decision":"rejected","note":"` + text[:1000] + `"}`,
		},
		{
			http.MethodPost, "/v2/people/refresh",
			`{"realtime":true,"social_urls":[` + numbered(100, `"https://social.example/in/fresh-%d"`) + `]}`,
		},
		{
			http.MethodPost, integrationsPath,
			`{"host":"smtp.example.com","from_email":"jane@example.com","from_name":"` + text[:100] + `"}`,
		},
		{http.MethodPost, suppressionsPath, `{"address":"` + strings.Repeat("x", 64) + "@" +
			strings.Repeat(strings.Repeat("y", 60)+".", 3) + `exampl"}`},
		{http.MethodPatch, "/v2/user/me", `{"sharing":"team"}`},
		{http.MethodPost, "/v2/lists", `{"name":"` + text[:200] + `"}`},
		{http.MethodPatch, "/v2/lists/" + l.ID, `{"name":"` + text[:200] + `"}`},
		{
			http.MethodPost, "/v2/lists/" + l.ID + "/people",
			`{"people":[` + numbered(1000, `"https://social.example/in/`+far+`-%d"`) + `]}`,
		},
		{http.MethodPost, "/v2/lists/" + l.ID + "/people", `{"people":[` + numbered(1000, "%d") + `]}`},
		{http.MethodDelete, "/v2/lists/" + l.ID + "/people", `{"people":[` + numbered(1000, "%d") + `]}`},
		{http.MethodPost, "/v2/searches", `{"name":"` + text[:200] + `","search":{"prompt":"` + text[:1000] + `"}}`},
		{http.MethodPost, "/v2/searches/" + kept.ID + "/seen", `{"people":[` + numbered(1000, "%d") + `]}`},
	} {
		tried[describedAs(t, tt.method, tt.path)] = true
		key := fmt.Sprintf("Idempotency-Key: %d", i)
		first := f.call(tt.method, tt.path, tt.body, f.bearer(), key).wants(t, http.StatusOK, "")
		again := f.call(tt.method, tt.path, tt.body, f.bearer(), key).wants(t, http.StatusOK, "")
		if string(again.body) != string(first.body) || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("%s %s: %d bytes first, %d bytes repeated", tt.method, tt.path, len(first.body), len(again.body))
		}
	}
	// These operations do not keep their answer, or it always has the same length.
	alike := []string{
		"POST /v2/auth/tokens", "POST /v2/auth/tokens/revoke", "POST /v2/user/tokens", "POST /v2/imports",
		"POST /v2/user/webhooks", "POST /v2/admin/apps", "POST /v2/admin/apps/{id}/keys",
		"POST /v2/admin/apps/{id}/login-links", "PATCH /v2/admin/apps/{id}/users", "POST /v2/people/duplicates",
	}
	for op := range keyed(t) {
		if !tried[op] && !slices.Contains(alike, op) {
			t.Errorf("%s takes an idempotency key, but this test lacks its largest answer", op)
		}
	}
}

// keyed returns the operations that take an idempotency key.
func keyed(t *testing.T) map[string]bool {
	t.Helper()
	doc, err := document()
	expect.NoError(t, err)
	out := map[string]bool{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if op.Parameters.GetByInAndName("header", "Idempotency-Key") != nil {
				out[method+" "+path] = true
			}
		}
	}
	return out
}

// describedAs returns the operation that a request calls.
func describedAs(t *testing.T, method, path string) string {
	t.Helper()
	for op := range keyed(t) {
		m, pattern, _ := strings.Cut(op, " ")
		if m == method && matches(pattern, path) && (pattern == path || strings.Contains(pattern, "{")) {
			return op
		}
	}
	t.Fatalf("%s %s takes no idempotency key", method, path)
	return ""
}
