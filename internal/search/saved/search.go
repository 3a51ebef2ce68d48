package saved

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kith"
	"kith/internal/search"
)

// Search is a saved search of a user.
type Search struct {
	ID   int64
	Name string
	// Request is the saved request, as [Config.Read] reads it.
	Request   json.RawMessage
	CreatedAt time.Time
	// SeenAt is when the user last marked all matches as seen.
	SeenAt time.Time
	// Failure is why the last evaluation failed; empty if it succeeded.
	Failure string
}

// SearchStore stores searches. One that the user does not have is NotFound; see [NoSearch].
type SearchStore interface {
	// SaveSearch stores a search; Conflict if the user already has most searches.
	SaveSearch(ctx context.Context, a kith.Actor, s Search, seen []int64, most int) (Search, error)
	SearchOf(ctx context.Context, user, id int64) (Search, error)
	// SearchesOf returns n searches with ids greater than after, oldest first.
	SearchesOf(ctx context.Context, user, after int64, n int) ([]Search, error)
	DeleteSearch(ctx context.Context, a kith.Actor, id int64) error
	Seen
	Due
}

// Seen stores which people have been seen.
type Seen interface {
	// Unseen returns the people not yet seen in a search, neither themselves nor as a record merged into them.
	Unseen(ctx context.Context, search int64, people []int64) ([]int64, error)
	// SetSeen replaces the people seen in a search. change gets them and those in also, after merges.
	SetSeen(ctx context.Context, user, search int64, also []int64, change func(known []int64) []int64) error
}

// NoSearch is the error for a search that a user does not have.
func NoSearch() error {
	return kith.Errorf(kith.NotFound, "SEARCH_NOT_FOUND",
		"you have no saved search with this id; GET /v2/searches shows yours")
}

// Searcher is the part of [search.Service] that saved searches use.
type Searcher interface {
	Search(ctx context.Context, v kith.Viewer, req search.Request) (*search.Results, error)
}

// Config configures [Searches].
type Config struct {
	Store    SearchStore
	Searcher Searcher
	// Read parses a saved request. Its errors are Invalid.
	Read   func(json.RawMessage) (search.Request, error)
	Quotas Quotas
	// Matches is how many people a search may match; [MaxMatches] if 0.
	Matches int
	// Now is the clock; time.Now if nil.
	Now func() time.Time
}

// Searches manages the saved searches of all users. It is safe for concurrent use.
type Searches struct{ cfg Config }

// NewSearches returns the searches in a store.
func NewSearches(cfg Config) *Searches {
	cfg.Matches = cmp.Or(cfg.Matches, MaxMatches)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Searches{cfg}
}

// Matches are all people who match a search, as visible to the caller who ran it.
type Matches struct {
	request json.RawMessage
	people  []int64
}

// Without returns the matches without the last n people: they are new in a search saved with the rest.
func (m Matches) Without(n int) Matches {
	return Matches{m.request, m.people[:max(0, len(m.people)-n)]}
}

// FindMatches finds all matches of a search before it is saved. More than [MaxMatches] people is Invalid.
func (s *Searches) FindMatches(
	ctx context.Context, a kith.Actor, name string, request json.RawMessage,
) (Matches, error) {
	problems := checkName(name)
	req, err := s.cfg.Read(request)
	if e, ok := errors.AsType[*kith.Error](err); ok && e.Kind == kith.Invalid {
		problems, err = append(problems, e.Fields...), nil
	}
	if err == nil {
		err = kith.InvalidFields(problems)
	}
	if err != nil {
		return Matches{}, err
	}
	people, err := s.matches(ctx, a.Viewer(), req)
	return Matches{request, people}, err
}

// LookAgain finds all current matches of a saved search of the caller.
func (s *Searches) LookAgain(ctx context.Context, a kith.Actor, id int64) (Matches, error) {
	kept, err := s.cfg.Store.SearchOf(ctx, a.UserID, id)
	if err != nil {
		return Matches{}, err
	}
	req, err := s.cfg.Read(kept.Request)
	if err != nil {
		return Matches{}, err
	}
	people, err := s.matches(ctx, a.Viewer(), req)
	return Matches{kept.Request, people}, err
}

// Save saves a search. Its matches count as seen.
func (s *Searches) Save(ctx context.Context, a kith.Actor, name string, m Matches) (Search, error) {
	return s.cfg.Store.SaveSearch(ctx, a, Search{Name: name, Request: m.request}, m.people, s.cfg.Quotas.Searches)
}

// Get returns a search.
func (s *Searches) Get(ctx context.Context, a kith.Actor, id int64) (Search, error) {
	return s.cfg.Store.SearchOf(ctx, a.UserID, id)
}

