package records_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// naming is an operation that takes a person; %s stands for the identifier.
type naming struct {
	// operation is as in openapi.yaml.
	operation, path, body string
	// before runs ahead of each call.
	before *naming
	// want is in the answer if the operation found the right person.
	want string
	// secret is true for an operation of the app.
	secret bool
}

// namings returns all operations that take the profile URL of a person. Jane is 101, and knows Kim.
func namings(list, sequence string) []naming {
	knows := naming{
		operation: "POST /v2/user/relationships", path: "/v2/user/relationships", body: `{"people":["%s"]}`,
		want: `"id":"101"`,
	}
	search := func(body, want string) naming {
		return naming{operation: "POST /v2/people/search", path: "/v2/people/search", body: body, want: want}
	}
	enrich, refresh := "/v2/people/enrich", "/v2/people/refresh"
	onList, leads := "/v2/lists/"+list+"/people", "/v2/sequences/"+sequence+"/leads"
	return []naming{
		knows,
		{operation: "POST /v2/people/{id}/paths", path: "/v2/people/%s/paths", want: `"full_name":"Jane Doe"`},
		{operation: "POST /v2/people/{id}/introduction", path: "/v2/people/%s/introduction", want: "KNOWN_DIRECTLY"},
		{operation: "GET /v2/people/{id}", path: "/v2/people/%s", want: `"full_name":"Jane Doe"`},
		{operation: "GET /v2/people/{id}/profile", path: "/v2/people/%s/profile", want: `"full_name":"Jane Doe"`},
		{
			operation: "POST /v2/people/enrich", path: enrich, body: `{"social_url":"%s"}`,
			want: `"full_name":"Jane Doe"`,
		},
		{
			operation: "POST /v2/people/enrich/bulk", path: enrich + "/bulk",
			body: `{"identifiers":[{"social_url":"%s"}]}`,
			want: `"full_name":"Jane Doe"`,
		},
		{
			operation: "POST /v2/people/enrich/bulk", path: enrich + "/bulk", body: `{"identifiers":[{"url":"%s"}]}`,
			want: `"full_name":"Jane Doe"`,
		},
		{
			operation: "POST /v2/people/refresh", path: refresh, body: `{"social_urls":["%s"],"realtime":false}`,
			want: "SOURCE_NOT_CONFIGURED",
		},
		search(`{"scope":"specific_list","specific_list_data":["%s"]}`, `"full_name":"Jane Doe"`),
		search(`{"scope":"specific_list","specific_list_data":{"people":[{"id":"%s","score":2}]}}`,
			`"full_name":"Jane Doe"`), search(`{"filters":{"like":"%s"},"closest":false}`, `"full_name":"Jana Doppel"`),
		search(`{"scope":"network","filters":{"name":"Kim Kay"},"network_filters":{"introducer_social_ids":["%s"]}}`,
			`"full_name":"Kim Kay"`),
		{operation: "POST /v2/lists/{id}/people", path: onList, body: `{"people":["%s"]}`, want: `"person_id":101`},
		{operation: "DELETE /v2/lists/{id}/people", path: onList, body: `{"people":["%s"]}`, want: `"person_id":101`},
		{
			operation: "POST /v2/sequences/{sequence_id}/leads", path: leads, body: `{"people":["%s"]}`,
			want: `"platform_person_id":101`,
		},
		{
			operation: "DELETE /v2/user/relationships/{id}", path: "/v2/user/relationships/%s", before: &knows,
			want: `"id":"101"`,
		},
		{
			operation: "POST /v2/privacy/app/forget", path: "/v2/privacy/app/forget", body: `{"identifiers":["%s"]}`,
			before: &knows, want: `"status":"forgotten"`, secret: true,
		},
	}
}

