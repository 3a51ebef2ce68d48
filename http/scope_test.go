package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/record/privacy"
	"kith/internal/test/expect"
)

// allScopes marks operations for the session of a browser, or for a token with all its scopes.
const allScopes = "search relationships outreach:read outreach:write outreach:send enrich refresh"

// scopedOperations maps each operation to its scope. "" is an operation for any credential, "public" one without.
func scopedOperations() map[string]string {
	return map[string]string{
		"POST /v2/auth/tokens":                                    "tokens",
		"POST /v2/auth/tokens/revoke":                             "",
		"POST /v2/auth/sessions":                                  "public",
		"GET /v2/user/sessions":                                   allScopes,
		"DELETE /v2/user/sessions":                                allScopes,
		"DELETE /v2/user/sessions/{id}":                           allScopes,
		"GET /v2/user/tokens":                                     allScopes,
		"POST /v2/user/tokens":                                    allScopes,
		"DELETE /v2/user/tokens/{id}":                             allScopes,
		"GET /v2/people/{id}":                                     "search",
		"GET /v2/companies/{id}":                                  "search",
		"GET /v2/people/{id}/profile":                             "enrich",
		"GET /v2/audit":                                           "audit",
		"GET /v2/user/me":                                         "",
		"PATCH /v2/user/me":                                       "relationships",
		"GET /v2/user/export":                                     "relationships enrich outreach:read",
		"GET /v2/user/relationships":                              "relationships",
		"POST /v2/user/relationships":                             "relationships",
		"DELETE /v2/user/relationships/{id}":                      "relationships",
		"GET /v2/imports":                                         "relationships",
		"POST /v2/imports":                                        "relationships",
		"GET /v2/imports/{id}":                                    "relationships",
		"DELETE /v2/imports/{id}":                                 "relationships",
		"POST /v2/companies/paths":                                "relationships",
		"POST /v2/people/{id}/paths":                              "relationships",
		"POST /v2/people/{id}/introduction":                       "relationships",
		"GET /v2/suggest":                                         "search",
		"POST /v2/people/search":                                  "search",
		"GET /v2/lists":                                           "search",
		"POST /v2/lists":                                          "search",
		"GET /v2/lists/{id}":                                      "search",
		"PATCH /v2/lists/{id}":                                    "search",
		"DELETE /v2/lists/{id}":                                   "search",
		"GET /v2/lists/{id}/people":                               "search",
		"POST /v2/lists/{id}/people":                              "search",
		"DELETE /v2/lists/{id}/people":                            "search",
		"GET /v2/searches":                                        "search",
		"POST /v2/searches":                                       "search",
		"GET /v2/searches/{id}":                                   "search",
		"DELETE /v2/searches/{id}":                                "search",
		"GET /v2/searches/{id}/new":                               "search",
		"POST /v2/searches/{id}/seen":                             "search",
		"POST /v2/people/enrich":                                  "enrich",
		"POST /v2/people/enrich/bulk":                             "enrich",
		"POST /v2/people/refresh":                                 "refresh",
		"GET /v2/people/duplicates":                               "enrich",
		"POST /v2/people/duplicates":                              "relationships enrich",
		"GET /v2/people/duplicates/decided":                       "enrich",
		"GET /v2/jobs/{id}":                                       "refresh",
		"DELETE /v2/jobs/{id}":                                    "refresh",
		"POST /v2/privacy/forget":                                 "privacy",
		"DELETE /v2/privacy/forget/{id}":                          "privacy",
		"POST /v2/privacy/app/forget":                             "",
		"GET /v2/user/integrations":                               "outreach:read",
		"POST /v2/user/integrations":                              "outreach:send",
		"DELETE /v2/user/integrations/{id}":                       "outreach:send",
		"GET /v2/user/webhooks":                                   allScopes,
		"POST /v2/user/webhooks":                                  allScopes,
		"DELETE /v2/user/webhooks/{id}":                           allScopes,
		"POST /v2/user/webhooks/{id}/test":                        allScopes,
		"GET /v2/suppressions":                                    "outreach:read",
		"POST /v2/suppressions":                                   "outreach:write",
		"DELETE /v2/suppressions/{id}":                            "outreach:write",
		"GET /v2/sequences":                                       "outreach:read",
		"POST /v2/sequences":                                      "outreach:write",
		"GET /v2/sequences/{id}":                                  "outreach:read",
		"PATCH /v2/sequences/{id}":                                "outreach:write",
		"GET /v2/sequences/{sequence_id}/leads":                   "outreach:read",
		"POST /v2/sequences/{sequence_id}/leads":                  "outreach:write",
		"PUT /v2/sequences/{sequence_id}/leads/{lead_id}":         "outreach:write",
		"POST /v2/sequences/{sequence_id}/leads/{lead_id}/emails": "outreach:write",
		"GET /v2/sequences/{sequence_id}/leads/{lead_id}/history": "outreach:read",
		"GET /v2/sequences/{sequence_id}/emails":                  "outreach:read",
		"GET /v2/sequences/activities":                            "outreach:read",
		"PATCH /v2/sequences/activities/{activity_id}":            "outreach:write",
		"GET /v2/admin/apps":                                      "operator",
		"POST /v2/admin/apps":                                     "operator",
		"DELETE /v2/admin/apps/{id}":                              "operator",
		"GET /v2/admin/apps/{id}/keys":                            "operator",
		"POST /v2/admin/apps/{id}/keys":                           "operator",
		"DELETE /v2/admin/apps/{id}/keys/{key_id}":                "operator",
		"GET /v2/admin/apps/{id}/users":                           "operator",
		"PATCH /v2/admin/apps/{id}/users":                         "operator",
		"POST /v2/admin/apps/{id}/login-links":                    "operator",
		"GET /v2/admin/jobs":                                      "operator",
		"DELETE /v2/admin/jobs/{id}":                              "operator",
		"POST /v2/admin/jobs/{id}/retry":                          "operator",
		"GET /v2/admin/index":                                     "operator",
		"POST /v2/admin/index/rebuild":                            "operator",
		"POST /v2/admin/index/prune":                              "operator",
		"GET /v2/unsubscribe/{token}":                             "public",
		"POST /v2/unsubscribe/{token}":                            "public",
		"GET /v2/opened/{token}":                                  "public",
		"GET /v2/clicked/{token}":                                 "public",
		"POST /v2/feedback/{token}":                               "public",
	}
}

