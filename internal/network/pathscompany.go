package network

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"kith"
)

// AtCompany returns the paths to people who work at one of the companies today, strongest first, equal strengths by
// person id. Several are the records of one company. It leaves out people without a path, and returns at most limit;
// total is how many are reached.
//
// total is the company's part of the caller's circle. The search for the strongest paths goes organization by
// organization, most promising first, and stops when no remaining organization can have a stronger path than those
// found.
func (c *Circles) AtCompany(ctx context.Context, a kith.Actor, companies []int64,
	limit int,
) (best []Paths, total int, err error) {
	s, err := c.survey(ctx, a, Filter{})
	if err != nil || s.graph == nil {
		return nil, 0, err
	}
	reached, err := c.reached(ctx, s, companies)
	if err != nil || reached.IsEmpty() {
		return nil, 0, err
	}
	ranking := newRanking(limit, cmp.Compare[int64])
	g := *s.graph
	if err := c.rankKnown(ctx, s, reached, ranking); err != nil {
		return nil, 0, err
	}
	if err := c.rankIntroduced(ctx, a, &g, reached, ranking); err != nil {
		return nil, 0, err
	}
	people := ranking.people()
	towards, times, err := c.towards(ctx, s, people)
	if err != nil {
		return nil, 0, err
	}
	return towards.paths(people, times), int(reached.GetCardinality()), nil
}

// reached returns the people of some companies within the caller's reach.
func (c *Circles) reached(ctx context.Context, s *survey, companies []int64) (*roaring64.Bitmap, error) {
	reached := roaring64.New()
	err := c.store.Employees(ctx, s.caller.Viewer(), companies, s.circle.Contains,
		func(person int64) { reached.Add(uint64(person)) })
	return reached, err
}

// rankKnown ranks the paths that need no one's times: to the caller's contacts, and through shared relationships.
func (c *Circles) rankKnown(ctx context.Context, s *survey, reached *roaring64.Bitmap, ranking *ranking) error {
	for id, contact := range s.graph.contacts {
		if reached.Contains(uint64(id)) {
			ranking.add(id, contact.Score)
		}
	}
	return c.eachShared(ctx, s, nil, func(e Shared, contact Contact) {
		if reached.Contains(uint64(e.Target)) {
			ranking.add(e.Target, PathScore(contact.Score, e.Score))
		}
	})
}

// spot is an organization with an upper bound on the strength of paths through it.
type spot struct {
	org  Org
	most float64
}

// Organizations are searched in batches of growing size.
const (
	firstSpots = 16
	mostSpots  = 4096
)

// rankIntroduced ranks the paths through people who were at the same organizations.
func (c *Circles) rankIntroduced(ctx context.Context, a kith.Actor, g *graph, reached *roaring64.Bitmap,
	ranking *ranking,
) error {
	spots := g.spots()
	for n := firstSpots; len(spots) > 0 && spots[0].most >= ranking.least(); n = min(4*n, mostSpots) {
		piece := spots[:min(n, len(spots))]
		spots = spots[len(piece):]
		orgs := kith.Each(piece, func(s spot) Org { return s.org })
		if err := c.readSizes(ctx, g, orgs); err != nil {
			return err
		}
		orgs = slices.DeleteFunc(orgs, func(p Org) bool { return g.most(g.at[p]) < ranking.least() })
		err := c.store.EachTimeAt(ctx, a, orgs, func(i int, t Time) {
			t.Org = orgs[i]
			if reached.Contains(uint64(t.Person)) {
				g.rank(t, ranking)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// spots returns the organizations of the contacts, most promising first. It assumes the smallest company size, so that
// sorting needs no sizes.
func (g *graph) spots() []spot {
	small := *g
	small.size = func(int64) int { return 1 }
	out := make([]spot, 0, len(g.at))
	for p, list := range g.at {
		out = append(out, spot{p, small.most(list)})
	}
	slices.SortFunc(out, func(a, b spot) int { return cmp.Compare(b.most, a.most) })
	return out
}

// most is an upper bound on the strength of paths through some times at an organization: nobody spent more time there
// with a contact than the contact did.
func (g *graph) most(list []Time) float64 {
	most := 0.0
	for _, t := range list {
		score := g.contacts[t.Person].Score
		if score <= most {
			break // the list is sorted, and no bond exceeds the highest score
		}
		if whole, ok := g.findBond(t, t); ok {
			most = max(most, PathScore(score, whole.Score))
		}
	}
	return most
}

// rank adds a person to the ranking for a time at an organization.
func (g *graph) rank(t Time, ranking *ranking) {
	// Equal strengths are ordered by id, so a path as strong as the weakest must be considered, too.
	before, there := ranking.scores[t.Person]
	if !there {
		before = unreached
	}
	least := max(before, math.Nextafter(ranking.least(), unreached))
	if score := g.strongestWay(g.at[t.Org], t, least); score > least {
		ranking.add(t.Person, score)
	}
}

// unreached is less than the strength of any path.
const unreached = -1

// strongestWay returns the strength of the strongest path through the contacts of a list, who were at the organization
// of a time, or least if no path is stronger. The list is sorted, strongest first, which allows it to stop early.
func (g *graph) strongestWay(list []Time, t Time, least float64) float64 {
	whole, ok := g.findBond(t, t)
	if !ok {
		return least
	}
	for _, other := range list {
		contact := g.contacts[other.Person]
		if PathScore(contact.Score, whole.Score) <= least {
			break
		}
		if b, met := g.findBond(t, other); met && other.Person != t.Person {
			least = max(least, PathScore(contact.Score, b.Score))
		}
	}
	return least
}
