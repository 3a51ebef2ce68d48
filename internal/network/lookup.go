package network

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/query/analysis"
)

// Finder looks up people at a source of fresh data.
type Finder interface {
	// Find stores the person of a profile URL as the source has them. It returns an error if the source does not have
	// them or cannot be asked.
	Find(ctx context.Context, profileURL string) error
}

// Bounds of the look-ups of one import: a thousand strangers must not mean a thousand answers to wait for.
const (
	maxLookups    = 100
	lookupsAtOnce = 8
	lookupTime    = 15 * time.Second
)

// LookUp makes imports look up profile URLs of unknown people at a source. Call it before the service is used.
func (s *Service) LookUp(f Finder) *Service {
	s.finder = f
	return s
}

// Find looks up the unknown people among the elements at the source, by profile URL only. [Service.Import] then finds
// those the source has. People not looked up in time stay unknown.
func (s *Service) Find(ctx context.Context, a kith.Actor, elements []Element) error {
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
	unknown, err := s.store.Unknown(ctx, a.UserID, profiles)
	if err != nil || len(unknown) == 0 {
		return err
	}
	err = kith.Wait(ctx, func() error { return s.find(ctx, unknown[:min(len(unknown), maxLookups)]) })
	if err != nil {
		return err
	}
	return ctx.Err()
}

// find looks up profiles, several at a time. Only a panic is an error: people not found fail in the import.
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
