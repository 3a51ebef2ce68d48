package commands_test

import (
	"strings"
	"testing"

	"kith/internal/e2e"
)

// TestSearchPrints has people of whom little is known printed without what is
// not known, and is told how to fill a directory that has nobody.
func TestSearchPrints(t *testing.T) {
	t.Parallel()
	k := e2e.Fresh(t, e2e.Postgres())
	if _, stderr, err := k.Try(t, "search", "--demo", "engineer"); err != nil ||
		!strings.Contains(stderr, "kith serve --demo") || strings.Contains(stderr, "load") {
		t.Errorf("a demo that is not there: %v: %s", err, stderr)
	}
	if _, stderr, err := k.Try(t, "search", "engineer"); err != nil || !strings.Contains(stderr, "kith load") {
		t.Errorf("a directory without people: %v: %s", err, stderr)
	}
	profile := "https://social.example/in/jane-doe"
	person := func(job, place map[string]any) e2e.Record {
		r := e2e.Record{"full_name": "Jane Doe", "social_url": profile, "location": place}
		if job != nil {
			r["work_relevant"] = job
		}
		return r
	}
	acme := map[string]any{"name": "Acme"}
	for _, c := range []struct {
		job, place map[string]any
		want       string
	}{
		{nil, nil, ""},
		{map[string]any{"title": "Engineer"}, nil, " · Engineer"},
		{map[string]any{"company": acme}, nil, " · Acme"},
		{
			map[string]any{"title": "Engineer", "company": acme},
			map[string]any{"city": "Berlin", "country": "Germany"},
			" · Engineer at Acme · Berlin, Germany",
		},
	} {
		k.Run(t, "load", k.Write(t, "people.ndjson", []e2e.Record{person(c.job, c.place)}))
		if got, want := k.Run(t, "search", "-f", "socialUrl="+profile), "Jane Doe"+c.want+" · "+profile+"\n"; got != want {
			t.Errorf("printed %q, not %q", got, want)
		}
	}
}
