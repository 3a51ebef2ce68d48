package source_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kith/internal/imports/mapping"
	"kith/internal/record/source"
	"kith/internal/test/expect"
)

func TestAnswersAreMapped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapping.yaml")
	expect.NoError(t, os.WriteFile(path, []byte(`
root: data.0
as_of: meta.updated
key_header: X-Api-Key
person:
  full_name: name.full
  social_url: link
  location.city: where.town
  skills: tags
  work_relevant: now
  work_history: jobs
  education_history: schools
job: {title: role, company.name: org.name, company.location.city: org.town, start_date: from}
education: {institute: name}
`), 0o600))
	m, err := mapping.Read(path)
	expect.NoError(t, err)
	var key atomic.Value
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		key.Store(r.Header.Get("X-Api-Key"))
		fmt.Fprintf(w, `{"data":[{"name":{"full":"Jane Doe"},"link":%q,"where":{"town":"Oslo"},"tags":["go"],"now":null,
			"extra":1,
			"meta":{"updated":"2026-02-03T04:05:06+01:00"},"jobs":[{"role":"CTO","org":{"name":"Acme","town":"Bergen"},
			"from":"2020"},7],
			"schools":[{"name":"TU"}]}]}`, jane)
	})
	rec, err := s.provider(t, func(c *source.ProviderConfig) { c.Mapping = m }).Fetch(t.Context(), jane)
	expect.NoError(t, err)
	var got, want any
	wanted := `{"full_name":"Jane Doe","social_url":"` + jane + `","location":{"city":"Oslo"},"skills":["go"],
		"work_history":[{"title":"CTO","start_date":"2020","company":{"name":"Acme","location":{"city":"Bergen"}}}],
		"education_history":[{"institute":"TU"}]}`
	_, _ = json.Unmarshal(rec.Line, &got), json.Unmarshal([]byte(wanted), &want)
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %s", rec.Line)
	}
	if rec.AsOf.Format(time.RFC3339) != "2026-02-03T03:05:06Z" || key.Load() != "s3cret" {
		t.Errorf("the record is as of %s, the key %q", rec.AsOf, key.Load())
	}
}

func TestInvalidMappingsAreRefused(t *testing.T) {
	for text, wants := range map[string]string{
		"person: {headline: x}":                  "full_name",
		"person: {full_name: x, headlin: y}":     "headlin",
		"person: {full_name: x}\njob: {role: y}": "role",
		"persons: {}":                            "field persons is unknown; a mapping has root",
		"":                                       "the file is empty",
		"person: [1]":                            "cannot unmarshal",
		"person: {full_name: x}\neducation: {a: b}": "institute",
	} {
		path := filepath.Join(t.TempDir(), "m.yaml")
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := mapping.Read(path); err == nil || !strings.Contains(err.Error(), wants) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
