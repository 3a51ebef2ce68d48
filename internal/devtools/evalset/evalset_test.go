package evalset

import (
	"slices"
	"testing"
	"time"

	"kith/internal/demo"
	"kith/internal/expect"
)

func dataset(t testing.TB, people int) *demo.Dataset {
	t.Helper()
	d, err := demo.New(demo.Config{Seed: demo.Default().Seed, People: people})
	expect.NoError(t, err)
	return d
}

func day() time.Time { return time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC) }

func TestEveryTitleIsClassified(t *testing.T) {
	w, err := read(dataset(t, 8000), day())
	expect.NoError(t, err)
	missing := map[string]int{}
	for _, p := range w.people {
		for _, j := range p.jobs {
			if j.title.functions == nil {
				missing[j.title.text]++
			}
		}
	}
	for text, n := range missing {
		t.Errorf("%q (%d) is in no list", text, n)
	}
}

func TestEveryRoleOfAPromptHasATitle(t *testing.T) {
	tables, err := readTables()
	expect.NoError(t, err)
	var known []string
	for _, title := range tables.titles {
		for role := range title.roles {
			known = append(known, role)
		}
	}
	for _, r := range append(slices.Clone(tables.roles), tables.chiefs...) {
		for _, name := range append(slices.Clone(r.sure), r.differs...) {
			if !slices.Contains(known, name) {
				t.Errorf("%s: no title has the role %q", r.spellings[0][0], name)
			}
		}
	}
}

func TestPromptsAreReproducible(t *testing.T) {
	o := Options{Seed: 1, Now: day(), Scale: 5}
	a, err := Prompts(dataset(t, 2000), o)
	expect.NoError(t, err)
	b, err := Prompts(dataset(t, 2000), o)
	expect.NoError(t, err)
	same := func(x, y Prompt) bool { return x.Text == y.Text && slices.Equal(x.Want, y.Want) && x.Part == y.Part }
	if !slices.EqualFunc(a, b, same) {
		t.Error("two sets of one dataset and seed differ")
	}
	if len(a) < 40 {
		t.Errorf("got %d prompts, want at least 40", len(a))
	}
}
