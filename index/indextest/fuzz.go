package indextest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/test/effort"
	"kith/query"
	"kith/query/indexed"
)

// How much Fuzz does in the long part: so many corpora, with so many plans on each.
const (
	fuzzCorpora = 40
	fuzzPlans   = 250
)

// growth is how many times as large the pages of a random walk become after every second one. With pages of one size,
// half of all requests would continue walks that were continued before.
const growth = 2

// Fuzz runs 1,000 random plans, and 10,000 in the long part, over random documents and compares an engine with the
// oracle, page by page. The same seed makes the same documents and plans; see [effort.Seed].
func Fuzz(t *testing.T, newEngine func(t *testing.T) Engine) {
	FuzzCorpora(t, newEngine, fuzzCorpora)
}

// FuzzCorpora is [Fuzz] over so many corpora in the long part, of 250 plans each: in two halves at once, each on an
// engine of its own, because most of the time passes between a request and its answer.
func FuzzCorpora(t *testing.T, newEngine func(t *testing.T) Engine, long int) {
	seed, corpora := effort.Seed(t), effort.Scaled(long)
	for _, half := range [][2]int{{0, corpora / 2}, {corpora / 2, corpora}} {
		if half[0] == half[1] {
			continue
		}
		t.Run(fmt.Sprintf("corpora %d to %d", half[0], half[1]-1), func(t *testing.T) {
			t.Parallel()
			e := newEngine(t)
			plans, people := 0, 0
			for c := half[0]; c < half[1]; c++ {
				people += fuzzCorpus(t, e, seed, c)
				plans += fuzzPlans
			}
			t.Logf("%d plans found %d people", plans, people)
		})
	}
}

// fuzzCorpus runs the plans of one corpus, and returns how many people they found.
func fuzzCorpus(t *testing.T, e Engine, seed uint64, corpus int) (people int) {
	t.Helper()
	g := generator{rand.New(rand.NewPCG(seed, uint64(corpus)))}
	oracle := memindex.NewOracle()
	fill(t, e, oracle, g)
	for p := range fuzzPlans {
		effort.Deadline(t)
		found, err := g.compare(t, e, oracle)
		if err != nil {
			t.Fatalf("seed %d, corpus %d, plan %d: %v", seed, corpus, p, err)
		}
		people += found
	}
	return people
}

// fill puts random documents into a new version, which becomes the active one,
// and into the oracle: in rounds of writes, some of them stale, and deletes.
func fill(t *testing.T, e Engine, oracle *memindex.Oracle, g generator) {
	t.Helper()
	swap(t, e, nil)
	name := active(t, e)
	for range 3 {
		var docs []indexed.Document
		for range 5 + g.IntN(40) {
			docs = append(docs, g.person())
		}
		var gone []int64
		for range g.IntN(6) {
			gone = append(gone, g.id())
		}
		write(t, e, index.People, []string{name}, docs, nil)
		write(t, e, index.People, []string{name}, nil, gone)
		oracle.Put(docs...)
		oracle.Delete(gone...)
	}
}

// compare runs one random plan on an engine and on the oracle.
func (g generator) compare(t *testing.T, e Engine, oracle *memindex.Oracle) (people int, err error) {
	s := index.Search{Stages: g.plan(), SortBy: g.sortBy(), Limit: pick(g, 1+g.IntN(5), 5+g.IntN(40), 5+g.IntN(40))}
	want, err := compareWalk(t, index.New(e), s, oracle)
	if err == nil {
		err = compareCount(t, e, s, g.IntN(20), len(want))
	}
	if err == nil && g.IntN(4) == 0 {
		err = compareLadder(t, e, s, want, g.IntN(2))
	}
	if err == nil && g.IntN(4) == 0 {
		q, size := query.Or{Parts: s.Stages}, 1+g.IntN(5)
		err = errors.Join(compareFacets(t, index.New(e), q, oracle, size),
			compareFirstFacets(t, e, q, oracle, size, 1+g.IntN(20)))
	}
	if err == nil {
		first := want[:peopleBefore(want, 1)]
		err = compareLoose(t, index.New(e), s, first)
	}
	if err != nil {
		return 0, fmt.Errorf("%w\npages from %d, sorted by %q:\n%s", err, s.Limit, s.SortBy, formatPlan(s.Stages))
	}
	return len(want), nil
}

// compareWalk compares a walk through a search with the people of the oracle, and returns these.
func compareWalk(t *testing.T, ix *index.Index, s index.Search, oracle *memindex.Oracle) ([]index.Cursor, error) {
	want := oracle.People(s.Stages, s.SortBy)
	found, err := walk(t.Context(), ix, s, growth)
	got := kith.Each(found, func(f index.Found) index.Cursor { return f.Cursor })
	if err == nil && !slices.Equal(got, want) {
		err = fmt.Errorf("got %v\nwant %v (stage, sort, id)", got, want)
	}
	return want, err
}

func compareCount(t *testing.T, e Engine, s index.Search, limit, want int) error {
	if limit > 0 {
		want = min(want, limit)
	}
	n, _, err := index.New(e).Count(t.Context(), index.Prepare(query.Or{Parts: s.Stages}), limit)
	if err == nil && n != want {
		err = fmt.Errorf("counted %d to %d, want %d", n, limit, want)
	}
	return err
}

