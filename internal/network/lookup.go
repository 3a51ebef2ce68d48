package network

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/index/analysis"
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

// Find looks at the source for those of the elements who are not known, as far as
// they are told by a profile URL: [Service.Import] finds who the source has. Who cannot
// be looked up in time stays unknown.
func (s *Service) Find(ctx context.Context, elements []Element) error {
	if s.finder == nil {
		return nil
	}
	var profiles []string
	for _, el := range elements {
		entry, problem := el.Check(DefaultScore)
		kind, _ := analysis.Identifier(entry.Identifier)
		if problem == "" && kind == analysis.ProfileIdentifier && !slices.Contains(profiles, entry.Identifier) {
			profiles = append(profiles, entry.Identifier)
		}
	}
	unknown, err := s.store.Unknown(ctx, profiles)
	if err != nil {
		return err
	}
	if err := s.find(ctx, unknown[:min(len(unknown), maxLookups)]); err != nil {
		return err
	}
	return ctx.Err()
}

// find looks for profiles, some at a time. Only a panic is an error: whoever is
// not found fails in the import.
func (s *Service) find(ctx context.Context, profiles []string) error {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	var group errgroup.Group
	group.SetLimit(lookupsAtOnce)
	for _, profile := range profiles {
		group.Go(func() error {
			return kith.Safely(func() error {
				if ctx.Err() == nil {
					_ = s.finder.Find(ctx, profile)
				}
				return nil
			})
		})
	}
	return group.Wait()
}
