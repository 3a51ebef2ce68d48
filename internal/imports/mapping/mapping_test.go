package mapping_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/imports/mapping"
	"kith/internal/test/expect"
)

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "map.yaml")
	expect.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func TestMembersTakeTheFirstValueAndListsAll(t *testing.T) {
	m, err := mapping.ReadForFiles(file(t, `
person:
  full_name: [title, name.full]
  emails: [work, "others.*.address"]
  skills: "tags.*"
  work_history: jobs
current: {title: role, company.name: "org.name"}
job: {title: role, company.name: at, roles: parts, start_date: "from"}
`))
	expect.NoError(t, err)
	var record map[string]any
	text := `{"title":" ","name":{"full":"Jane Doe"},"work":"a@example.com","others":[{"address":"b@example.com"},
		{"x":1},{"address":"c@example.com"}],
		"tags":["x","y"],"role":"CTO","org.name":"Acme","jobs":[{"at":"Acme","parts":[{"role":"CTO","from":"2020"},
		{"role":"Engineer"}]},{"at":"Example"},7]}`
	expect.NoError(t, json.Unmarshal([]byte(text), &record))
	got, err := json.Marshal(m.Of(record))
	expect.NoError(t, err)
	want := `{"emails":["a@example.com","b@example.com","c@example.com"],"full_name":"Jane Doe","skills":["x","y"],` +
		`"work_history":[{"company":{"name":"Acme"},"start_date":"2020","title":"CTO"},{"company":{"name":"Acme"},` +
		`"title":"Engineer"},{"company":{"name":"Example"}}],` +
		`"work_relevant":{"company":{"name":"Acme"},"title":"CTO"}}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestErrorsOfMappingsSayWhatIsValid(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "the file is empty",
		"persons: {}":                   "persons is unknown",
		"person: {full_nam: x}":         `person has no member "full_nam"; it has full_name`,
		"person: {headline: x}":         "person.full_name is missing",
		"person: {full_name: {a: b}}":   "a path is a text, or a list of texts",
		"contact: {when: x}":            `contact has no member "when"`,
		"person: {first_name: x}":       "",
		"company: {name: x, domain: y}": "",
	} {
		_, err := mapping.ReadForFiles(file(t, text))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if _, err := mapping.Read(file(t, "person: {full_name: x}\nrelationship: {since: y}")); err == nil ||
		!strings.Contains(err.Error(), "none here") {
		t.Errorf("the mapping of a provider has relationships, but the error is %v", err)
	}
}
