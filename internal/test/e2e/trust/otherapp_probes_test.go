package trust_test

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/e2e"
)

// connections is the network of ann. Bob asks for these people only by what has no marker.
const connections = `First Name,Last Name,URL,Email Address,Company,Position,Connected On
Quilliandra,Zqxvara,https://social.example/in/quilliandra,quilliandra@zqxv.example,Zqxv Works,Zqxvist,12 Mar 2024
Quilla,Zqxvera,https://social.example/in/quilla,quilla@zqxv.example,Zqxv Works,Zqxvist,12 Mar 2024
`

// card is of a person who may be one of the connections.
const card = "BEGIN:VCARD\nVERSION:3.0\nFN:Quilliandra Zqxvara\nORG:Zqxv Works\nTITLE:Zqxvist\nEND:VCARD\n"

// plant makes two apps, and everything that a user can have for a user of the first.
func plant(t *testing.T, k e2e.Kith) *planted {
	t.Helper()
	p := &planted{t: t, ids: map[string]string{"app": "1", "key": "1"}}
	k.Run(t, "app", "create", "acme-"+marker)
	p.key = credential{"secret-key", strings.TrimSpace(k.Run(t, "app", "create", "globex"))}
	token := k.Token(t, "acme-"+marker, "ann-"+marker)
	p.ann, p.bob = credential{"Authorization", "Bearer " + token},
		credential{"Authorization", "Bearer " + k.Token(t, "globex", "bob")}
	fresh := filepath.Dir(k.File(t, "fresh/people.ndjson", ""))
	p.s = k.Serve(t, append(e2e.Unlimited(), "--allow-network", "127.0.0.0/8", "--source-dir", fresh)...)
	e2e.Eventually(t, "the server is ready", func() bool { return p.s.Get(t, "/readyz", "").Status == http.StatusOK })
	p.page = p.session(k.Run(t, "login-link", "--app", "acme-"+marker, "--user", "ann-"+marker, "--url", p.s.URL))
	for _, file := range []string{k.File(t, "zqxv.csv", connections), k.File(t, "zqxv.vcf", card)} {
		in, _ := p.s.EndImport(t, token, p.s.StartImport(t, token, file).ID)
		p.ids["import"] = in.ID
	}
	find := func(name string) string { return `{"filters":{"name":"` + name + `"},"scope":"global"}` }
	e2e.Eventually(t, "the people are found", func() bool {
		return len(p.s.Search(t, token, map[string]any{"filters": map[string]string{"name": "Zqxvera"}}).Data) > 0
	})
	for _, made := range []struct {
		operation, body, id string
		member              []string
	}{
		{"POST /v2/people/search", find("Quilliandra"), "person", []string{"id"}},
		{"POST /v2/people/search", find("Quilla"), "other", []string{"id"}},
		{"POST /v2/people/search", find("Quilla"), "company", []string{"work_relevant", "company", "id"}},
		{"PATCH /v2/user/me", `{"sharing":"community"}`, "", nil},
		{"POST /v2/lists", `{"name":"zqxv"}`, "list", []string{"id"}},
		{"POST /v2/lists/$list/people", `{"people":["$person"]}`, "", nil},
		{"POST /v2/searches", `{"name":"zqxv","search":` + find("Quilliandra") + `}`, "search", []string{"id"}},
		{"GET /v2/user/sessions", "", "session", []string{"id"}},
		{"POST /v2/user/tokens", `{"scopes":["search"]}`, "token", []string{"id"}},
		// Webhooks are numbered for each app. Bob's app has one, so the second is ann's alone.
		{"POST /v2/user/webhooks", `{"url":"http://127.0.0.1:9/zqxv"}`, "", nil},
		{"POST /v2/user/webhooks", `{"url":"http://127.0.0.1:9/zqxv/2"}`, "webhook", []string{"id"}},
		{"POST /v2/suppressions", `{"address":"zqxv@home.example"}`, "suppression", []string{"id"}},
		{
			"POST /v2/people/refresh", `{"social_urls":["https://social.example/in/quilla"],"realtime":false}`, "job",
			[]string{"job_ids"},
		},
		{
			"POST /v2/sequences", `{"name":"zqxv","ai_email_templates":[{"name":"zqxv","use_case":"sales",` +
				`"used_for":"first","subject":"zqxv","email_body":"zqxv"}]}`, "sequence", []string{"id"},
		},
		{"POST /v2/sequences/$sequence/leads", `{"people":[$person]}`, "lead", []string{"results", "lead_id"}},
		{
			"POST /v2/sequences/$sequence/leads/$lead/emails", `{"template_id":1,"note":"zqxv"}`, "email",
			[]string{"email", "id"},
		},
		{"GET /v2/sequences/activities", "", "activity", []string{"activities", "id"}},
	} {
		p.do(made.operation, made.body, made.id, made.member...)
	}
	return p
}

