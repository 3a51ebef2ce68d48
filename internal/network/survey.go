package network

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"kith"
)

// survey is what a circle was made of, kept to update it when people change: only the contacts who may introduce, and
// when they were where.
type survey struct {
	caller kith.Actor
	filter Filter
	stamp  Stamp
	circle *Circle
	// known are all contacts of the caller; none of them can be of degree 2.
	known *roaring64.Bitmap
	graph *graph
	// ways are the people each contact can introduce the caller to, if the filter asks for that.
	ways map[int64][]Acquaintance
}

// bytes estimates the memory used by the survey.
func (s *survey) bytes() int {
	n := s.circle.bytes() + s.filter.bytes() + int(s.known.GetSizeInBytes())
	if s.graph != nil {
		n += len(s.graph.contacts) * 90
		for org, times := range s.graph.at {
			n += 100 + len(org.School) + len(times)*48
		}
	}
	for _, list := range s.ways {
		n += 60 + 16*len(list)
	}
	return n
}

// newSurvey builds the survey of a user, with its circle.
func (c *Circles) newSurvey(ctx context.Context, a kith.Actor, f Filter, stamp Stamp) (*survey, error) {
	s := &survey{caller: a, filter: f, stamp: stamp, known: roaring64.New()}
	contacts, err := c.store.Contacts(ctx, a.UserID)
	if err != nil {
		return nil, err
	}
	for _, contact := range contacts {
		s.known.Add(uint64(contact.Person))
	}
	last, err := c.lastContacts(ctx, a.UserID, f)
	if err != nil {
		return nil, err
	}
	contacts = slices.DeleteFunc(contacts, func(contact Contact) bool { return !f.inTouch(last, contact.Person) })
	if len(f.Introducing) > 0 {
		return s, c.introducing(ctx, s, contacts)
	}
	sets := emptySets()
	scores := map[int64]float64{}
	for _, contact := range contacts {
		if f.direct() && f.knows(contact) {
			sets[classify(1, contact.Score)].Add(uint64(contact.Person))
			scores[contact.Person] = f.sortKey(contact, last)
		}
	}
	if f.ByStrength || f.ByLastContact {
		s.circle, err = newCircle(a.UserID, sets, groupByScore(scores), nil)
		return s, err
	}
	var sharers []Sharer
	if f.degree(2) && len(contacts) > 0 {
		if err := c.introducers(ctx, s, contacts); err != nil {
			return nil, err
		}
		if err := c.secondDegree(ctx, s, &sets); err != nil {
			return nil, err
		}
		sharers = stamp.Sharers
	}
	s.circle, err = newCircle(a.UserID, sets, nil, sharers)
	return s, err
}

// lastContacts returns the days of last contact, if the filter needs them.
func (c *Circles) lastContacts(ctx context.Context, user int64, f Filter) (map[int64]Day, error) {
	if !f.LastContact.Asked && !f.ByLastContact {
		return nil, nil
	}
	return c.store.LastContacts(ctx, user, f.LastContact.Kind)
}

// introducers builds the graph of the contacts who may introduce.
func (c *Circles) introducers(ctx context.Context, s *survey, contacts []Contact) error {
	var only []int64
	if len(s.filter.Introducers) > 0 {
		named, err := c.store.PeopleNamed(ctx, s.caller, s.filter.Introducers)
		if err != nil {
			return err
		}
		only = named
		slices.Sort(only)
	}
	may := slices.DeleteFunc(contacts, func(contact Contact) bool {
		_, named := slices.BinarySearch(only, contact.Person)
		return !s.filter.knows(contact) || len(s.filter.Introducers) > 0 && !named
	})
	times, err := c.store.TimesOf(ctx, idsOf(may))
	if err != nil {
		return err
	}
	s.graph = newGraph(may, times, s.stamp.Day)
	if s.filter.TargetLeast == Unlabelled {
		return nil // sizes matter only for a minimum strength of bonds
	}
	return c.readSizes(ctx, s.graph, s.graph.orgs())
}

