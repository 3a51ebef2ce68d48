package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kith"
	"kith/index"
	"kith/index/analysis"
	"kith/internal/network"
	"kith/internal/search/proximity"
	"kith/query/prompt"
)

// reach finds the people within the caller's reach. Later pages of a walk reuse the circle of its first page, so that
// no import in between makes a person appear twice.
func (j *job) reach(ctx context.Context, steps []step) (err error) {
	if j.scope != ScopeNetwork || j.list != nil {
		return nil
	}
	actor, has := j.hasNetwork()
	if !has {
		j.noNetwork()
		return nil
	}
	if j.filter, has = j.networkFilter(steps); !has {
		return nil
	}
	return j.withinBudget(ctx, func(ctx context.Context) error {
		if j.resume {
			j.circle, err = j.svc.cfg.Network.At(ctx, actor, j.walk.Circle)
		} else {
			j.circle, err = j.svc.cfg.Network.Now(ctx, actor, j.filter)
		}
		if err != nil {
			return err
		}
		j.walk.Circle = j.circle.ID
		if j.circle.Size() == 0 {
			j.circle = nil // an empty network is none
		}
		return j.tellNetwork(ctx, actor, steps)
	})
}

// hasNetwork returns the caller, and whether the caller has a network.
func (j *job) hasNetwork() (actor kith.Actor, has bool) {
	actor, signedIn := kith.ActorFrom(j.ctx)
	return actor, signedIn && j.svc.cfg.Network != nil
}

// withinBudget runs f before the results, on the search's time budget.
func (j *job) withinBudget(ctx context.Context, f func(context.Context) error) error {
	began := time.Now()
	ctx, b := newBudget(ctx, j.svc.cfg.Budget-j.spent)
	defer func() { b.stop(); j.spent += time.Since(began) }()
	err := f(ctx)
	if errors.Is(context.Cause(ctx), errBudget) && err != nil {
		return overBudget(err)
	}
	return err
}

// narrowed reports whether the search is limited to people within reach.
func (j *job) narrowed() bool { return j.walk.Network != nil || j.within != nil }

// withinReach reports whether a person at a position is within the caller's reach.
func (j *job) withinReach(at index.Cursor) bool {
	return j.circle != nil && (j.narrowed() || proximity.WithinReach(at.Stage))
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
		last, _ = lastContactOf(l.After, l.Before, l.Channel)
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
func (j *job) beginsInside() bool {
	return j.circle != nil && (!j.resume || j.withinReach(j.at.Cursor))
}

// leaveNetwork records that everyone within reach was yielded. If the previous page ended with the last of them, it has
// already reported the end of the stage.
func (r *run) leaveNetwork() {
	if !r.inside {
		return
	}
	r.inside = false
	r.meta.NetworkStageComplete = true
	if !r.resume || r.near > 0 {
		r.emit(StageEnd{Stage: ScopeNetwork, Complete: true, Results: r.at.Network + r.near})
	}
}

// sourceOf returns the source of the people on a page.
func (r *run) sourceOf() string {
	switch {
	case r.circle == nil:
		return r.meta.Source
	case r.narrowed(), r.near > 0 && r.near == r.count, r.count == 0 && r.inside:
		return ScopeNetwork
	case r.near > 0:
		return ScopeNetwork + "," + ScopeGlobal
	}
	return ScopeGlobal
}

// nearby returns the people within the caller's reach, in every scope.
func (j *job) nearby(ctx context.Context) (*network.Circle, error) {
	actor, has := j.hasNetwork()
	if j.circle != nil || j.scope == ScopeNetwork || !has {
		return j.circle, nil
	}
	return j.svc.cfg.Network.Now(ctx, actor, network.Filter{})
}

// connection is an introducer: a person through whom the caller can reach others.
type connection struct {
	SocialIdentifier string `json:"social_identifier"`
	Name             string `json:"name"`
	// Rank counts from 1, the strongest introducer first.
	Rank int `json:"rank"`
	// IsDirect is always true: the caller knows every introducer.
	IsDirect bool `json:"is_direct"`
}

// connect adds to matches how the caller is connected to each person.
func (r *run) connect(matches map[int64]*match) error {
	circle, err := r.nearby(r.ctx)
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
	if err := r.introduces(matches); err != nil {
		return err
	}
	return r.introduce(matches, second)
}

// introduce adds the caller's introducers to matches.
func (r *run) introduce(matches map[int64]*match, people []int64) error {
	actor, _ := kith.ActorFrom(r.job.ctx)
	if len(people) == 0 {
		return nil
	}
	ways, err := r.svc.cfg.Network.Introducers(r.ctx, actor, r.filter, people)
	if err != nil {
		return fmt.Errorf("looking for introducers: %w", err)
	}
	var ids []int64
	for _, list := range ways {
		for _, way := range list {
			ids = append(ids, way.Introducer.Person)
		}
	}
	records, err := r.svc.records(r.ctx, ids)
	if err != nil {
		return fmt.Errorf("reading the records of introducers: %w", err)
	}
	for id, list := range ways {
		for _, way := range list {
			if p, there := records[way.Introducer.Person]; there {
				m := matches[id]
				m.Network.Introducers = append(m.Network.Introducers, connection{
					SocialIdentifier: analysis.SocialID(p.SocialURL), Name: p.FullName, Rank: len(m.Network.Introducers) + 1,
					IsDirect: true,
				})
			}
		}
	}
	return nil
}