// furtherOperations are variants of operations by body or method, and endpoints outside the description, with the
// scope of each. Its fields are as in [scopedOperations].
func furtherOperations() []struct{ method, path, body, scope string } {
	return []struct{ method, path, body, scope string }{
		{"POST", "/v2/people/search", `{"filters":{"position":"engineer"},"stream":true}`, "search"},
		{"POST", "/v2/people/search", `{"filters":{"position":"engineer"},"scope":"global"}`, "search"},
		{"POST", "/v2/people/search", `{"prompt":"engineers","scope":"global"}`, "search"},
		{"POST", "/v2/people/search", `{"prompt":"engineers","scope":"global","debug":true}`, "search"},
		{
			"POST", "/v2/people/search",
			`{"filters":{},"scope":"specific_list","list":["https://social.example/in/person-1"]}`,
			"search",
		},
		{"POST", "/v2/people/search", `{"filters":{"position":"engineer"},"scope":"specific_list",` +
			`"specific_list_data":{"list":"x!vNnNM"}}`, "search"},
		{"HEAD", "/v2/lists", "", "search"},
		{"GET", "/v2/suggest?q=eng", "", "search"},
		{"GET", "/v2/user/relationships?limit=1", "", "relationships"},
		{"PATCH", "/v2/user/me", `{"share_relationships":true}`, "relationships"},
		{"POST", "/v2/sequences", `{"name":"Q","status":"active"}`, "outreach:write outreach:send"},
		{"PATCH", "/v2/sequences/x!vNnNM", `{"status":"active"}`, "outreach:write outreach:send"},
		{"POST", "/v2/sequences", `{"name":"Q"}`, "outreach:write"},
		{"PATCH", "/v2/sequences/activities/x!vNnNM", `{"decision":"approved"}`, "outreach:write outreach:send"},
		{"PATCH", "/v2/sequences/activities/x!vNnNM", `{"decision":"rejected"}`, "outreach:write"},
		{"GET", "/v2/sequences/activities?decision=null", "", "outreach:read"},
		{"GET", "/v2/audit?action=token.&limit=1", "", "audit"},
		{"HEAD", "/v2/user/relationships", "", "relationships"},
		{"HEAD", "/v2/sequences", "", "outreach:read"},
		{"HEAD", "/v2/audit", "", "audit"},
		{"GET", "/", "", ""},
		{"GET", "/import", "", ""},
		{"GET", "/paths", "", ""},
		{"GET", "/people", "", ""},
		{"GET", "/outreach", "", ""},
		{"GET", "/settings", "", ""},
		{"GET", "/sign-in", "", ""},
		{"GET", "/docs", "", ""},
		{"GET", "/openapi.json", "", ""},
		{"GET", "/healthz", "", ""},
		{"GET", "/readyz", "", ""},
	}
}

