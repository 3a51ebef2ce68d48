package search_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"kith/internal/search"
	"kith/internal/test/effort"
	"kith/query"
)

// resumable is what a stream brought.
type resumable struct {
	people, indices []int64
	cursors         []string
	// begins is the index of the first near miss in the answer, -1 for none.
	begins, closest int
	stages          []string
}

func (f *fixture) resumable(t *testing.T, req search.Request) resumable {
	t.Helper()
	out := resumable{begins: -1}
	for _, e := range f.events(t, req) {
		switch e := e.(type) {
		case search.Result:
			out.people = append(out.people, personIDs(t, []json.RawMessage{e.Person})...)
			out.indices, out.cursors = append(out.indices, int64(e.Index)), append(out.cursors, e.Cursor)
		case search.StageEnd:
			out.stages = append(out.stages, e.Stage)
		case search.Done:
			if c := e.Metadata.Closest; c != nil {
				out.begins, out.closest = c.BeginsAt, c.Count
			}
		case search.Failed:
			t.Fatal(e.Err)
		case search.Started, search.Counted:
		}
	}
	return out
}

// rest is the stream after its first n people.
func (s resumable) rest(n int) resumable {
	out := resumable{people: s.people[n:], indices: s.indices[n:], begins: -1}
	if s.begins >= 0 && n < len(s.people) {
		out.begins = max(0, s.begins-n)
		out.closest = len(s.people) - max(s.begins, n)
	}
	return out
}

// checkRest compares what a resumed stream brought.
func checkRest(t *testing.T, name string, got, want resumable) {
	t.Helper()
	if !slices.Equal(got.people, want.people) || !slices.Equal(got.indices, want.indices) ||
		got.begins != want.begins || got.closest != want.closest {
		t.Errorf("%s\ngot  %v %v, %d closest from %d\nwant %v %v, %d closest from %d", name, got.people, got.indices,
			got.closest, got.begins, want.people, want.indices, want.closest, want.begins)
	}
}

// A stream resumes right after any of its people, near misses included: with Resume up to the end of its page, with
// Cursor as far as the next page has room. No one comes twice, and a walk has at most 25 near misses.
func TestStreamsResumeAfterAnyPerson(t *testing.T) {
	memory := newFixture(t, dataset(300)...).withNear()
	for name, f := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory), "elasticsearch": onElasticsearch(t, memory),
	} {
		for i, req := range []search.Request{
			{
				Filters: query.Filters{"position": "designer", "city": "Lisbon", "companySize": "200"},
				Closest: new(true),
			},
			{
				Filters: query.Filters{"position": "designer", "city": "Lisbon", "name": "Number12, Number4, Number8"},
				Closest: new(true),
			},
			{Prompt: "sommeliers in Berlin", Scope: search.ScopeGlobal, Explain: new(true)},
		} {
			req.Limit = 100
			all := f.resumable(t, req)
			if all.begins < 0 || all.closest == 0 {
				t.Fatalf("%s: %+v has no near misses", name, req)
			}
			limits := []int{100, 9}
			if f != memory && !effort.Long() { // engines differ at the end of a page at most
				limits = limits[1:]
			}
			for _, limit := range limits {
				req.Limit = limit
				page := f.resumable(t, req)
				for k, cursor := range page.cursors {
					name := fmt.Sprintf("%s, search %d, %d a page, after %d of %d", name, i, limit, k+1,
						len(page.people))
					again := req
					again.Resume = cursor
					checkRest(t, name, f.resumable(t, again), page.rest(k+1))
					got := f.resumable(t, search.Request{Cursor: cursor, Limit: 100})
					checkRest(t, name+" by cursor", got, all.rest(k+1))
					if k >= page.begins && (slices.Contains(got.stages, search.ScopeGlobal) ||
						slices.Contains(got.stages, search.ScopeNetwork)) {
						t.Errorf("%s: stages %q end again", name, got.stages)
					}
				}
			}
		}
	}
}
