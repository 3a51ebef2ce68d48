package recordtest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/test/expect"
)

// Lines returns lines of a load file.
func Lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// Person returns a line about a person with a profile, and further members.
func Person(name, members string) string {
	return fmt.Sprintf(`{"full_name":%q,"social_url":"https://social.example/in/%s"%s}`, name, strings.ToLower(name),
		members)
}

// Employee returns a line about a person who works at a company.
func Employee(name, company string) string {
	return Person(name, `,"work_relevant":{"title":"CTO","company":`+company+`}`)
}

// PersonNamed returns the stored person with a name.
func (s *store) PersonNamed(t testing.TB, name string) kith.Person {
	t.Helper()
	for id := range s.State.PersonRows {
		people, _ := s.PeopleByID(t.Context(), []int64{id})
		if people[0].Person.FullName == name {
			return people[0].Person
		}
	}
	t.Fatalf("there is no person named %s", name)
	return kith.Person{}
}

// Load loads text into a store. It returns the stats and the path of the reject file.
func Load(t testing.TB, s *Store, kind record.Kind, text string) (loader.Stats, string) {
	t.Helper()
	rejects := filepath.Join(t.TempDir(), "rejects.ndjson")
	stats, err := loader.New(s).File(t.Context(), record.ForEveryone(), "-",
		loader.Options{Kind: kind, Rejects: rejects, Stdin: strings.NewReader(text)})
	expect.NoError(t, err)
	return stats, rejects
}