func TestVariantsOfOperationsNeedTheirScope(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	keys, tokens := f.credentials(false), f.credentials(true)
	for _, op := range furtherOperations() {
		scope, err := kith.ParseScopes(strings.Fields(op.scope))
		expect.NoError(t, err)
		credentials := tokens
		if op.scope == "audit" {
			credentials = keys
		}
		for _, c := range credentials {
			res := f.call(op.method, op.path, op.body, c.header)
			refused := res.StatusCode == http.StatusForbidden
			if allowed := c.scopes.Has(scope); allowed == refused || res.StatusCode == http.StatusUnauthorized {
				t.Errorf("%s %s %s with %s: %d %.200s", op.method, op.path, op.body, c.scopes, res.StatusCode, res.body)
			}
		}
	}
	if n := len(scopedOperations()) + len(furtherOperations()); n < 60 {
		t.Errorf("the test tried %d operations", n)
	}
}

// credential is a credential with its scopes.
type credential struct {
	scopes kith.Scopes
	header string
}

// credentials returns two credentials for each scope: one with only it, one with all others.
func (f *fixture) credentials(bearer bool) []credential {
	f.t.Helper()
	all := kith.AllScopes
	if bearer {
		all = kith.UserScopes
	}
	var out []credential
	for _, name := range all.Names() {
		scope, err := kith.ParseScopes([]string{name})
		expect.NoError(f.t, err)
		for _, scopes := range []kith.Scopes{scope, all &^ scope} {
			if bearer {
				issued, err := f.auth.IssueBy(f.t.Context(), auth.Key{App: f.app, Scopes: kith.AllScopes},
					auth.Identity{ExternalID: "u1", Email: "u1@example.com"}, scopes)
				expect.NoError(f.t, err)
				out = append(out, credential{scopes, "Authorization: Bearer " + issued.Token})
				continue
			}
			_, secret, err := f.auth.AddKey(f.t.Context(), kith.OperatorPrincipal(), f.app,
				auth.KeySpec{Name: fmt.Sprint("scopes ", int(scopes)), Scopes: scopes})
			expect.NoError(f.t, err)
			out = append(out, credential{scopes, "secret-key: " + secret})
		}
	}
	return out
}

// Each operation accepts exactly the credentials that have its scope.
func TestOperationsNeedTheirScope(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Privacy = privacy.New(f.db.Privacy(newSealer(t)))
	})
	keys, tokens := f.credentials(false), f.credentials(true)
	pairs := 0
	for op, name := range scopedOperations() {
		if name == "public" {
			continue
		}
		method, path, _ := strings.Cut(op, " ")
		scope, err := kith.ParseScopes(strings.Fields(name))
		expect.NoError(t, err)
		credentials := tokens
		if name == "tokens" || name == "audit" || name == "operator" || strings.HasPrefix(path, "/v2/privacy/") {
			credentials = keys
		}
		if op == "POST /v2/auth/tokens/revoke" {
			credentials = f.credentials(true) // an operation may use a credential up
		}
		for _, c := range credentials {
			pairs++
			body := ""
			if method != http.MethodGet && method != http.MethodDelete {
				body = "{}"
			}
			res := f.call(method, path, body, c.header)
			refused := res.StatusCode == http.StatusForbidden && strings.Contains(string(res.body),
				"INSUFFICIENT_SCOPE")
			if allowed := c.scopes.Has(scope); allowed == refused {
				t.Errorf("%s with %s: %d %.200s", op, c.scopes, res.StatusCode, res.body)
			}
			if res.StatusCode == http.StatusUnauthorized {
				t.Errorf("%s with %s: %s", op, c.scopes, res.body)
			}
		}
	}
	t.Logf("tested %d pairs of an operation and a credential", pairs)
}

// The table above, the routes and the description have the same operations and scopes.
func TestDescriptionHasTheScopesOfOperations(t *testing.T) {
	t.Parallel()
	doc, err := document()
	expect.NoError(t, err)
	described, table := map[string]string{}, scopedOperations()
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if !strings.HasPrefix(path, "/v2/") {
				continue
			}
			name, _ := op.Extensions["x-scope"].(string)
			if op.Security != nil && len(*op.Security) == 0 {
				name = "public"
			}
			described[method+" "+path] = name
		}
	}
	if !maps.Equal(described, table) {
		for _, op := range slices.Sorted(maps.Keys(described)) {
			if name, known := table[op]; !known || name != described[op] {
				t.Errorf("%s: scope %q in the description, %q in the table", op, described[op], name)
			}
		}
		t.Errorf("the description has %d operations, the table %d", len(described), len(table))
	}
}

