package network

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"kith"
)

// CircleStore reads what circles are made of, and stores them.
type CircleStore interface {
	GraphStore
	SharerStore
	CircleKeeper
	// Changed returns at most n people written after a record version; 0 is one whose record the caller may not see.
	Changed(ctx context.Context, a kith.Actor, records int64, n int) ([]int64, error)
	// EachTimeAt calls f with the times of everyone at organizations whose records a caller may see, in any order. i is
	// the index of the organization, which t leaves out.
	EachTimeAt(ctx context.Context, a kith.Actor, orgs []Org, f func(i int, t Time)) error
	// PeopleNamed returns the people with the given social identifiers, profile URLs, e-mail addresses or ids, in any
	// order, each once.
	PeopleNamed(ctx context.Context, a kith.Actor, identifiers []string) ([]int64, error)
	// ByRank returns people in search order: highest rank first, equal ranks by id. It leaves out deleted people.
	ByRank(ctx context.Context, people []int64) ([]Ranked, error)
}

// CircleKeeper stores the circles that later pages of walks need.
type CircleKeeper interface {
	// SaveCircle stores the encoded form of a user's circle for some days.
	SaveCircle(ctx context.Context, user int64, id string, data []byte) error
	// Circle returns what SaveCircle stored; kith.NotFound if it has expired.
	Circle(ctx context.Context, user int64, id string) ([]byte, error)
}

// Ranked is a person with the rank that orders searches.
type Ranked struct{ ID, Rank int64 }

// Circles finds the people within reach of each caller. It caches results in bounded memory, and they are never stale:
// each answer first checks whether anything changed. It is safe for concurrent use.
type Circles struct {
	store CircleStore
	now   func() time.Time
	kept  *cache
	locks userLocks
	// people is their approximate number in the dataset.
	people atomic.Int64
}

// memory is the size of the cache, in bytes.
const memory = 128 << 20

// NewCircles returns the circles over a store. A nil clock is time.Now.
func NewCircles(store CircleStore, now func() time.Time) *Circles {
	if now == nil {
		now = time.Now
	}
	return &Circles{store: store, now: now, kept: newCache(memory)}
}

// maxChanged is the most changed people for which a circle is updated; after more changes it is made anew.
const maxChanged = 5000

// Now returns the caller's current circle.
func (c *Circles) Now(ctx context.Context, a kith.Actor, f Filter) (*Circle, error) {
	s, err := c.survey(ctx, a, f)
	if err != nil {
		return nil, err
	}
	return s.circle, nil
}