// named calls the operation with an identifier.
func (n naming) named(t *testing.T, s *e2e.Server, token, secret, who string) string {
	t.Helper()
	if n.before != nil {
		n.before.named(t, s, token, secret, who)
	}
	method, _, _ := strings.Cut(n.operation, " ")
	path, body := n.path, n.body
	if strings.Contains(path, "%s") {
		path = fmt.Sprintf(path, url.PathEscape(who))
	} else {
		body = fmt.Sprintf(body, who)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	expect.NoError(t, err)
	if n.secret {
		req.Header.Set("secret-key", secret)
	} else {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	a, err := e2e.Do(req)
	expect.NoError(t, err)
	return string(a.Body)
}

// Every operation that takes a profile URL also takes the person's id and addresses, including an address that
// only the user has.
func TestOperationsTakeEveryIdentifier(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	job := `"work_relevant":{"title":"Lighthouse Keeper","company":{"name":"Lights of %s"},"start_date":"2015-01"}}` +
		"\n"
	k.Run(t, "load", k.File(t, "people.ndjson", `{"id":101,"full_name":"Jane Doe",`+
		`"social_url":"https://social.example/in/jane-doe","email":"jane@work.example",`+
		`"emails":["jane@work.example","jane@home.example"],`+fmt.Sprintf(job, "Kiel")+
		`{"id":102,"full_name":"Kim Kay","social_url":"https://social.example/in/kim-kay",`+fmt.Sprintf(job, "Kiel")+
		`{"id":103,"full_name":"Jana Doppel","social_url":"https://social.example/in/jana",`+fmt.Sprintf(job, "Rome")))
	out := k.Run(t, "app", "create", "acme")
	secret := out[strings.Index(out, "sk_"):]
	secret = strings.Fields(secret)[0]
	k.Run(t, "import", "--yes", "--app", "acme", "--user", "me", k.File(t, "contacts.csv",
		"Full Name,Profile URL,Email\nJane Doe,https://social.example/in/jane-doe,jane@private.example\n"))
	token := k.Token(t, "acme", "me")
	s := k.Serve(t, e2e.Unlimited()...)
	list := keep(t, s, "/v2/lists", token, `{"name":"mine"}`)
	sequence := url.PathEscape(keep(t, s, "/v2/sequences", token, `{"name":"Q3"}`))
	for _, n := range namings(list, sequence) {
		for _, who := range []string{
			"https://social.example/in/jane-doe", "jane@work.example", "Jane@Home.example", "jane@private.example",
			"101",
		} {
			if who == "jane@private.example" && n.secret { // only the user knows the address
				continue
			}
			if got := n.named(t, s, token, secret, who); !strings.Contains(strings.ReplaceAll(got, " ", ""),
				strings.ReplaceAll(n.want, " ", "")) {
				t.Errorf("%s %s with %s: no %s in %s", n.operation, n.body, who, n.want, got)
			}
			// it deletes the user's data about Jane
			if n.operation == "DELETE /v2/user/relationships/{id}" || n.secret {
				k.Run(t, "import", "--yes", "--no-index", "--app", "acme", "--user", "me", filepath.Join(k.Dir,
					"contacts.csv"))
			}
		}
	}
}

// The table has every operation of the API description that takes a profile URL of a person.
func TestIdentifierTableIsComplete(t *testing.T) {
	text, err := os.ReadFile("../../../../http/openapi/openapi.yaml")
	expect.NoError(t, err)
	var api map[string]any
	expect.NoError(t, yaml.Unmarshal(text, &api))
	known := []string{
		"POST /v2/companies/paths", // the profile of a company
		"POST /v2/privacy/forget",  // TestErasedPeopleShowUpNowhere has it: an erasure works once
		"POST /v2/searches",        // saves a search of POST /v2/people/search
		"POST /v2/imports",         // the files of a user
	}
	for _, n := range namings("", "") {
		known = append(known, n.operation)
	}
	paths, _ := api["paths"].(map[string]any)
	found := 0
	for path, item := range paths {
		operations, _ := item.(map[string]any)
		for method, value := range operations {
			op, _ := value.(map[string]any)
			asked, _ := json.Marshal([]any{
				resolved(api, op["description"], 0), resolved(api, op["parameters"], 0),
				resolved(api, op["requestBody"], 0),
			})
			if name := strings.ToUpper(method) + " " + path; strings.Contains(strings.ToLower(string(asked)),
				"profile url") || strings.Contains(string(asked), `"social_url`) {
				if found++; !slices.Contains(known, name) {
					t.Errorf("%s takes a profile URL but is not in the table", name)
				}
			}
		}
	}
	if found < 10 {
		t.Errorf("the description has only %d operations with a profile URL", found)
	}
}

// resolved replaces the references in a part of the description.
func resolved(api map[string]any, part any, depth int) any {
	switch v := part.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok && depth < 12 {
			var at any = api
			for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
				m, _ := at.(map[string]any)
				at = m[name]
			}
			return resolved(api, at, depth+1)
		}
		out := map[string]any{}
		for name, inner := range v {
			out[name] = resolved(api, inner, depth+1)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = resolved(api, inner, depth+1)
		}
		return out
	}
	return part
}