// secondDegree adds everyone known to an introducer.
func (c *Circles) secondDegree(ctx context.Context, s *survey, sets *[Classes]*roaring64.Bitmap) error {
	orgs := s.graph.orgs()
	lists := kith.Each(orgs, func(p Org) []Time { return s.graph.at[p] })
	add := func(person int64, score float64) {
		sets[classify(2, score)].Add(uint64(person))
	}
	if s.filter.kind(WorkedTogether) || s.filter.kind(StudiedTogether) {
		err := c.store.EachTimeAt(ctx, s.caller, orgs, func(i int, t Time) {
			t.Org = orgs[i]
			if contact, ok := s.graph.strongest(lists[i], t, s.filter); ok {
				add(t.Person, contact.Score)
			}
		})
		if err != nil {
			return err
		}
	}
	if err := c.addShared(ctx, s, nil, add); err != nil {
		return err
	}
	s.separateClasses(sets)
	return nil
}

// addShared adds everyone that an introducer shares; targets, unless nil, restricts the people added.
func (c *Circles) addShared(ctx context.Context, s *survey, targets []int64, add func(int64, float64)) error {
	return c.eachShared(ctx, s, targets, func(e Shared, contact Contact) {
		if s.filter.bond(Bond{Kind: e.Kind, Score: e.Score}) {
			add(e.Target, contact.Score)
		}
	})
}

// eachShared calls f with the relationships shared by contacts who may introduce, except those to themselves.
func (c *Circles) eachShared(ctx context.Context, s *survey, targets []int64, f func(Shared, Contact)) error {
	var ids []int64
	for _, sharer := range s.stamp.Sharers {
		if _, may := s.graph.contacts[sharer.Introducer]; may {
			ids = append(ids, sharer.Introducer)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	edges, err := c.store.Shared(ctx, s.caller.UserID, ids, targets)
	for _, e := range edges {
		if contact, may := s.graph.contacts[e.Introducer]; may && e.Target != e.Introducer {
			f(e, contact)
		}
	}
	return err
}

// separateClasses keeps each person in the closest class only, and no contact in degree 2.
func (s *survey) separateClasses(sets *[Classes]*roaring64.Bitmap) {
	closer := s.known.Clone()
	for i := labels; i < Classes; i++ {
		sets[i].AndNot(closer)
		closer.Or(sets[i])
	}
}

// strongest returns the strongest contact who was at an organization at the same time as t. The list is sorted,
// strongest first.
func (g *graph) strongest(list []Time, t Time, f Filter) (Contact, bool) {
	kind := WorkedTogether
	if t.Org.Company == 0 {
		kind = StudiedTogether
	}
	if !f.kind(kind) || !g.possible(t.Org, f) {
		return Contact{}, false
	}
	for _, other := range list {
		if other.Person == t.Person || t.From > other.To || other.From > t.To || max(t.From, other.From) > g.today {
			continue
		}
		if f.TargetLeast != Unlabelled {
			if b, ok := g.findBond(t, other); !ok || !f.bond(b) {
				continue
			}
		}
		return g.contacts[other.Person], true
	}
	return Contact{}, false
}

// possible reports whether a bond at an organization can reach the filter's minimum.
func (g *graph) possible(p Org, f Filter) bool {
	switch {
	case f.TargetLeast == Unlabelled:
		return true
	case p.Company == 0:
		return MaxScore*schoolCloseness >= f.TargetLeast.Least()
	}
	return MaxScore*companyCloseness(g.size(p.Company)) >= f.TargetLeast.Least()
}

// update brings a survey in sync with changed people whose records the caller may see, none of them a contact.
func (c *Circles) update(ctx context.Context, old *survey, stamp Stamp, changed []int64) (*survey, error) {
	s := *old
	s.stamp = stamp
	if s.graph == nil || len(changed) == 0 {
		return &s, nil
	}
	var sets [Classes]*roaring64.Bitmap
	for i, set := range old.circle.sets {
		sets[i] = set.Clone()
		if i >= labels {
			for _, id := range changed {
				sets[i].Remove(uint64(id))
			}
		}
	}
	times, err := c.store.TimesOf(ctx, changed)
	if err != nil {
		return nil, err
	}
	add := func(person int64, score float64) {
		sets[classify(2, score)].Add(uint64(person))
	}
	for _, t := range times {
		if contact, ok := s.graph.strongest(s.graph.at[t.Org], t, s.filter); ok {
			add(t.Person, contact.Score)
		}
	}
	if err := c.addShared(ctx, &s, changed, add); err != nil {
		return nil, err
	}
	s.separateClasses(&sets)
	s.circle, err = newCircle(s.caller.UserID, sets, nil, old.circle.sharers)
	return &s, err
}
