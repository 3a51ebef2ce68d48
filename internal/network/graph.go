package network

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// Contact is a relationship of the caller, reduced to what the graph needs.
type Contact struct {
	Person int64
	Score  float64
	Kinds  KindSet
}

// Day counts days since 1970-01-01.
type Day = int32

// Open is the end of a period that is still going on.
const Open Day = math.MaxInt32

// Time is a period that a person spent at a company or school.
type Time struct {
	Person int64
	Org    Org
	// From and To are the first and the last day.
	From, To Day
}

// Org is a company, by id, or a school, by its folded name.
type Org struct {
	Company int64
	School  string
}

// Shared is a relationship shared by another user of the app, the Introducer, a contact of the caller.
type Shared struct {
	Introducer, Target int64
	Score              float64
	// Kind is Team or Community: the way it is shared.
	Kind Kind
}

// Bond is one reason why two people know each other.
type Bond struct {
	Kind  Kind
	Score float64
	// Org, From and To describe time spent together; To is Open if it is still going on.
	Org      Org
	From, To Day
}

// Introduction is a person who knows both the caller and a target.
type Introduction struct {
	Introducer Contact
	// Bonds are the reasons, strongest first; the first one is the strength of the relationship to the target.
	Bonds []Bond
}

// Score is the strength of the path over the introducer.
func (i Introduction) Score() float64 { return PathScore(i.Introducer.Score, i.Bonds[0].Score) }

// graph finds introductions between the contacts of one caller and others. It is immutable once built.
type graph struct {
	contacts map[int64]Contact
	// at holds the times of the contacts by organization, those of the strongest contact first.
	at     map[Org][]Time
	shared map[int64][]Shared // by target
	// size returns the number of employees of a company, 0 if unknown.
	size  func(company int64) int
	today Day
}

// newGraph returns the graph of a caller's contacts and the times they spent at organizations.
func newGraph(contacts []Contact, times []Time, today Day) *graph {
	g := &graph{contacts: map[int64]Contact{}, at: map[Org][]Time{}, today: today}
	for _, c := range contacts {
		g.contacts[c.Person] = c
	}
	for _, t := range times {
		if _, known := g.contacts[t.Person]; known {
			g.at[t.Org] = append(g.at[t.Org], t)
		}
	}
	for _, list := range g.at {
		slices.SortFunc(list, func(a, b Time) int { return g.stronger(a.Person, b.Person) })
	}
	return g
}

// stronger orders contacts by score, then id.
func (g *graph) stronger(a, b int64) int {
	return cmp.Or(cmp.Compare(g.contacts[b].Score, g.contacts[a].Score), cmp.Compare(a, b))
}

// orgs lists the organizations where contacts spent time.
func (g *graph) orgs() []Org { return slices.Collect(maps.Keys(g.at)) }

// introductions returns who can introduce the caller to a person who spent these times: strongest first, at most
// limit, equal strengths ordered by the caller's relationship, then by id. No one introduces themselves. keep filters
// bonds; nil keeps all.
func (g *graph) introductions(limit int, target int64, times []Time, keep func(Bond) bool) []Introduction {
	best := newRanking(limit, g.stronger)
	add := func(introducer int64, b Bond) {
		if introducer != target && (keep == nil || keep(b)) {
			best.add(introducer, PathScore(g.contacts[introducer].Score, b.Score))
		}
	}
	for _, t := range times {
		whole, _ := g.findBond(t, t) // no bond of this time is stronger
		for _, other := range g.at[t.Org] {
			if PathScore(g.contacts[other.Person].Score, whole.Score) < best.least() {
				break // the list is sorted
			}
			if b, ok := g.findBond(t, other); ok {
				add(other.Person, b)
			}
		}
	}
	for _, s := range g.shared[target] {
		if _, known := g.contacts[s.Introducer]; known {
			add(s.Introducer, s.bond())
		}
	}
	return g.introduce(times, g.shared[target], keep, best)
}

// introduce returns the people of a ranking as introducers, with all their bonds.
func (g *graph) introduce(times []Time, shared []Shared, keep func(Bond) bool, best *ranking) []Introduction {
	bonds := map[int64][]Bond{}
	add := func(introducer int64, b Bond) {
		if keep == nil || keep(b) {
			bonds[introducer] = append(bonds[introducer], b)
		}
	}
	for _, t := range times {
		for _, other := range g.at[t.Org] {
			if !best.has(other.Person) {
				continue
			}
			if b, ok := g.findBond(t, other); ok {
				add(other.Person, b)
			}
		}
	}
	for _, s := range shared {
		if best.has(s.Introducer) {
			add(s.Introducer, s.bond())
		}
	}
	out := make([]Introduction, 0, len(bonds))
	for _, id := range best.people() {
		out = append(out, Introduction{Introducer: g.contacts[id], Bonds: sorted(bonds[id])})
	}
	return out
}

func (s Shared) bond() Bond { return Bond{Kind: s.Kind, Score: s.Score} }

// findBond returns the bond of two overlapping times at one organization.
func (g *graph) findBond(a, b Time) (Bond, bool) {
	from, to := max(a.From, b.From), min(a.To, b.To)
	if from > to || from > g.today {
		return Bond{}, false
	}
	until := min(to, g.today)
	days, ago := int(until-from)+1, int(g.today-until)
	bond := Bond{Kind: WorkedTogether, Org: a.Org, From: from, To: to}
	if a.Org.Company == 0 {
		bond.Kind, bond.Score = StudiedTogether, StudiedScore(days, ago)
	} else {
		bond.Score = WorkedScore(days, g.size(a.Org.Company), ago)
	}
	return bond, true
}

// Together returns the bonds of people with one person through times at the same organization, by person, the strongest
// first. size returns the number of employees of a company, 0 if unknown.
func Together(own, theirs []Time, size func(company int64) int, today Day) map[int64][]Bond {
	g := &graph{size: size, today: today}
	at := map[Org][]Time{}
	for _, t := range own {
		at[t.Org] = append(at[t.Org], t)
	}
	bonds := map[int64][]Bond{}
	for _, t := range theirs {
		for _, mine := range at[t.Org] {
			if b, ok := g.findBond(mine, t); ok && mine.Person != t.Person {
				bonds[t.Person] = append(bonds[t.Person], b)
			}
		}
	}
	for _, list := range bonds {
		sorted(list)
	}
	return bonds
}

// sorted sorts bonds in place, strongest first.
func sorted(bonds []Bond) []Bond {
	slices.SortStableFunc(bonds, func(a, b Bond) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.From, b.From))
	})
	return bonds
}