// probes are requests by operation.
func probes() map[string][]probe {
	const (
		ok, missing, forbidden = http.StatusOK, http.StatusNotFound, http.StatusForbidden
		quillon                = `"https://social.example/in/quilliandra"`
		sequence               = "/v2/sequences/$sequence"
	)
	search := func(body string) probe { return probe{body: body, status: ok, shows: true} }
	all := map[string][]probe{
		"GET /v2/user/me":                    {{status: ok, shows: true}},
		"GET /v2/user/export":                {{status: ok, shows: true}},
		"PATCH /v2/user/me":                  {{body: `{"sharing":"community"}`, status: ok}},
		"GET /v2/user/sessions":              {{status: ok, shows: true}},
		"DELETE /v2/user/sessions":           {{status: ok}},
		"DELETE /v2/user/sessions/{id}":      {{path: "/v2/user/sessions/$session", status: missing}},
		"GET /v2/user/tokens":                {{status: ok}},
		"POST /v2/user/tokens":               {{body: `{"scopes":["search"]}`, status: forbidden}}, // needs a session
		"DELETE /v2/user/tokens/{id}":        {{path: "/v2/user/tokens/$token", status: missing}},
		"GET /v2/user/webhooks":              {{status: ok, shows: true}},
		"POST /v2/user/webhooks":             {{body: `{"url":"http://127.0.0.1:9/"}`, status: ok}},
		"DELETE /v2/user/webhooks/{id}":      {{path: "/v2/user/webhooks/$webhook", status: missing}},
		"POST /v2/user/webhooks/{id}/test":   {{path: "/v2/user/webhooks/$webhook/test", status: missing}},
		"GET /v2/user/relationships":         {{status: ok, shows: true}},
		"DELETE /v2/user/relationships/{id}": {{path: "/v2/user/relationships/$person", status: missing}},
		"POST /v2/user/relationships":        {{body: `{"people":[` + quillon + `,"quilla"]}`, status: ok}},

		"GET /v2/imports":         {{status: ok, shows: true}},
		"POST /v2/imports":        {{body: `{}`, status: http.StatusUnsupportedMediaType}},
		"GET /v2/imports/{id}":    {{path: "/v2/imports/$import", status: missing, shows: true}},
		"DELETE /v2/imports/{id}": {{path: "/v2/imports/$import", status: missing}},

		"POST /v2/companies/paths":          {{body: `{"id":$company}`, status: missing, shows: true}},
		"GET /v2/companies/{id}":            {{path: "/v2/companies/$company", status: missing, shows: true}},
		"POST /v2/people/{id}/introduction": {{path: "/v2/people/$person/introduction", body: `{}`, status: missing}},
		"POST /v2/people/enrich":            {{body: `{"social_url":` + quillon + `}`, status: missing, shows: true}},
		"POST /v2/people/enrich/bulk":       {search(`{"identifiers":[{"social_url":` + quillon + `}]}`)},
		"GET /v2/people/duplicates":         {{status: ok}},
		"POST /v2/people/duplicates": {
			{body: `{"people":[$person,$other],"decision":"merge"}`, status: missing},
		},
		"GET /v2/people/duplicates/decided": {{status: ok}},
		"POST /v2/people/refresh":           {{body: `{"social_urls":[` + quillon + `],"realtime":false}`, status: ok}},
		"GET /v2/people/{id}":               {{path: "/v2/people/$person", status: missing, shows: true}},
		"GET /v2/people/{id}/profile":       {{path: "/v2/people/$person/profile", status: missing, shows: true}},
		"POST /v2/people/{id}/paths":        {{path: "/v2/people/$person/paths", status: missing, shows: true}},
		"GET /v2/jobs/{id}":                 {{path: "/v2/jobs/$job", status: missing}},
		"DELETE /v2/jobs/{id}":              {{path: "/v2/jobs/$job", status: missing}},
		"POST /v2/people/search": {
			search(`{"filters":{"name":"Quilliandra"},"include_counts":"all","facets":["company"],"explain":true}`),
			search(`{"filters":{"position":"-president"},"scope":"global","facets":["company"],"limit":100}`),
			search(`{"filters":{"name":"Quilliandra"},"scope":"network","explain":true}`),
			search(`{"filters":{"name":"Quilliandra"},"stream":true}`),
			search(`{"prompt":"Quilliandra","include_counts":"all"}`),
			search(`{"scope":"specific_list","specific_list_data":["quillon",` + quillon + `,"$other"]}`),
		},
		"GET /v2/suggest": {
			{path: "/v2/suggest?field=company&q=zqx", status: ok, shows: true},
			{path: "/v2/suggest?field=position&q=zqx", status: ok, shows: true},
			{path: "/v2/suggest?field=person&q=quill", status: ok, shows: true},
			{path: "/v2/suggest?field=prompt&q=people+at+zqx", status: ok, shows: true},
		},

		"GET /v2/lists":             {{status: ok, shows: true}},
		"POST /v2/lists":            {{body: `{"name":"bob's"}`, status: ok}},
		"GET /v2/lists/{id}":        {{path: "/v2/lists/$list", status: missing, shows: true}},
		"PATCH /v2/lists/{id}":      {{path: "/v2/lists/$list", body: `{"name":"x"}`, status: missing}},
		"DELETE /v2/lists/{id}":     {{path: "/v2/lists/$list", status: missing}},
		"GET /v2/lists/{id}/people": {{path: "/v2/lists/$list/people", status: missing, shows: true}},
		"POST /v2/lists/{id}/people": {
			{path: "/v2/lists/$list/people", body: `{"people":["$other"]}`, status: missing},
		},
		"DELETE /v2/lists/{id}/people": {
			{path: "/v2/lists/$list/people", body: `{"people":["$person"]}`, status: missing},
		},
		"GET /v2/searches":          {{status: ok, shows: true}},
		"POST /v2/searches":         {{body: `{"name":"bob's","search":{"prompt":"Quilliandra"}}`, status: ok}},
		"GET /v2/searches/{id}":     {{path: "/v2/searches/$search", status: missing, shows: true}},
		"DELETE /v2/searches/{id}":  {{path: "/v2/searches/$search", status: missing}},
		"GET /v2/searches/{id}/new": {{path: "/v2/searches/$search/new", status: missing}},
		"POST /v2/searches/{id}/seen": {
			{path: "/v2/searches/$search/seen", body: `{"people":[$person]}`, status: missing},
		},

		"GET /v2/user/integrations":             {{status: ok}},
		"POST /v2/user/integrations":            {{body: `{}`, status: http.StatusUnprocessableEntity}},
		"DELETE /v2/user/integrations/{id}":     {{path: "/v2/user/integrations/1", status: missing}},
		"GET /v2/suppressions":                  {{status: ok, shows: true}},
		"POST /v2/suppressions":                 {{body: `{"address":"x@home.example"}`, status: ok}},
		"DELETE /v2/suppressions/{id}":          {{path: "/v2/suppressions/$suppression", status: missing}},
		"GET /v2/sequences":                     {{status: ok, shows: true}},
		"POST /v2/sequences":                    {{body: `{"name":"bob's"}`, status: ok}},
		"GET /v2/sequences/{id}":                {{path: sequence, status: missing, shows: true}},
		"PATCH /v2/sequences/{id}":              {{path: sequence, body: `{"status":"paused"}`, status: missing}},
		"GET /v2/sequences/{sequence_id}/leads": {{path: sequence + "/leads", status: missing, shows: true}},
		"POST /v2/sequences/{sequence_id}/leads": {
			{path: sequence + "/leads", body: `{"people":[$other]}`, status: missing},
		},
		"PUT /v2/sequences/{sequence_id}/leads/{lead_id}": {
			{path: sequence + "/leads/$lead", body: `{"status":"finished","next_followup_at":null}`, status: missing},
		},
		"POST /v2/sequences/{sequence_id}/leads/{lead_id}/emails": {
			{path: sequence + "/leads/$lead/emails", body: `{"template_id":1}`, status: missing},
		},
		"GET /v2/sequences/{sequence_id}/leads/{lead_id}/history": {
			{path: sequence + "/leads/$lead/history", status: missing, shows: true},
		},
		"GET /v2/sequences/{sequence_id}/emails": {{path: sequence + "/emails", status: missing, shows: true}},
		"GET /v2/sequences/activities":           {{status: ok, shows: true}},
		"PATCH /v2/sequences/activities/{activity_id}": {
			{path: "/v2/sequences/activities/$activity", body: `{"decision":"rejected"}`, status: missing},
		},
		"POST /mcp": {search(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_people",` +
			`"arguments":{"filters":{"name":"Quilliandra"}}}}`)},

		"POST /v2/auth/tokens": {
			{body: `{"external_user_id":"bob","email":"bob@example.com"}`, status: ok, by: byKey},
		},
		"POST /v2/auth/tokens/revoke":    {{body: `{}`, status: http.StatusUnauthorized, by: byNobody}},
		"POST /v2/auth/sessions":         {{body: `{"link":"kl_x"}`, status: http.StatusUnauthorized, by: byNobody}},
		"GET /v2/audit":                  {{status: forbidden, by: byKey}},
		"POST /v2/privacy/forget":        {{body: `{"identifiers":[` + quillon + `]}`, status: forbidden, by: byKey}},
		"DELETE /v2/privacy/forget/{id}": {{path: "/v2/privacy/forget/1", status: forbidden, by: byKey}},
		"POST /v2/privacy/app/forget":    {{body: `{"identifiers":[` + quillon + `]}`, status: ok, by: byKey}},
	}
	for operation, path := range map[string]string{
		"POST /v2/feedback/{token}": "/v2/feedback/x", "GET /v2/opened/{token}": "/v2/opened/x",
		"GET /v2/clicked/{token}": "/v2/clicked/x", "GET /v2/unsubscribe/{token}": "/v2/unsubscribe/x",
		"POST /v2/unsubscribe/{token}": "/v2/unsubscribe/x", "GET /assets/{file}": "/assets/x", "GET /admin": "/admin",
	} {
		all[operation] = []probe{{path: path, status: missing, by: byNobody}}
	}
	for _, page := range []string{
		"/healthz", "/readyz", "/openapi.json", "/docs", "/paths", "/people", "/outreach", "/sign-in", "/settings",
		"/lists", "/import", "/",
	} {
		all["GET "+page] = []probe{{status: ok, by: byNobody}}
	}
	for operation, body := range map[string]string{
		"GET /v2/admin/apps": "", "POST /v2/admin/apps": `{"name":"x"}`, "DELETE /v2/admin/apps/{id}": "",
		"GET /v2/admin/apps/{id}/keys": "", "POST /v2/admin/apps/{id}/keys": `{"name":"ci"}`,
		"DELETE /v2/admin/apps/{id}/keys/{key_id}": "", "GET /v2/admin/apps/{id}/users": "",
		"PATCH /v2/admin/apps/{id}/users":      `{"external_user_id":"u1","disabled":true}`,
		"POST /v2/admin/apps/{id}/login-links": `{"external_user_id":"u1"}`, "GET /v2/admin/jobs": "",
		"DELETE /v2/admin/jobs/{id}": "", "POST /v2/admin/jobs/{id}/retry": "", "GET /v2/admin/index": "",
		"POST /v2/admin/index/rebuild": "", "POST /v2/admin/index/prune": "",
	} {
		_, path, _ := strings.Cut(operation, " ")
		path = strings.NewReplacer("{id}", "1", "{key_id}", "1").Replace(path)
		for _, by := range []sender{byUser, byKey} {
			all[operation] = append(all[operation], probe{path: path, body: body, status: forbidden, by: by})
		}
	}
	return all
}