// survey returns the caller's current survey.
func (c *Circles) survey(ctx context.Context, a kith.Actor, f Filter) (*survey, error) {
	stamp, err := c.stamp(ctx, a)
	if err != nil {
		return nil, err
	}
	key := "s" + strconv.FormatInt(a.UserID, 10) + f.key()
	if s, ok := c.cachedFresh(key, stamp); ok {
		return s, nil
	}
	// Concurrent callers wait for the survey under way.
	unlock, err := c.locks.lock(ctx, a.UserID)
	if err != nil {
		return nil, err
	}
	if s, ok := c.cachedFresh(key, stamp); ok {
		unlock()
		return s, nil
	}
	var made *survey
	done := make(chan error, 1)
	go func() {
		defer unlock()
		done <- kith.Safely(func() (err error) {
			made, err = c.find(context.WithoutCancel(ctx), a, f, key, stamp)
			return err
		})
	}()
	select {
	case err := <-done:
		return made, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// surveyTime is the time limit of a survey.
const surveyTime = 30 * time.Second

// find makes a survey and caches it, even if the caller has given up waiting: otherwise the caller's next search would
// start over, and give up again.
func (c *Circles) find(ctx context.Context, a kith.Actor, f Filter, key string, stamp Stamp) (*survey, error) {
	ctx, cancel := context.WithTimeout(ctx, surveyTime)
	defer cancel()
	s, err := c.renew(ctx, a, f, key, stamp)
	if err != nil {
		return nil, fmt.Errorf("circle: %w", err)
	}
	c.kept.put(key, s, s.bytes())
	return s, nil
}

func (c *Circles) cachedFresh(key string, stamp Stamp) (*survey, bool) {
	s, ok := cached[*survey](c.kept, key)
	return s, ok && s.stamp.same(stamp)
}

// renew brings the cached survey in sync, or makes a new one.
func (c *Circles) renew(ctx context.Context, a kith.Actor, f Filter, key string, stamp Stamp) (*survey, error) {
	s, kept := cached[*survey](c.kept, key)
	if !kept || !s.stamp.sameBut(stamp) || f.needsRebuild() {
		return c.newSurvey(ctx, a, f, stamp)
	}
	changed, err := c.store.Changed(ctx, a, s.stamp.Records, maxChanged+1)
	if err != nil {
		return nil, err
	}
	isContact := func(id int64) bool { return s.known.Contains(uint64(id)) }
	if len(changed) > maxChanged || slices.ContainsFunc(changed, isContact) {
		return c.newSurvey(ctx, a, f, stamp)
	}
	return c.update(ctx, s, stamp, slices.DeleteFunc(changed, func(id int64) bool { return id == 0 }))
}

// People is the approximate number of people in the dataset; 0 if unknown.
func (c *Circles) People() int { return int(c.people.Load()) }

// Keep stores a circle, so that [Circles.At] finds it for some days, in any process.
func (c *Circles) Keep(ctx context.Context, circle *Circle) error {
	if circle.ID == "" {
		return nil
	}
	saved := "k" + circle.key()
	if at, ok := cached[time.Time](c.kept, saved); ok && c.now().Sub(at) < keepAgain {
		return nil
	}
	data, err := circle.encode()
	if err != nil {
		return err
	}
	if err := c.store.SaveCircle(ctx, circle.user, circle.ID, data); err != nil {
		return err
	}
	c.kept.put(saved, c.now(), 100)
	c.kept.put(circle.key(), circle, circle.bytes())
	return nil
}

// keepAgain is the age at which a stored circle is stored again when another walk begins with it, so that it outlives
// that walk.
const keepAgain = 24 * time.Hour

func (c *Circle) key() string { return "c" + strconv.FormatInt(c.user, 10) + c.ID }

// At returns a caller's circle that [Circles.Keep] stored. It returns kith.Gone if the circle has expired, or if a
// share it was made of has been withdrawn since.
func (c *Circles) At(ctx context.Context, a kith.Actor, id string) (*Circle, error) {
	if id == "" {
		return newCircle(a.UserID, emptySets(), nil, nil)
	}
	circle, err := c.read(ctx, a.UserID, id)
	if kith.KindOf(err) == kith.NotFound {
		return nil, kith.Errorf(kith.Gone, "CURSOR_EXPIRED", "the search has expired; start it again without a cursor")
	}
	if err != nil || len(circle.sharers) == 0 {
		return circle, err
	}
	stamp, err := c.stamp(ctx, a)
	if err != nil {
		return nil, err
	}
	if !stillShared(circle.sharers, stamp.Sharers) {
		return nil, kith.Errorf(kith.Gone, "CURSOR_EXPIRED",
			"the networks shared with you have changed since the cursor was issued; start the search again without it")
	}
	return circle, nil
}

func (c *Circles) read(ctx context.Context, user int64, id string) (*Circle, error) {
	key := (&Circle{user: user, ID: id}).key()
	if circle, ok := cached[*Circle](c.kept, key); ok {
		return circle, nil
	}
	data, err := c.store.Circle(ctx, user, id)
	if err != nil {
		return nil, err
	}
	circle, err := decodeCircle(id, data)
	if err == nil && circle.user != user {
		err = errCircle
	}
	if err != nil {
		return nil, err
	}
	c.kept.put(key, circle, circle.bytes())
	return circle, nil
}

// ByRank returns the people of a class in search order, in a rank epoch.
func (c *Circles) ByRank(ctx context.Context, circle *Circle, class Class, epoch int64) ([]Ranked, error) {
	key := circle.key() + ":" + strconv.Itoa(int(class)) + ":" + strconv.FormatInt(epoch, 10)
	if ranked, ok := cached[[]Ranked](c.kept, key); ok {
		return ranked, nil
	}
	ranked, err := c.store.ByRank(ctx, circle.PeopleOf(class))
	if err != nil {
		return nil, err
	}
	c.kept.put(key, ranked, 16*len(ranked)+100)
	return ranked, nil
}

// HasContacts reports whether any contacts of the caller are stored.
func (c *Circles) HasContacts(ctx context.Context, a kith.Actor) (bool, error) {
	last, err := c.store.LastContacts(ctx, a.UserID, "")
	return len(last) > 0, err
}

// Introducers returns who can introduce the caller to each of some people, by person: the strongest first, at most
// MaxIntroducers, limited by the filter.
func (c *Circles) Introducers(ctx context.Context, a kith.Actor, f Filter,
	targets []int64,
) (map[int64][]Introduction, error) {
	out := map[int64][]Introduction{}
	s, err := c.survey(ctx, a, f)
	if err != nil || s.graph == nil || len(targets) == 0 {
		return out, err
	}
	g, times, err := c.towards(ctx, s, targets)
	if err != nil {
		return nil, err
	}
	for _, id := range targets {
		out[id] = g.introductions(MaxIntroducers, id, times[id], f.bond)
	}
	return out, nil
}

// towards returns a survey's graph with all that the introductions to some people need, and the times that these people
// spent where the contacts were.
func (c *Circles) towards(ctx context.Context, s *survey, people []int64) (*graph, map[int64][]Time, error) {
	times, err := c.store.TimesOf(ctx, people)
	if err != nil {
		return nil, nil, err
	}
	g := *s.graph
	var common []Org
	of := map[int64][]Time{}
	for _, t := range times {
		if len(g.at[t.Org]) > 0 {
			common, of[t.Person] = append(common, t.Org), append(of[t.Person], t)
		}
	}
	if err := c.readSizes(ctx, &g, common); err != nil {
		return nil, nil, err
	}
	g.shared, err = c.sharedWith(ctx, s, people)
	return &g, of, err
}

// readSizes reads the sizes of organizations for a graph.
func (c *Circles) readSizes(ctx context.Context, g *graph, orgs []Org) error {
	var companies []int64
	for _, p := range orgs {
		if p.Company != 0 {
			companies = append(companies, p.Company)
		}
	}
	sizes, err := c.store.Sizes(ctx, companies)
	g.size = func(id int64) int { return sizes[id] }
	return err
}

// sharedWith returns the relationships to some people that the sharers of a survey share, by person.
func (c *Circles) sharedWith(ctx context.Context, s *survey, targets []int64) (map[int64][]Shared, error) {
	ids := kith.Each(s.stamp.Sharers, func(sharer Sharer) int64 { return sharer.Introducer })
	return c.shared(ctx, s.caller.UserID, ids, targets)
}

// shared returns the relationships to some people that introducers share with a user, by person.
func (c *Circles) shared(ctx context.Context, user int64, introducers, targets []int64) (map[int64][]Shared, error) {
	if len(introducers) == 0 {
		return nil, nil
	}
	edges, err := c.store.Shared(ctx, user, introducers, targets)
	out := map[int64][]Shared{}
	for _, e := range edges {
		out[e.Target] = append(out[e.Target], e)
	}
	return out, err
}
