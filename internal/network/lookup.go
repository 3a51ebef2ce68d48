package network

import (
	"context"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Finder looks for people at a source of fresh data.
type Finder interface {
	// Find stores the person of a profile URL as the source has them; an error
	// says that it has not, or could not be asked.
	Find(ctx context.Context, profileURL string) error
}

// Bounds of the look-ups of one import: an import of a thousand strangers must
// not wait for a thousand answers.
const (
	maxLookups    = 100
	lookupsAtOnce = 8
	lookupTime    = 15 * time.Second
)

// LookUp makes imports look for profile URLs of people who are not known at a
// source. It is called before the service is used.
func (s *Service) LookUp(f Finder) *Service {
	s.finder = f
	return s
}

// lookUp looks for those who were not found, as far as they are told by a
// profile URL, and imports them again. What cannot be looked up in time stays
// not found.
func (s *Service) lookUp(ctx context.Context, user int64, entries []Entry, stored []Imported) ([]Imported, error) {
	if s.finder == nil {
		return stored, nil
	}
	var again []Entry
	var places []int
	urls := map[string]bool{}
	for i, m := range stored {
		id := entries[i].Identifier
		if m.Person != nil || !strings.Contains(id, "/") || len(urls) == maxLookups && !urls[id] {
			continue
		}
		urls[id] = true
		again, places = append(again, entries[i]), append(places, i)
	}
	if !s.findAny(ctx, urls) {
		return stored, ctx.Err()
	}
	found, err := s.store.Import(ctx, user, again)
	if err != nil {
		return nil, err
	}
	for k, i := range places {
		stored[i] = found[k]
	}
	return stored, nil
}

// findAny looks for profiles, some at a time, and reports whether there were
// any.
func (s *Service) findAny(ctx context.Context, urls map[string]bool) bool {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	found := make(chan struct{}, len(urls))
	var group errgroup.Group
	group.SetLimit(lookupsAtOnce)
	for url := range urls {
		group.Go(func() error {
			if ctx.Err() == nil && s.finder.Find(ctx, url) == nil {
				found <- struct{}{}
			}
			return nil
		})
	}
	_ = group.Wait() // nobody returns an error
	return len(found) > 0
}
