package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/index/load"
)

// Ids that are given out stay within what may be given, whatever lines give.
func TestLargestID(t *testing.T) {
	s := newStore()
	stats, _ := loadText(t, s, load.People, lines(at("Ann", `,"id":9007199254740991`), at("Bob", "")))
	again, _ := loadText(t, s, load.People, lines(at("Cid", ""), worksAt("Dan", `{"id":9007199254740991,"name":"Acme"}`), worksAt("Eve", `{"name":"Globex"}`)))
	if stats.Rejected+again.Rejected > 0 {
		t.Fatalf("%+v %+v", stats, again)
	}
	for _, name := range []string{"Bob", "Cid", "Eve"} {
		p := s.personNamed(t, name)
		if p.ID >= 1<<52 || p.WorkRelevant != nil && p.WorkRelevant.Company.ID >= 1<<52 {
			t.Errorf("%s has the id %d, and works at %+v", name, p.ID, p.WorkRelevant)
		}
	}
}

const good, bad = `{"full_name":"Ann","social_url":"https://social.example/in/ann"}`, `{"full_name":"Bob"}`

// fill writes a load file and returns its path.
func fill(t *testing.T, path, text string) string {
	t.Helper()
	check(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestRejectFileOfBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "people.ndjson")
	rejects := path + ".rejects.ndjson"
	s := newStore()
	for _, step := range []struct {
		text string
		is   bool
	}{{bad, true}, {good, false}, {good, false}, {bad, true}} {
		_, err := load.NewLoader(s).File(t.Context(), fill(t, path, step.text+"\n"), load.Options{})
		check(t, err)
		if _, err := os.Stat(rejects); os.IsNotExist(err) == step.is {
			t.Fatalf("after %s a reject file: %v", step.text, err)
		}
	}
	if !load.IsRejects(rejects) || load.IsRejects(path) {
		t.Error("a reject file is not told by its name")
	}
}

// What is named as the reject file and is not called one is never removed.
func TestRejectFileIsAnother(t *testing.T) {
	dir := t.TempDir()
	path, notes := fill(t, filepath.Join(dir, "people.ndjson"), good+"\n"), fill(t, filepath.Join(dir, "notes"), "mine")
	_, err := load.NewLoader(newStore()).File(t.Context(), path, load.Options{Rejects: notes})
	check(t, err)
	if text, err := os.ReadFile(notes); err != nil || string(text) != "mine" {
		t.Errorf("%q %v", text, err)
	}
}

// Where lines could not be rejected, nothing is loaded.
func TestRejectsCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	path := fill(t, filepath.Join(dir, "people.ndjson"), good+"\n")
	for _, to := range []string{filepath.Join(dir, "no", "such"), path} {
		s := newStore()
		_, err := load.NewLoader(s).File(t.Context(), path, load.Options{Rejects: to})
		if err == nil || !strings.Contains(err.Error(), "--rejects") || len(s.state.people) > 0 {
			t.Errorf("%s: %v, %d people", to, err, len(s.state.people))
		}
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != good+"\n" {
		t.Errorf("the file to load became %q: %v", text, err)
	}
}

func TestRejectsInADirectory(t *testing.T) {
	path := fill(t, filepath.Join(t.TempDir(), "people.ndjson"), bad+"\n")
	dir := t.TempDir()
	stats, err := load.NewLoader(newStore()).File(t.Context(), path, load.Options{Rejects: dir})
	check(t, err)
	if want := filepath.Join(dir, "people.ndjson.rejects.ndjson"); stats.Rejects != want || len(readRejects(t, want)) != 1 {
		t.Errorf("the rejected line is in %s", stats.Rejects)
	}
}

func TestCutShort(t *testing.T) {
	path := fill(t, filepath.Join(t.TempDir(), "people.ndjson.gz"), "")
	for _, err := range []error{load.Check(path, 0), func() error {
		_, err := load.NewLoader(newStore()).File(t.Context(), path, load.Options{})
		return err
	}()} {
		if err == nil || !strings.Contains(err.Error(), "cut short") || strings.Count(err.Error(), path) != 1 {
			t.Errorf("an empty packed file: %v", err)
		}
	}
}
