package search

import "testing"

func TestSocialURLIsReadFromTheRecord(t *testing.T) {
	for record, want := range map[string]string{
		`{"social_url":"https://example.com/in/a","full_name":"A"}`:                     "https://example.com/in/a",
		`{"id":1,"jobs":[{"social_url":"not this"}],"social_url":"https:\/\/x/\u0061"}`: "https://x/a",
		`{"social_url":null}`: "",
		`{"full_name":"A"}`:   "",
		`{}`:                  "",
	} {
		if got, err := socialURL([]byte(record)); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", record, got, err, want)
		}
	}
	for _, record := range []string{``, `{`, `{"a":1`, `{"social_url"`} {
		if got, err := socialURL([]byte(record)); err == nil {
			t.Errorf("%q: %q, want an error", record, got)
		}
	}
}
