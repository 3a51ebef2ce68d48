package layout_test

import (
	"testing"

	"kith/internal/imports/importer/layout"
)

// Every member in a format is one that mappings have.
func TestFormatsUseKnownMembers(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range layout.All() {
		if err := l.Check(); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
		if seen[l.Name] || l.Title == "" || l.Kind == "" || len(l.When) == 0 {
			t.Errorf("incomplete or duplicate format: %+v", l)
		}
		seen[l.Name] = true
	}
}

func TestKeysIgnoreSpelling(t *testing.T) {
	for in, want := range map[string]string{
		"First Name": "firstname", "firstName": "firstname", "first_name": "firstname",
		"E-mail 1 - Value": "email1value",
		"# Employees":      "employees", "inviterProfileUrl": "inviterprofileurl", "Assistant's Name": "assistantsname",
		"LinkedIn URL": "linkedinurl", "Vollständiger Name": "vollständigername", "  ": "",
	} {
		if got := layout.Key(in); got != want {
			t.Errorf("%q is %q, not %q", in, got, want)
		}
	}
}
