package proximity_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/network"
	"kith/internal/search/proximity"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// world is a dataset in memory: callers with relationships, an engine, and a journal of all writes.
type world struct {
	network.CircleStore // operations that no test uses
	r                   *rand.Rand
	docs                map[int64]indexed.Document
	ranks               map[int64]int64
	written             []int64
	contacts            map[int64][]network.Contact // by user
	shared              []network.Shared
}

const people, callers = 150, 4

func newWorld(t *testing.T, seed uint64) (*world, *memindex.Index) {
	t.Helper()
	w := &world{
		r: rand.New(rand.NewPCG(seed, 1)), docs: map[int64]indexed.Document{}, ranks: map[int64]int64{},
		contacts: map[int64][]network.Contact{},
	}
	ix := memindex.New()
	for id := range int64(people) {
		w.ranks[id+1] = w.r.Int64N(20) // many people have the same rank
		w.write(t, ix, id+1)
	}
	for user := range int64(callers) {
		for _, id := range w.r.Perm(people)[:w.r.IntN(1+40*int(user))] {
			c := network.Contact{Person: int64(id + 1), Score: float64(w.r.IntN(21)) / 2}
			w.contacts[user] = append(w.contacts[user], c)
			for range w.r.IntN(3) {
				w.shared = append(w.shared, network.Shared{
					Introducer: c.Person, Target: 1 + w.r.Int64N(people), Score: 5, Kind: network.Community,
				})
			}
		}
	}
	return w, ix
}

// write gives a person other fields.
func (w *world) write(t *testing.T, ix *memindex.Index, id int64) {
	t.Helper()
	w.written = append(w.written, id)
	d := indexed.Document{
		ID: id, Rank: w.ranks[id], Version: int64(len(w.written)), Fields: indextest.NewFields(),
		Record: fmt.Appendf(nil, `{"id":%d,"version":%d}`, id, len(w.written)),
	}
	d.Fields.Keywords[query.City] = []string{[]string{"berlin", "paris", "rome"}[min(w.r.IntN(8), 2)]}
	d.Fields.Keywords[query.Country] = []string{[]string{"de", "fr"}[w.r.IntN(2)]}
	if w.r.IntN(4) > 0 {
		d.Fields.Numbers[query.Loyal] = w.r.Int64N(5)
	}
	w.docs[id] = d
	indextest.Store(t, ix, index.People, d)
}

// erase deletes a person.
func (w *world) erase(t *testing.T, ix *memindex.Index, id int64) {
	t.Helper()
	w.written = append(w.written, id)
	delete(w.docs, id)
	indextest.Drop(t, ix, index.People, id)
}

// Written implements [proximity.Journal].
func (w *world) Written(_ context.Context, version int64, n int) (built, level int64, ids []int64, err error) {
	level = int64(len(w.written))
	if version < level {
		ids = slices.Compact(slices.Sorted(slices.Values(w.written[version:])))
	}
	return 1, level, ids[:min(n, len(ids))], nil
}

// The world is also what circles are made of: every contact shares relationships.

func (w *world) Stamp(context.Context, kith.Actor, []network.Sharer) (network.Stamp, error) {
	return network.Stamp{People: people}, nil
}

func (w *world) Sharers(_ context.Context, user int64) (all []network.Sharer, err error) {
	for _, c := range w.contacts[user] {
		all = append(all, network.Sharer{User: 100 + c.Person, Introducer: c.Person})
	}
	return all, nil
}

func (w *world) Contacts(_ context.Context, user int64) ([]network.Contact, error) {
	return slices.Clone(w.contacts[user]), nil
}

func (w *world) Shared(_ context.Context, _ int64, introducers, _ []int64) ([]network.Shared, error) {
	return slices.DeleteFunc(slices.Clone(w.shared), func(s network.Shared) bool {
		return !slices.Contains(introducers, s.Introducer)
	}), nil
}

