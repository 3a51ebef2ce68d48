package search

import (
	"context"
	"fmt"

	"kith"
	"kith/index"
	"kith/internal/network"
	"kith/internal/search/proximity"
	"kith/query/analysis"
	"kith/query/prompt"
)

// reach finds the people within the caller's reach; notes are remarks for the caller. Later pages of a walk reuse the
// circle of its first page, so that no import in between makes a person appear twice.
func (f *follower) reach(ctx context.Context, steps []step) (_ networkPart, notes []string, err error) {
	actor, has := f.hasNetwork()
	if !has {
		if f.within != nil {
			notes = []string{"this search has no user and therefore no network, so no one matches"}
		}
		return f.networkPart, notes, nil
	}
	if f.filter, has = f.networkFilter(steps); !has {
		return f.networkPart, nil, nil
	}
	err = f.left.within(ctx, func(ctx context.Context) error {
		if f.resume {
			f.circle, err = f.svc.cfg.Network.At(ctx, actor, f.walk.Circle)
		} else {
			f.circle, err = f.svc.cfg.Network.Now(ctx, actor, f.filter)
		}
		if err != nil {
			return err
		}
		f.circleID = f.circle.ID
		if f.circle.Size() == 0 {
			f.circle = nil // an empty network is none
		}
		notes, err = f.networkNotes(ctx, actor, steps)
		return err
	})
	return f.networkPart, notes, err
}

// hasNetwork returns the user who searches, and whether there is a network.
func (s *checkedRequest) hasNetwork() (actor kith.Actor, has bool) {
	actor, signedIn := s.viewer.User()
	return actor, signedIn && s.svc.cfg.Network != nil
}

// isNarrowed reports whether the search is limited to people within reach.
func (s *search) isNarrowed() bool { return s.walk.Network != nil || s.within != nil }

// withinReach reports whether a person at a position is within the caller's reach.
func (s *search) withinReach(at index.Cursor) bool {
	return s.circle != nil && (s.isNarrowed() || proximity.WithinReach(at.Stage))
}

// filter converts network filters to the type of package network.
func (f *NetworkFilters) filter() network.Filter {
	if f == nil {
		return network.Filter{}
	}
	kinds := func(names []string) network.KindSet {
		var set network.KindSet
		for _, name := range names {
			set |= network.KindsOf(network.Kind(name))
		}
		return set
	}
	// Labels have been checked; an absent one sets no minimum.
	toIntroducer, _ := network.ParseLabel(f.UserToIntroducerMinScore)
	toTarget, _ := network.ParseLabel(f.IntroducerToTargetMinScore)
	var last network.LastContact
	if l := f.LastContact; l != nil {
		last, _ = parseLastContact(l.After, l.Before, l.Channel)
	}
	return network.Filter{
		LastContact: last, ByStrength: f.Order == string(prompt.ByStrength),
		ByLastContact: f.Order == string(prompt.ByLastContact),
		Degrees:       f.ConnectionDegrees, Introducers: f.IntroducerSocialIDs,
		IntroducerKinds: kinds(f.UserToIntroducerTypes), IntroducerLeast: toIntroducer,
		TargetKinds: kinds(f.IntroducerToTargetTypes), TargetLeast: toTarget,
		NoTeams: f.ExcludeTeams, NoCommunity: f.ExcludeCommunity,
	}
}

// beginsInside reports whether the page begins among people within reach.
func (s *search) beginsInside() bool {
	return s.circle != nil && (!s.resume || s.at.Closest == 0 && s.withinReach(s.at.Cursor))
}

// leaveNetwork records that everyone within reach was yielded. If the previous page ended with the last of them, it has
// already reported the end of the stage.
func (r *execution) leaveNetwork() {
	if !r.inside {
		return
	}
	r.inside = false
	r.meta.NetworkStageComplete = true
	if !r.resume || r.near > 0 {
		r.emit(StageEnd{Stage: ScopeNetwork, Complete: true, Results: r.at.Network + r.near})
	}
}

// pageSource returns the source of the people on a page.
func (r *execution) pageSource() string {
	switch {
	case r.circle == nil:
		return r.meta.Source
	case r.isNarrowed(), r.near > 0 && r.near == r.count, r.count == 0 && r.inside:
		return ScopeNetwork
	case r.near > 0:
		return ScopeNetwork + "," + ScopeGlobal
	}
	return ScopeGlobal
}

// nearby returns the people within the caller's reach, in every scope.
func (s *search) nearby(ctx context.Context) (*network.Circle, error) {
	actor, has := s.hasNetwork()
	if s.circle != nil || s.scope == ScopeNetwork || !has {
		return s.circle, nil
	}
	return s.svc.cfg.Network.Now(ctx, actor, network.Filter{})
}

// connection is an introducer: a person who can introduce the caller to others.
type connection struct {
	SocialIdentifier string `json:"social_identifier"`
	Name             string `json:"name"`
	// Rank counts from 1, the strongest introducer first.
	Rank int `json:"rank"`
	// IsDirect is always true: the caller knows every introducer.
	IsDirect bool `json:"is_direct"`
}

// connect adds to matches how the caller is connected to each person.
func (r *execution) connect(ctx context.Context, matches map[int64]*match) error {
	circle, err := r.nearby(ctx)
	if err != nil || circle == nil {
		return err
	}
	var second []int64
	for id, m := range matches {
		class, ok := circle.Of(id)
		if !ok {
			continue
		}
		degree := class.Degree()
		m.Network.Degree = &degree
		if degree > 1 {
			second = append(second, id)
		}
	}
	if err := r.introduces(ctx, matches); err != nil {
		return err
	}
	return r.introduce(ctx, matches, second)
}

// introduce adds the caller's introducers to matches.
func (r *execution) introduce(ctx context.Context, matches map[int64]*match, people []int64) error {
	actor, _ := r.viewer.User()
	if len(people) == 0 {
		return nil
	}
	ways, err := r.svc.cfg.Network.Introducers(ctx, actor, r.filter, people)
	if err != nil {
		return fmt.Errorf("looking for introducers: %w", err)
	}
	var ids []int64
	for _, list := range ways {
		for _, way := range list {
			ids = append(ids, way.Introducer.Person)
		}
	}
	records, err := r.svc.records(ctx, r.viewer, ids)
	if err != nil {
		return fmt.Errorf("reading the records of introducers: %w", err)
	}
	for id, list := range ways {
		for _, way := range list {
			if p, there := records[way.Introducer.Person]; there {
				m := matches[id]
				m.Network.Introducers = append(m.Network.Introducers, connection{
					SocialIdentifier: analysis.SocialID(p.SocialURL), Name: p.FullName,
					Rank:     len(m.Network.Introducers) + 1,
					IsDirect: true,
				})
			}
		}
	}
	return nil
}