func compareFacets(t *testing.T, ix *index.Index, q query.Query, oracle *memindex.Oracle, size int) error {
	want := oracle.Facets(q, indexed.Facets(), size, math.MaxInt)
	got, err := ix.Facets(t.Context(), index.Prepare(q), indexed.Facets(), size)
	if err == nil && !maps.EqualFunc(got, want, slices.Equal) {
		err = fmt.Errorf("facets %v, want %v", got, want)
	}
	return err
}

// compareFirstFacets compares the facets of the first people by rank.
func compareFirstFacets(t *testing.T, e Engine, q query.Query, oracle *memindex.Oracle, size, among int) error {
	want := oracle.Facets(q, indexed.Facets(), size, among)
	got, err := e.Facets(t.Context(), index.Prepare(q), indexed.Facets(), size, among)
	if err == nil && !maps.EqualFunc(got, want, slices.Equal) {
		err = fmt.Errorf("facets of the first %d: %v, want %v", among, got, want)
	}
	return err
}

// compareLoose checks that a loose search keeps everyone who satisfies the first stage, and is
// right about the people it does not leave open.
func compareLoose(t *testing.T, ix *index.Index, s index.Search, want []index.Cursor) error {
	hits, err := ix.Hits(t.Context(), index.FindRequest{
		Query: index.Prepare(s.Stages[0]), SortBy: s.SortBy, Limit: 1000, NoRecord: true, Loose: true,
	})
	if err != nil {
		return err
	}
	for _, c := range want {
		if !slices.ContainsFunc(hits, func(h index.Hit) bool { return h.ID == c.ID && h.Sort == c.Sort }) {
			return fmt.Errorf("%v is not among those who may satisfy the first stage", c)
		}
	}
	for _, h := range hits {
		if !h.Maybe && !slices.ContainsFunc(want, func(c index.Cursor) bool { return h.ID == c.ID }) {
			return fmt.Errorf("%v is said to satisfy the first stage", h)
		}
	}
	return nil
}

func formatPlan(stages []query.Query) string {
	return strings.Join(kith.Each(stages, query.String), "\n")
}

// generator makes random documents and plans over few values, so that they often meet.
type generator struct{ *rand.Rand }

func (g generator) id() int64 { return 1 + g.Int64N(60) }

func (g generator) plan() []query.Query {
	stages := make([]query.Query, 1+g.IntN(4))
	for i := range stages {
		stages[i] = g.tree(query.Person, 3)
	}
	return stages
}

func (g generator) sortBy() query.Field {
	return pick(g, "", "", "", query.Rank, query.Experience, query.Rising, query.CompanySize.In(query.Current))
}

// tree makes a random query over the fields of a path.
func (g generator) tree(path query.Path, depth int) query.Query {
	if depth == 0 {
		return g.leaf(path)
	}
	switch g.IntN(9) {
	case 0, 1:
		return query.And{Parts: g.trees(path, depth-1)}
	case 2, 3:
		return query.Or{Parts: g.trees(path, depth-1)}
	case 4:
		return query.Not{Part: g.tree(path, depth-1)}
	case 5, 6:
		if path == query.Person {
			sub := pick(g, query.Paths()...)
			return query.Nested{Path: sub, Part: g.tree(sub, depth-1)}
		}
	}
	return g.leaf(path)
}

func (g generator) trees(path query.Path, depth int) []query.Query {
	parts := make([]query.Query, g.IntN(4))
	for i := range parts {
		parts[i] = g.tree(path, depth)
	}
	return parts
}

// leaf makes a random condition on one field.
func (g generator) leaf(path query.Path) query.Query {
	keyword, words, number := pick(g, fuzzKeywords(path)...), pick(g, fuzzWords(path)...), pick(g, fuzzNumbers(path)...)
	switch g.IntN(14) {
	case 0:
		return query.All{}
	case 1:
		return query.None{}
	case 2:
		if path == query.Person {
			return query.IDs{Values: []int64{g.id(), g.id(), g.id(), g.id(), 999}}
		}
		return query.Exists{Field: words}
	case 3:
		return query.Exists{Field: pick(g, keyword, words, number)}
	case 4, 5:
		return query.Term{Field: words, Value: g.token()}
	case 6:
		return query.Terms{Field: pick(g, keyword, words), Values: g.tokens(3)}
	case 7:
		return query.AllWords{Field: words, Words: g.tokens(3)}
	case 8:
		return query.Phrase{Field: words, Words: append(g.tokens(2), g.token()), AnyOrder: g.IntN(3) == 0}
	case 9, 10:
		return query.Range{Field: number, Min: g.bound(), Max: g.bound()}
	case 11:
		return g.manyValues(path)
	}
	return query.Term{Field: keyword, Value: g.token()}
}

func (g generator) bound() *int64 {
	if g.IntN(3) == 0 {
		return nil
	}
	v := g.number()
	return &v
}

func pick[T any](g generator, choices ...T) T { return choices[g.IntN(len(choices))] }