func (w *world) TimesOf(context.Context, []int64) ([]network.Time, error) { return nil, nil }

func (w *world) Sizes(context.Context, []int64) (map[int64]int, error) { return nil, nil }

func (w *world) EachTimeAt(context.Context, kith.Actor, []network.Org, func(int, network.Time)) error {
	return nil
}

func (w *world) ByRank(_ context.Context, ids []int64) (ranked []network.Ranked, err error) {
	for _, id := range ids {
		if _, there := w.docs[id]; there {
			ranked = append(ranked, network.Ranked{ID: id, Rank: w.ranks[id]})
		}
	}
	slices.SortFunc(ranked, func(a, b network.Ranked) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.ID, b.ID))
	})
	return ranked, nil
}

// unsure is an engine whose loose answers include people who do not match, as engines may.
type unsure struct{ *memindex.Index }

func unlucky(id int64) bool { return id%5 == 0 }

func (u unsure) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if !req.Loose {
		return u.Index.Find(ctx, c, req)
	}
	matching, err := u.Index.Find(ctx, c, index.FindRequest{Query: req.Query, Limit: people})
	if err != nil {
		return nil, err
	}
	all, err := u.Index.Find(ctx, c,
		index.FindRequest{Query: query.All{}, SortBy: req.SortBy, Limit: people, NoRecord: true})
	out := slices.DeleteFunc(all, func(h index.Hit) bool {
		return !unlucky(h.ID) && !slices.ContainsFunc(matching, func(m index.Hit) bool { return m.ID == h.ID })
	})
	for i, h := range out {
		out[i].Maybe = unlucky(h.ID) || h.ID%2 == 0
	}
	slices.Reverse(out)
	return out[:min(req.Limit, len(out))], err
}

// position is a rank in the order of results: class or strength, exactness, sort value, id.
type position struct {
	class, tier int
	sort, id    int64
}

func (p position) compare(o position) int {
	return cmp.Or(cmp.Compare(p.class, o.class), cmp.Compare(p.tier, o.tier), cmp.Compare(o.sort, p.sort),
		cmp.Compare(p.id, o.id))
}

// inOrder compares every person with the definition of the order.
func (w *world) inOrder(q proximity.Query) (all []position) {
	for id, d := range w.docs {
		at := position{class: network.Classes, id: id, sort: d.Rank}
		if class, within := q.Circle.Of(id); within {
			at.class = int(class)
		} else if q.CircleOnly || len(q.Circle.Strengths()) > 0 {
			continue
		}
		for i, s := range q.Circle.Strengths() {
			if slices.Contains(s.People, id) {
				at.class = i
			}
		}
		if !indexed.Match(d, q.All) {
			continue
		}
		if q.Exact != nil && !indexed.Match(d, q.Exact) {
			at.tier = 1
		}
		if q.SortBy != "" {
			value, has := d.Fields.Numbers[q.SortBy]
			if at.sort = value; !has {
				at.sort = math.MinInt64
			}
		}
		all = append(all, at)
	}
	slices.SortFunc(all, position.compare)
	return all
}

// query returns a random search of a random caller.
func (w *world) query(t *testing.T, circles *network.Circles) proximity.Query {
	t.Helper()
	user := w.r.Int64N(callers)
	filters := []network.Filter{{}, {}, {Degrees: []int{1}}, {Degrees: []int{2}}, {Degrees: []int{1}, ByStrength: true}}
	circle, err := circles.Now(t.Context(), kith.Actor{UserID: user}, filters[w.r.IntN(len(filters))])
	expect.NoError(t, err)
	city := []string{"berlin", "paris", "rome", "oslo"}[w.r.IntN(4)]
	q := proximity.Query{
		All: query.Term{Field: query.City, Value: city}, Circle: circle, CircleOnly: w.r.IntN(3) == 0,
		SortBy: []query.Field{"", "", query.Loyal}[w.r.IntN(3)], Epoch: func() (int64, error) { return 1, nil },
		Caller: fmt.Sprint(user), Key: city,
	}
	if w.r.IntN(2) == 0 {
		q.Exact = query.And{Parts: []query.Query{q.All, query.Term{Field: query.Country, Value: "de"}}}
		q.Key += " exact"
	}
	q.Key += string(q.SortBy) // as the search service, whose key is made of everything that conditions depend on
	return q
}