// Every route that sends e-mail needs the scope outreach:send.
func TestSendingNeedsItsScope(t *testing.T) {
	t.Parallel()
	f, s, leads := outreachFixture(t)
	var drafted struct{ Activity activityData }
	f.data(http.MethodPost, "/v2/sequences/"+s.ID+"/leads/"+leads[0].ID+"/emails", `{"subject":"Hi","body":"Hello"}`,
		&drafted)
	writer, err := f.auth.IssueBy(t.Context(), auth.Key{App: f.app, Scopes: kith.AllScopes},
		auth.Identity{ExternalID: "u1", Email: "u1@example.com"},
		kith.ScopeOutreachRead|kith.ScopeOutreachWrite)
	expect.NoError(t, err)
	bearer := "Authorization: Bearer " + writer.Token
	activity := "/v2/sequences/activities/" + drafted.Activity.ID
	f.call(http.MethodPatch, activity, `{"decision":"approved"}`, bearer).wants(t, http.StatusForbidden,
		"INSUFFICIENT_SCOPE")
	edit := `{"decision":null,"subject":"Re","to_email":"other@example.com"}`
	f.call(http.MethodPatch, activity, edit, bearer).wants(t, http.StatusOK, "")
	f.call(http.MethodPatch, activity, `{"decision":"approved"}`, f.bearer()).wants(t, http.StatusOK, "")
	f.call(http.MethodPatch, activity, edit, f.bearer()).wants(t, http.StatusOK, "")
	for _, edit := range []string{
		`"to_email":"other@example.com"`, `"subject":"Hi"`, `"body":"Hello"`, `"from_email":"me@example.com"`,
		`"scheduled_at":"2090-01-01T10:00:00Z"`, `"user_integration_id":1`, `"reply_in_thread":true`,
	} {
		f.call(http.MethodPatch, activity, `{"decision":null,`+edit+`}`, bearer).wants(t, http.StatusForbidden,
			"INSUFFICIENT_SCOPE")
	}
	f.call(http.MethodPatch, activity, `{"decision":null,"note":"sent soon"}`, bearer).wants(t, http.StatusOK, "")
	f.call(http.MethodPatch, activity, `{"decision":"pending","subject":"Hi"}`, bearer).wants(t, http.StatusOK, "")
	f.call(http.MethodPatch, activity, `{"decision":"rejected"}`, bearer).wants(t, http.StatusOK, "")
	f.call(http.MethodPost, sequencesPath, `{"name":"Q4","status":"active"}`, bearer).wants(t, http.StatusForbidden,
		"INSUFFICIENT_SCOPE")
	f.call(http.MethodPost, sequencesPath, `{"name":"Q4"}`, bearer).wants(t, http.StatusOK, "")
	f.call(http.MethodPatch, "/v2/sequences/"+s.ID, `{"status":"active"}`, bearer).wants(t, http.StatusForbidden,
		"INSUFFICIENT_SCOPE")
}

// A token has the scopes of its key, or fewer.
func TestTokensHaveAtMostTheScopesOfTheirKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	_, secret, err := f.auth.AddKey(t.Context(), kith.OperatorPrincipal(), f.app,
		auth.KeySpec{Name: "searching", Scopes: kith.ScopeTokens | kith.ScopeSearch | kith.ScopeEnrich})
	expect.NoError(t, err)
	issue := func(body string) answer {
		return f.call(http.MethodPost, "/v2/auth/tokens", body, "secret-key: "+secret)
	}
	scopes := func(a answer) string {
		var d struct{ Scopes []string }
		expect.NoError(t, json.Unmarshal(a.wants(t, http.StatusOK, "").envelope(t).Data, &d))
		return strings.Join(d.Scopes, ",")
	}
	if got := scopes(issue(issueBody)); got != "search,enrich" {
		t.Errorf("a token with all scopes of the key has %s", got)
	}
	narrowed := strings.TrimSuffix(issueBody, "}") + `,"scopes":["%s"]}`
	if got := scopes(issue(fmt.Sprintf(narrowed, "search"))); got != "search" {
		t.Errorf("a narrowed token has %s", got)
	}
	issue(fmt.Sprintf(narrowed, "refresh")).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	issue(fmt.Sprintf(narrowed, "privacy")).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}

// A disabled user loses access within seconds, including open streams.
func TestDisablingAUserEndsTheirStream(t *testing.T) {
	t.Parallel()
	begun, proceed := make(chan struct{}), make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	f := failing(t, 2, func(ctx context.Context) error {
		begin()
		select {
		case <-proceed:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	go func() {
		<-begun
		err := f.auth.SetDisabled(context.WithoutCancel(t.Context()), kith.OperatorPrincipal(), f.app, "u1", true)
		if err != nil {
			t.Error(err)
			close(proceed)
		}
	}()
	res := f.search(`{"filters":{"position":"engineer, software engineer"},"stream":true,"scope":"global"}`)
	if text := string(res.body); !strings.Contains(text, "TOKEN_INVALID") ||
		!strings.HasSuffix(names(read(t, res.body)), "error done") {
		t.Errorf("end of the stream: %s", text)
	}
	f.meAs(f.token).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	f.issueOver(`{"external_user_id":"u1","email":"u1@example.com"}`).wants(t, http.StatusForbidden, "USER_DISABLED")
}
