package http_test

import (
	"strings"
	"testing"
	"time"
)

// Answers have full dates with their precision. They leave unknown years out.
func TestPartialDatesAreCompleted(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := newFixture(t, refreshes(t, p.source(t), time.Minute))
	storeLines(t, f.db, `{"id":1,"full_name":"Jane Doe","social_url":"https://social.example/in/jane-doe",
		"work_relevant":{"title":"CTO","company":{"id":7,"name":"Initech"},"start_date":"2021-03"},
		"work_history":[{"title":"Engineer","company":{"id":8,"name":"Umbrella"},"start_date":"2015",
		"end_date":"2019-04-05"}],
		"education_history":[{"institute":"TU","start_date":"2010"}]}`)
	const url = `"https://social.example/in/jane-doe"`
	for path, body := range map[string]string{
		"/v2/people/enrich":  `{"social_url":` + url + `}`,
		"/v2/people/refresh": `{"social_urls":` + url + `,"realtime":true}`,
	} {
		text := string(f.post(path, body).wants(t, 200, "").body)
		for _, want := range []string{
			`"start_date":"2021-03-01"`, `"start_date_precision":"month"`, `"start_date":"2015-01-01"`,
			`"start_date_precision":"year"`,
			`"end_date":"2019-04-05"`, `"end_date_precision":"day"`,
		} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in %s", path, want, text)
			}
		}
		if strings.Contains(text, "founded_year") {
			t.Errorf("%s: an unknown year is present: %s", path, text)
		}
	}
}
