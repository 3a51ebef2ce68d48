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

// Search is a search that a user keeps.
type Search struct {
	ID   int64
	Name string
	// Request is what is searched for, as [Config.Read] reads it.
	Request   json.RawMessage
	CreatedAt time.Time
	// SeenAt is when the user last said that all who match had been looked at.
	SeenAt time.Time
	// Failure is why it could not be searched for lately; empty where it could.
	Failure string
}

// SearchStore keeps searches. One that the user does not have is NotFound; see [NoSearch].
type SearchStore interface {
	// SaveSearch keeps a search, or is a Conflict where the user has most already.
	SaveSearch(ctx context.Context, user int64, s Search, seen []int64, most int) (Search, error)
	SearchOf(ctx context.Context, user, id int64) (Search, error)
	// SearchesOf gives n searches with numbers above after, oldest first.
	SearchesOf(ctx context.Context, user, after int64, n int) ([]Search, error)
	DeleteSearch(ctx context.Context, user, id int64) error
	Seen
	Due
}

// Seen keeps who has been looked at.
type Seen interface {
	// Unseen returns those of some people who are not among the seen ones of a search,
	// also not as a record that became part of them.
	Unseen(ctx context.Context, search int64, people []int64) ([]int64, error)
	// SetSeen replaces the seen ones of a search.
	SetSeen(ctx context.Context, user, search int64, change func(seen []int64) []int64) error
}

// NoSearch is the error for a search that a user does not have.
func NoSearch() error {
	return kith.Errorf(kith.NotFound, "SEARCH_NOT_FOUND",
		"you have no saved search of this id; GET /v2/searches lists those that you have")
}

// Searcher is what saved searches need of [search.Service].
type Searcher interface {
	Search(ctx context.Context, req search.Request) (*search.Results, error)
}

// Config configures [Searches].
type Config struct {
	Store    SearchStore
	Searcher Searcher
	// Read reads a request that was saved. What is wrong with it is Invalid.
	Read   func(json.RawMessage) (search.Request, error)
	Quotas Quotas
	// Matches is how many people a search may match; 0 is [MaxMatches].
	Matches int
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Searches are the saved searches of all users. It is safe for concurrent use.
type Searches struct{ cfg Config }

// NewSearches returns the searches of a store.
func NewSearches(cfg Config) *Searches {
	cfg.Matches = cmp.Or(cfg.Matches, MaxMatches)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Searches{cfg}
}

// Matches are all people who match a search, looked for by the caller of a context.
type Matches struct {
	request json.RawMessage
	people  []int64
}

// Look looks for all who match a search that is to be saved. One that matches more than
// [MaxMatches] people is Invalid.
func (s *Searches) Look(ctx context.Context, name string, request json.RawMessage) (Matches, error) {
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
	people, err := s.matches(ctx, req)
	return Matches{request, people}, err
}

// LookAgain looks for all who match a search of the caller now.
func (s *Searches) LookAgain(ctx context.Context, a kith.Actor, id int64) (Matches, error) {
	kept, err := s.cfg.Store.SearchOf(ctx, a.UserID, id)
	if err != nil {
		return Matches{}, err
	}
	req, err := s.cfg.Read(kept.Request)
	if err != nil {
		return Matches{}, err
	}
	people, err := s.matches(ctx, req)
	return Matches{kept.Request, people}, err
}

// Save keeps a search. Who matched it counts as seen.
func (s *Searches) Save(ctx context.Context, a kith.Actor, name string, m Matches) (Search, error) {
	return s.cfg.Store.SaveSearch(ctx, a.UserID, Search{Name: name, Request: m.request}, m.people, s.cfg.Quotas.Searches)
}

// Get returns a search.
func (s *Searches) Get(ctx context.Context, a kith.Actor, id int64) (Search, error) {
	return s.cfg.Store.SearchOf(ctx, a.UserID, id)
}

// All returns at most n searches with numbers above after, and whether there are more.
func (s *Searches) All(ctx context.Context, a kith.Actor, after int64, n int) ([]Search, bool, error) {
	list, err := s.cfg.Store.SearchesOf(ctx, a.UserID, after, n+1)
	page, more := firstOf(list, n)
	return page, more, err
}

// Delete deletes a search.
func (s *Searches) Delete(ctx context.Context, a kith.Actor, id int64) error {
	return s.cfg.Store.DeleteSearch(ctx, a.UserID, id)
}

// News are people who match a search now and did not when it was last looked at.
type News struct {
	People []json.RawMessage
	// Cursor goes on behind them; empty where nobody further is new.
	Cursor string
}

// New returns at most n people who are new, in the order of the search, behind a cursor.
// It changes nothing: see [Searches.MarkSeen].
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
	err = s.walk(ctx, req, func(page []match) (bool, error) {
		ids := make([]int64, len(page))
		for i, m := range page {
			ids[i] = m.id
		}
		unseen, err := s.cfg.Store.Unseen(ctx, id, ids)
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

// MarkSeen says that the user has looked at people who match a search, or, where people is
// nil, at all who match it. It returns how many are seen then. Who does not match any more
// is forgotten, and is new again where they come back.
func (s *Searches) MarkSeen(ctx context.Context, a kith.Actor, id int64, m Matches, people []int64) (int, error) {
	n := 0
	err := s.cfg.Store.SetSeen(ctx, a.UserID, id, func(seen []int64) []int64 {
		now := m.people
		if people != nil {
			known := make(map[int64]bool, len(seen)+len(people))
			for _, id := range slices.Concat(seen, people) {
				known[id] = true
			}
			now = slices.DeleteFunc(slices.Clone(now), func(id int64) bool { return !known[id] })
		}
		n = len(now)
		return now
	})
	return n, err
}

// match is a person who matches, with the cursor that goes on behind them.
type match struct {
	id     int64
	person json.RawMessage
	cursor string
}

// matches are the numbers of all who match, sorted.
func (s *Searches) matches(ctx context.Context, req search.Request) ([]int64, error) {
	ids := []int64{}
	err := s.walk(ctx, req, func(page []match) (bool, error) {
		for _, m := range page {
			ids = append(ids, m.id)
		}
		return true, nil
	})
	slices.Sort(ids)
	return ids, err
}

// walk calls each with all who match, some at a time, until it returns false. More than
// may match are Invalid.
func (s *Searches) walk(ctx context.Context, req search.Request, each func([]match) (bool, error)) error {
	closest := false
	req.Limit, req.Closest = search.MaxLimit, &closest
	for n := 0; ; {
		results, err := s.cfg.Searcher.Search(ctx, req)
		if err != nil {
			return err
		}
		page, next, err := collect(results)
		if err != nil {
			return err
		}
		if n += len(page); n > s.cfg.Matches {
			return kith.InvalidFields([]kith.FieldError{{Field: "search", Code: "SEARCH_TOO_WIDE", Message: fmt.Sprintf(
				"matches more than %d people, which is the most that a saved search may match; add a filter", s.cfg.Matches)}})
		}
		more, err := each(page)
		if err != nil || !more || next == "" {
			return err
		}
		req = search.Request{RequestID: req.RequestID, Limit: search.MaxLimit, Cursor: next}
	}
}

// collect runs a search, and returns its page and the cursor of the next one.
func collect(results *search.Results) (page []match, next string, err error) {
	for event := range results.Events() {
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

// firstOf are the first n of some entries, of which a store was asked for one more.
func firstOf[T any](all []T, n int) (page []T, more bool) {
	return all[:min(len(all), n)], len(all) > n
}
