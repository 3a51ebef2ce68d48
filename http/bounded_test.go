package http_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kith/http/strict"
)

// The server refuses a request quickly, with a bounded list of problems, however much of it is wrong.
func TestLargeBadRequestsGetShortRefusals(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	var s sequenceData
	f.data(http.MethodPost, "/v2/sequences", `{"name":"Q3"}`, &s)
	list := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ","+format, i)
		}
		return b.String()[1:]
	}
	template := func(text string) string {
		return `{"ai_email_templates":[{"subject":"Hi","email_body":"` + text + `"}]}`
	}
	for name, tt := range map[string]struct{ method, path, body string }{
		"unknown filters": {http.MethodPost, "/v2/people/search", `{"filters":{` + list(300_000, `"f%d":"x"`) + `}}`},
		"a filter": {
			http.MethodPost, "/v2/people/search", `{"filters":{"companySize":"` + strings.Repeat(",", 16<<20) + `"}}`,
		},
		"facets": {
			http.MethodPost, "/v2/people/search", `{"prompt":"x","facets":[` + list(390_000, `"f%d"`) + `]}`,
		},
		"relationships": {
			http.MethodPost, "/v2/people/search",
			`{"prompt":"x","network_filters":{"user_to_introducer_types":[` + list(390_000, `"t%d"`) + `]}}`,
		},
		"entries": {
			http.MethodPost, "/v2/people/search",
			`{"scope":"specific_list","specific_list_data":[` + list(390_000, `" %d\n"`) + `]}`,
		},
		"placeholders": {http.MethodPatch, "/v2/sequences/" + s.ID, template(strings.Repeat("{a}", 1_300_000))},
		"braces":       {http.MethodPatch, "/v2/sequences/" + s.ID, template(strings.Repeat("{a", 1_300_000))},
		"templates": {
			http.MethodPatch, "/v2/sequences/" + s.ID,
			`{"ai_email_templates":[` + list(100_000, `{"subject":"{%d{a"}`) + `]}`,
		},
		"braces in many templates": {
			http.MethodPatch, "/v2/sequences/" + s.ID,
			`{"ai_email_templates":[` + list(50, `{"name":"%d","subject":"x","email_body":"`+strings.Repeat("{a",
				5000)+`"}`) +
				`]}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := f.call(tt.method, tt.path, tt.body, f.bearer()).wants(t, http.StatusUnprocessableEntity,
				"VALIDATION_FAILED").envelope(t)
			if n := len(e.Error.Errors); n < 1 || n > strict.MaxProblems {
				t.Errorf("the answer lists %d problems", n)
			}
		})
	}
}