// All returns at most n searches with ids greater than after, and whether there are more.
func (s *Searches) All(ctx context.Context, a kith.Actor, after int64, n int) ([]Search, bool, error) {
	list, err := s.cfg.Store.SearchesOf(ctx, a.UserID, after, n+1)
	page, more := cutPage(list, n)
	return page, more, err
}

// Delete deletes a search.
func (s *Searches) Delete(ctx context.Context, a kith.Actor, id int64) error {
	return s.cfg.Store.DeleteSearch(ctx, a, id)
}

// News are people who match a search now, but had not been seen.
type News struct {
	People []json.RawMessage
	// Cursor resumes after them; empty if there are no more.
	Cursor string
}

// New returns at most n new people after a cursor, in the order of the search. It changes nothing: see
// [Searches.MarkSeen].
func (s *Searches) New(ctx context.Context, a kith.Actor, id int64, cursor string, n int) (News, error) {
	kept, err := s.cfg.Store.SearchOf(ctx, a.UserID, id)
	if err != nil {
		return News{}, err
	}
	req, err := s.cfg.Read(kept.Request)
	if err != nil {
		return News{}, err
	}
	req.Cursor = cursor
	out := News{People: []json.RawMessage{}}
	last := ""
	err = s.walk(ctx, a.Viewer(), req, func(page []match) (bool, error) {
		unseen, err := s.cfg.Store.Unseen(ctx, id, kith.Each(page, func(m match) int64 { return m.id }))
		if err != nil {
			return false, err
		}
		for _, m := range page {
			if !slices.Contains(unseen, m.id) {
				continue
			}
			if len(out.People) == n {
				out.Cursor = last
				return false, nil
			}
			out.People, last = append(out.People, m.person), m.cursor
		}
		return true, nil
	})
	return out, err
}

// MarkSeen marks people as seen, or all matches if people is nil. The id of a merged record marks its person. It
// returns how many people are seen afterwards. It drops people who no longer match; if they match again later, they
// are new.
func (s *Searches) MarkSeen(ctx context.Context, a kith.Actor, id int64, m Matches, people []int64) (int, error) {
	n := 0
	err := s.cfg.Store.SetSeen(ctx, a.UserID, id, people, func(all []int64) []int64 {
		now := m.people
		if people != nil {
			known := make(map[int64]bool, len(all)+len(people))
			for _, id := range slices.Concat(all, people) { // the index may still have a merged record
				known[id] = true
			}
			now = slices.DeleteFunc(slices.Clone(now), func(id int64) bool { return !known[id] })
		}
		n = len(now)
		return now
	})
	return n, err
}

// match is a matching person, with the cursor that resumes after them.
type match struct {
	id     int64
	person json.RawMessage
	cursor string
}

// matches returns the ids of all matches, sorted.
func (s *Searches) matches(ctx context.Context, v kith.Viewer, req search.Request) ([]int64, error) {
	ids := []int64{}
	err := s.walk(ctx, v, req, func(page []match) (bool, error) {
		for _, m := range page {
			ids = append(ids, m.id)
		}
		return true, nil
	})
	slices.Sort(ids)
	return ids, err
}

// walk calls each with batches of matches until it returns false. More matches than allowed is Invalid.
func (s *Searches) walk(
	ctx context.Context, v kith.Viewer, req search.Request, each func([]match) (bool, error),
) error {
	closest := false
	req.Limit, req.Closest = search.MaxLimit, &closest
	for n := 0; ; {
		results, err := s.cfg.Searcher.Search(ctx, v, req)
		if err != nil {
			return err
		}
		page, next, err := collect(ctx, results)
		if err != nil {
			return err
		}
		if n += len(page); n > s.cfg.Matches {
			return kith.InvalidFields([]kith.FieldError{{Field: "search", Code: "SEARCH_TOO_WIDE", Message: fmt.Sprintf(
				"matches more than %d people, which is the most that a saved search may match; add a filter",
				s.cfg.Matches)}})
		}
		more, err := each(page)
		if err != nil || !more || next == "" {
			return err
		}
		req = search.Request{RequestID: req.RequestID, Limit: search.MaxLimit, Cursor: next}
	}
}

// collect runs a search and returns its page and the cursor of the next one.
func collect(ctx context.Context, results *search.Results) (page []match, next string, err error) {
	for event := range results.Events(ctx) {
		switch e := event.(type) {
		case search.Started, search.StageEnd, search.Counted:
		case search.Result:
			var person struct {
				ID int64 `json:"id"`
			}
			if err := json.Unmarshal(e.Person, &person); err != nil {
				return nil, "", err
			}
			page = append(page, match{person.ID, slices.Clone(e.Person), e.Cursor})
		case search.Failed:
			err = e.Err
		case search.Done:
			next = e.Pagination.Cursor
		}
	}
	return page, next, err
}

// cutPage returns the first n entries, and whether there are more.
func cutPage[T any](all []T, n int) (page []T, more bool) {
	return all[:min(len(all), n)], len(all) > n
}
