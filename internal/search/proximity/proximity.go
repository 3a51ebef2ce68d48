// Package proximity finds the people of a search by their distance to the caller: people within
// reach by class, then everyone else, with exact matches first in each class. It has several
// methods with the same result, and picks the one that is likely to cost least.
package proximity

import (
	"context"
	"iter"
	"math"

	lru "github.com/hashicorp/golang-lru/v2"

	"kith/index"
	"kith/internal/network"
	"kith/query"
)

// Network knows the people of the directory; [network.Circles] does.
type Network interface {
	// People is about how many people there are; 0 where it is not known.
	People() int
	ByRank(ctx context.Context, circle *network.Circle, class network.Class, epoch int64) ([]network.Ranked, error)
}

// Config is what a [Searcher] is made of.
type Config struct {
	Index   *index.Index
	Network Network
	// Journal is nil where nothing tells what was written: lists of those who
	// satisfy a search are then made for each page anew.
	Journal Journal
	// Thresholds are [DefaultThresholds] unless set.
	Thresholds Thresholds
}

// Searcher finds people by closeness. It is safe for concurrent use.
type Searcher struct {
	cfg Config
	// counts are how many people satisfied searches, as far as they were counted,
	// and which share of those within reach; see [memory].
	counts *lru.Cache[string, int]
	lists  listCache
}

// countedSearches is how many searches have their number of matches remembered.
const countedSearches = 4096

// New returns a searcher.
func New(cfg Config) *Searcher {
	if cfg.Thresholds == (Thresholds{}) {
		cfg.Thresholds = DefaultThresholds()
	}
	counts, _ := lru.New[string, int](countedSearches) // fails for a size of 0 only
	return &Searcher{cfg: cfg, counts: counts, lists: newListCache(cfg.Journal)}
}

// Query is what is searched for, and how close whom is.
type Query struct {
	// All holds of everyone who is searched for, and Exact of those among them who
	// satisfy it to the letter; nil where there is no such difference. They are
	// conditions over documents (not lowered).
	All, Exact query.Query
	// SortBy orders the people within a stage; the zero value is the rank.
	SortBy query.Field
	// Circle is the people within reach. Where it is ordered by strength, no one
	// else comes.
	Circle *network.Circle
	// CircleOnly leaves out everyone else.
	CircleOnly bool
	// Epoch gives the epoch of ranks that the search is of, for those who look for it.
	Epoch func() (int64, error)
	// Key stands for the conditions, whoever asks; Caller is who does. What is
	// remembered of a caller's search serves no other caller.
	Key, Caller string
}

// People yields at most n people behind a place; nil is the start. Buffer keeps
// what was fetched and not yielded. Cursors are over stages: see [WithinReach],
// which does not hold of a circle that is ordered by strength.
func (s *Searcher) People(ctx context.Context, q Query, after *index.Cursor, n int,
	buffer *Buffer,
) iter.Seq2[index.Found, error] {
	return func(yield func(index.Found, error) bool) {
		if err := s.begin(q, after, n, buffer).run(ctx, yield); err != nil {
			yield(index.Found{}, err)
		}
	}
}

func (s *Searcher) begin(q Query, after *index.Cursor, n int, buffer *Buffer) *search {
	out := &search{
		tiers:   tiers{index: s.cfg.Index, sortBy: q.SortBy},
		members: members{network: s.cfg.Network, circle: q.Circle, epoch: q.Epoch},
		page:    page{after: after, left: n, buffer: buffer},
		memory:  memory{counts: s.counts, search: q.Key},
		lists:   s.lists, listKey: q.Caller + q.Key,
		limits:     s.cfg.Thresholds,
		population: s.cfg.Network.People(),
		circleOnly: q.CircleOnly,
	}
	out.limits.ListPossible = min(out.limits.ListPossible, out.worthListing())
	if q.Exact != nil {
		out.tiers.conditions = append(out.tiers.conditions, index.Prepare(q.Exact))
	}
	out.tiers.conditions = append(out.tiers.conditions, index.Prepare(q.All))
	return out
}

// search is one range over the people of a query.
type search struct {
	tiers   tiers
	members members
	page    page
	memory  memory
	lists   listCache
	listKey string
	// limits are the thresholds of this search: some change with what is found out.
	limits     Thresholds
	population int
	circleOnly bool

	sample sample
	// list has all who satisfy the search, or may; nil where they are not listed.
	list  *list
	scans scans
	// lastPiece is the number of people in the last piece.
	lastPiece int
}

// run finds people until enough were yielded, or there are no more. Who is gone
// by the time that the records are read is made up for by others.
func (s *search) run(ctx context.Context, yield func(index.Found, error) bool) error {
	for s.page.left > 0 {
		s.page.next, s.scans = nil, scans{tiers: &s.tiers, page: &s.page, most: s.limits.Scan}
		if err := s.findNext(ctx); err != nil {
			return err
		}
		all := s.page.need() > 0
		if err := s.page.yield(ctx, s.tiers.index, yield); err != nil || all {
			return err
		}
	}
	return nil
}

// worthListing is the most matches that are listed at less cost than it takes to ask
// for people by their ids until enough of them match: to list a person costs about a
// tenth of asking for one by the id.
func (s *search) worthListing() int {
	return int(math.Sqrt(10 * float64(s.page.left) * float64(max(s.population, 1000))))
}

// findNext finds as many people as are wanted, or all that there are.
func (s *search) findNext(ctx context.Context) error {
	if len(s.members.circle.Strengths()) > 0 {
		return s.byStrength(ctx)
	}
	for _, find := range []func(context.Context) error{s.loadList, s.listRare, s.byClass} {
		if err := find(ctx); err != nil {
			return err
		}
		if s.list != nil {
			defer s.saveList()
			return s.list.find(ctx, s.limits.MaxPiece)
		}
	}
	return nil
}

// share is the share of everyone that some people are; 0 where it is not known.
func (s *search) share(people int) float64 {
	if s.population == 0 {
		return 0
	}
	return min(1, float64(people)/float64(s.population))
}
