// Package proximity finds the people of a search by their distance to the caller: people within
// reach by class, then everyone else, with exact matches first in each class. It searches
// classes by id, highest rank first, and large ones by reading all matches in order. If few
// people match, it lists and remembers them instead.
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

// Network knows the people of the dataset; [network.Circles] implements it.
type Network interface {
	// People is the approximate number of people; 0 if unknown.
	People() int
	ByRank(ctx context.Context, circle *network.Circle, class network.Class, epoch int64) ([]network.Ranked, error)
}

// Config configures a [Searcher].
type Config struct {
	Index   *index.Index
	Network Network
	// Journal is nil if index progress is unknown: lists of matches are then made anew for each page.
	Journal Journal
	// Thresholds defaults to [DefaultThresholds].
	Thresholds Thresholds
}

// Searcher finds people by closeness. It is safe for concurrent use.
type Searcher struct {
	cfg Config
	// counts caches the number of matches of searches, and the matching share of circles; see [memory].
	counts *lru.Cache[string, int]
	lists  listCache
}

// countedSearches is how many counts are remembered.
const countedSearches = 4096

// New returns a searcher.
func New(cfg Config) *Searcher {
	if cfg.Thresholds == (Thresholds{}) {
		cfg.Thresholds = DefaultThresholds()
	}
	counts, _ := lru.New[string, int](countedSearches) // fails for a size of 0 only
	return &Searcher{cfg: cfg, counts: counts, lists: newListCache(cfg.Journal)}
}

// Query is a search plus the caller's circle.
type Query struct {
	// All matches everyone searched for. Exact matches the literal matches among them; nil if there is no such
	// difference. Both are conditions on documents (not lowered).
	All, Exact query.Query
	// SortBy orders the people within a stage; the zero value is the rank.
	SortBy query.Field
	// Circle is the people within reach. If it is ordered by strength, everyone else is left out.
	Circle *network.Circle
	// CircleOnly leaves out everyone else.
	CircleOnly bool
	// Epoch returns the rank epoch of the search, if needed.
	Epoch func() (int64, error)
	// Key identifies the conditions, independently of the caller; Caller identifies the caller. Cached lists of one
	// caller serve no other.
	Key, Caller string
}

// People yields at most n people after a position; nil is the start. Buffer keeps what was fetched and not yielded. The
// stages of cursors are those of [WithinReach], unless the circle is ordered by strength.
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
	out.limits.List = min(out.limits.List, out.worthListing())
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
	// limits are the thresholds of this search; some change as it learns.
	limits     Thresholds
	population int
	circleOnly bool

	sample sample
	// list holds everyone who satisfies the search, or may; nil if they are not listed.
	list  *list
	scans scans
	// lastPiece is the size of the last piece.
	lastPiece int
}

// run finds people until enough were yielded or none are left. Others make up for people deleted before their records
// were read.
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

// worthListing is the most matches for which a listing is cheaper than asking about people by id until enough match:
// listing a person costs about a tenth of asking about one by id.
func (s *search) worthListing() int {
	return int(math.Sqrt(10 * float64(s.page.left) * float64(max(s.population, 1000))))
}

// findNext finds as many people as needed, or all there are.
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

// share is the fraction of everyone that so many people are; 0 if unknown.
func (s *search) share(people int) float64 {
	if s.population == 0 {
		return 0
	}
	return min(1, float64(people)/float64(s.population))
}
