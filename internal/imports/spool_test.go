package imports_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/imports"
	"kith/internal/test/expect"
)

// The reject file has each rejected record with its line. Without rejects, the file of an earlier import is
// deleted. Closing the spool deletes its folder.
func TestRejectsAreWrittenWithTheirLine(t *testing.T) {
	dir := t.TempDir()
	rejects, spool := filepath.Join(dir, "rejects.ndjson"), filepath.Join(dir, "spool")
	for _, tt := range []struct {
		csv  string
		want imports.Rejects
		line string
	}{
		{
			"Full Name,Email,Company\nJane Doe,jane@example.com,Acme\n,,Acme\n,,Other\n",
			imports.Rejects{N: 2, Reason: "it is a group or a company, not a person", Most: 2},
			`"line":3,`,
		},
		{"Full Name,Email,Company\nJane Doe,jane@example.com,Acme\n", imports.Rejects{}, ""},
	} {
		path := filepath.Join(dir, "people.csv")
		expect.NoError(t, os.WriteFile(path, []byte(tt.csv), 0o600))
		s, report, err := imports.Files{Paths: []string{path}}.Read(t.Context(), &imports.Preview{}, spool)
		if err != nil || report.People != 1 {
			t.Fatal(err, report)
		}
		got, err := s.WriteRejects(rejects)
		if err != nil || got != tt.want {
			t.Errorf("%+v, not %+v: %v", got, tt.want, err)
		}
		text, err := os.ReadFile(rejects)
		if tt.want.N == 0 && !os.IsNotExist(err) || !strings.Contains(string(text), tt.line) ||
			strings.Count(string(text), "\n") != int(tt.want.N) {
			t.Errorf("%v: %s", err, text)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(spool); !os.IsNotExist(err) {
			t.Errorf("the folder of the spool still exists: %v", err)
		}
	}
}
