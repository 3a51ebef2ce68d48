package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/search"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
	"kith/query/prompt"
)

// After any writes, reranks and deletions, drained or not, a service with cached lists gives the
// same pages as one without.
func TestCachedListsFollowTheRecords(t *testing.T) {
	n := newNeighbourhood(t, 11)
	r := rand.New(rand.NewPCG(11, 11))
	ix := memindex.New()
	drainer := indexer.NewDrainer(n.db, ix, zerolog.Nop())
	drain := func() {
		expect.NoError(t, drainer.Drain(t.Context()))
	}
	drain()
	cfg := n.config
	journal := &counting{DB: n.db}
	cfg.Index, cfg.Journal = index.New(ix), journal
	remembers := search.New(cfg)
	cfg.Journal = nil
	forgets := search.New(cfg)
	for _, s := range []*search.Service{remembers, forgets} {
		nearWays["listed"](s)
	}
	cursors := map[int]string{}
	steps := effort.Scaled(400)
	for step := range steps {
		effort.Deadline(t)
		what := n.rewrite(t, r)
		if r.IntN(3) > 0 {
			drain()
		}
		for range 4 {
			which := r.IntN(2 * len(nearSearches()))
			u := n.users[which%2]
			req := search.Request{Filters: nearSearches()[which/2], Scope: search.ScopeNetwork, Limit: 5}
			if r.IntN(2) == 0 {
				req.Cursor = cursors[which]
			}
			want := n.pageOr(t, forgets, u, req)
			got := n.pageOr(t, remembers, u, req)
			if !slices.Equal(got.people, want.people) || got.code != want.code {
				t.Fatalf("step %d, after %s, user %d, %v, cursor %v:\nremembers %v\nforgets   %v", step, what, u.person,
					req.Filters, req.Cursor != "", got, want)
			}
			cursors[which] = got.cursor
		}
	}
	if journal.asked < steps*5/6 {
		t.Errorf("only %d cached lists were updated", journal.asked)
	}
}

// counting counts updates of cached lists.
type counting struct {
	*postgres.DB
	asked int
}

func (c *counting) Written(ctx context.Context, version int64, n int) (built, level int64, people []int64, err error) {
	if n > 0 {
		c.asked++
	}
	return c.DB.Written(ctx, version, n)
}

// rewrite makes a random change of the records, and describes it.
func (n *neighbourhood) rewrite(t *testing.T, r *rand.Rand) string {
	t.Helper()
	id := 20 + r.Int64N(nearPeople-20)
	switch r.IntN(8) {
	case 0:
		if _, err := indexer.NewKeeper(n.db).Delete(t.Context(), strconv.FormatInt(id, 10)); err != nil &&
			kith.KindOf(err) != kith.NotFound {
			t.Fatal(err)
		}
		return fmt.Sprint("deletion of ", id)
	case 1:
		company := 1 + r.IntN(12)
		pgtest.Load(t, n.db, record.Companies, fmt.Sprintf(
			`{"id":%d,"name":"Company %[1]d","employee_count":%d,"industry":"Industry %d"}`+"\n",
			company, n.size[int64(company)], r.IntN(9)))
		return fmt.Sprint("change of company ", company)
	case 2:
		ranks := map[int64]int64{id: r.Int64N(1000), id - 1: r.Int64N(1000)}
		if err := n.db.Write(t.Context(), record.ForEveryone(), func(ctx context.Context,
			tx record.Tx,
		) error {
			return tx.SetRanks(ctx, record.People, ranks)
		}); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint("new ranks of ", ranks)
	case 3:
		return "nothing"
	}
	pgtest.Load(t, n.db, record.People, n.person(r, id))
	return fmt.Sprint("record of ", id)
}

// pageOrError is a page or the code of an error.
type pageOrError struct {
	people       []int64
	code, cursor string
}

func (n *neighbourhood) pageOr(t *testing.T, s *search.Service, u *user, req search.Request) pageOrError {
	t.Helper()
	ctx := t.Context()
	results, err := s.Search(ctx, u.Viewer(), req)
	if err != nil {
		return pageOrError{code: err.Error()}
	}
	page, err := search.Collect(ctx, results)
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	return pageOrError{people: personIDs(t, page.People), cursor: page.Pagination.Cursor}
}

// A language model may read the same prompt with another judgement later. The cached list of the
// old order must not be used.
func TestCachedListsAreNotReusedForAnotherOrder(t *testing.T) {
	n := newNeighbourhood(t, 14)
	ix := memindex.New()
	expect.NoError(t, indexer.NewDrainer(n.db, ix, zerolog.Nop()).Drain(t.Context()))
	cfg, planner := n.config, &fixed{}
	cfg.Index, cfg.Planner = index.New(ix), planner
	remembers := search.New(cfg)
	cfg.Journal = nil
	forgets := search.New(cfg)
	for _, s := range []*search.Service{remembers, forgets} {
		nearWays["listed"](s)
	}
	for _, criteria := range [][]prompt.Criterion{nil, {newcomers}, nil} {
		planner.plan = prompt.Plan{
			Filters:  []prompt.Filter{filter(query.FilterCountry, "Germany, France")},
			Criteria: criteria,
		}
		req := search.Request{Prompt: "people", Scope: search.ScopeNetwork, Limit: 30}
		got, want := n.pageOr(t, remembers, n.users[0], req), n.pageOr(t, forgets, n.users[0], req)
		if !slices.Equal(got.people, want.people) {
			t.Errorf("%d criteria: got %v, want %v", len(criteria), got.people, want.people)
		}
	}
}
