package loader_test

import (
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
)

// newest takes the fresh person unless it is older.
func newest(stored, fresh record.Dated) record.Dated {
	if fresh.AsOf.Before(stored.AsOf) {
		return stored
	}
	fresh.Person.ID = max(fresh.Person.ID, stored.Person.ID)
	return fresh
}

func fresh(line string) record.Fresh {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	return record.Fresh{Line: []byte(line), ProfileURL: "https://social.example/in/ann", AsOf: now, Refreshed: now}
}

func TestMergeStoresWithAnOutboxRow(t *testing.T) {
	s := recordtest.NewStore()
	m := loader.NewMerger(s)
	line := `{"id":99,"full_name":"Ann B","provider":"x","work_relevant":{"title":"CTO",
		"company":{"id":5,"name":"Acme"}},
		"work_history":[{"title":"Dev","company":{"name":"ACME","domain":"acme.example"}}]}`
	done, err := m.Merge(t.Context(), fresh(line), newest)
	if err != nil || done.Outcome != record.Created || done.ID == 99 || done.ID == 0 {
		t.Fatalf("got %+v, %v, want a new person with an assigned id", done, err)
	}
	p := s.State.PersonRows[done.ID]
	if p.SocialKey != "social.example/in/ann" || len(p.CompanyIDs) != 1 || p.CompanyIDs[0] == 5 ||
		len(s.State.CompanyRows) != 1 {
		t.Errorf("stored %+v with %d companies", p, len(s.State.CompanyRows))
	}
	if n := len(s.State.Outbox); n != 2 {
		t.Errorf("%d rows are queued, want the person and the company", n)
	}
	again, err := m.Merge(t.Context(), fresh(line), newest)
	if err != nil || again.ID != done.ID || again.Outcome != record.Unchanged || len(s.State.Outbox) != 2 {
		t.Errorf("again: %+v, %v, %d rows", again, err, len(s.State.Outbox))
	}
}

// A line about a stored person may omit the name.
func TestMergeKeepsTheNameOfALineWithoutOne(t *testing.T) {
	s := recordtest.NewStore()
	m := loader.NewMerger(s)
	done, err := m.Merge(t.Context(), fresh(`{"full_name":"Ann B"}`), newest)
	expect.NoError(t, err)
	var heard record.Dated
	unnamed := fresh(`{"full_name":" ","headline":"x"}`)
	_, err = m.Merge(t.Context(), unnamed, func(stored, fresh record.Dated) record.Dated {
		heard = fresh
		return stored
	})
	if err != nil || heard.Person.FullName != "" || heard.Person.Headline != "x" ||
		s.State.PersonRows[done.ID].Person.FullName != "Ann B" {
		t.Errorf("the rules got %+v, %v", heard, err)
	}
}

func TestMergeRefusesInvalidLines(t *testing.T) {
	s := recordtest.NewStore()
	for name, line := range map[string]string{
		"no name":        `{"headline":"x"}`,
		"a list":         `[1]`,
		"nothing":        ``,
		"cut off":        `{"full_name":"Ann`,
		"a wrong type":   `{"full_name":7}`,
		"another person": `{"full_name":"Eve","social_url":"https://social.example/in/eve"}`,
		"a bad date":     `{"full_name":"Ann","work_history":[{"title":"x","start_date":"soon"}]}`,
	} {
		if _, err := loader.NewMerger(s).Merge(t.Context(), fresh(line), newest); kith.KindOf(err) != kith.Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(s.State.PersonRows) != 0 || len(s.State.Outbox) != 0 {
		t.Error("a refused line was stored")
	}
}

// A load file may name a company by id alone. A merge does not support that: the reason says that
// the id is ignored, not that a name is missing.
func TestMergeRefusesCompaniesWithAnIDAlone(t *testing.T) {
	for path, line := range map[string]string{
		"work_relevant.company:": `{"full_name":"Ann","work_relevant":{"title":"x","company":{"id":5}}}`,
		"work_history[1].company:": `{"full_name":"Ann","work_history":[{"title":"x"},{"title":"y","company":{"id":5,` +
			`"industry":"Retail"}}]}`,
	} {
		_, err := loader.NewMerger(recordtest.NewStore()).Merge(t.Context(), fresh(line), newest)
		if kith.KindOf(err) != kith.Invalid || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), "are ignored") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Reasons are stored with tasks and shown to callers. They quote only the beginning of a value.
func TestMergeReasonsAreShort(t *testing.T) {
	for _, member := range []string{"email", "social_url"} {
		line := `{"full_name":"Ann","` + member + `":"` + strings.Repeat("x", 2000) + `"}`
		_, err := loader.NewMerger(recordtest.NewStore()).Merge(t.Context(), fresh(line), newest)
		if kith.KindOf(err) != kith.Invalid || len(err.Error()) > 300 {
			t.Errorf("%s: %v", member, err)
		}
	}
}