// thresholds picks methods at random.
func (w *world) thresholds() proximity.Thresholds {
	of := func(values ...int) int { return values[w.r.IntN(len(values))] }
	return proximity.Thresholds{
		AtOnce: of(0, 3, 10, 200), ByID: of(0, 10, 1000), FirstPiece: of(1, 4, 30), MaxPiece: of(4, 30, 1000),
		List: of(0, 10, 1000),
		Scan: of(3, 10, 1000),
	}
}

// Pages of any size continue one order: by class or strength, exact matches first, by rank or value, by id. All methods
// and engines agree, while people are written and erased between the pages; no page has an erased person.
func TestPagesFollowTheOrderWithEveryMethod(t *testing.T) {
	for seed := range uint64(40) {
		w, ix := newWorld(t, seed)
		engine := []index.Searcher{ix, unsure{ix}}[seed/2%2]
		circles := network.NewCircles(w, nil)
		cfg := proximity.Config{Index: index.New(engine), Network: circles, Thresholds: w.thresholds()}
		if seed%2 == 0 {
			cfg.Journal = w
		}
		s := proximity.New(cfg)
		for walk := range 20 { // a searcher learns from one for the next
			q := w.query(t, circles)
			name := fmt.Sprintf("seed %d, walk %d: %+v", seed, walk, cfg.Thresholds)
			w.follow(t, ix, s, q, name)
			if t.Failed() {
				return
			}
		}
	}
}

// follow reads all pages of a search, with changes between them.
func (w *world) follow(t *testing.T, ix *memindex.Index, s *proximity.Searcher, q proximity.Query, name string) {
	t.Helper()
	var cursor *index.Cursor
	last := position{class: -1}
	for pages := 0; ; pages++ {
		want := slices.DeleteFunc(w.inOrder(q), func(p position) bool { return p.compare(last) <= 0 })
		n := 1 + w.r.IntN(30)
		whole := want
		if want = want[:min(n, len(want))]; len(want) > 0 {
			last = want[len(want)-1]
		}
		var got, ids []int64
		buffer := &proximity.Buffer{}
		for found, err := range s.People(t.Context(), q, cursor, n, buffer) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got = append(got, found.ID); string(found.Record) != string(w.docs[found.ID].Record) {
				t.Fatalf("%s: the record of %d is %s", name, found.ID, found.Record)
			}
			if within := q.Circle.Contains(found.ID); len(q.Circle.Strengths()) == 0 &&
				proximity.WithinReach(found.Cursor.Stage) != within {
				t.Fatalf("%s: person %d is within reach %v, at %+v", name, found.ID, within, found.Cursor)
			}
			cursor = &found.Cursor
			if w.r.IntN(5) == 0 {
				buffer.Drop()
			}
		}
		for _, p := range want {
			ids = append(ids, p.id)
		}
		if !slices.Equal(got, ids) {
			t.Fatalf("%s\n%+v\npage %d of %d has %v, want %v of %v", name, q, pages, n, got, ids, whole)
		}
		if len(got) < n {
			return
		}
		for range w.r.IntN(4) {
			w.change(t, ix)
		}
	}
}

// change writes or erases a random person, who does not come back.
func (w *world) change(t *testing.T, ix *memindex.Index) {
	t.Helper()
	id := 1 + w.r.Int64N(people)
	if _, there := w.docs[id]; there && w.r.IntN(3) > 0 {
		w.write(t, ix, id)
	} else if there {
		w.erase(t, ix, id)
	}
}
