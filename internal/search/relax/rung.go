package relax

import (
	"slices"

	"kith/query"
)

// rung is one way to relax a unit.
type rung struct {
	cost int
	step step
	far  distance
	// instead replaces the unit; empty drops it.
	instead query.Filters
	// says describes instead for a reader.
	says string
	// similarity is that of a near term, 0 for other changes.
	similarity float64
}

// distance is how far from the places asked for people may live.
type distance int

const (
	// domestic: in the same country, or in the places asked for.
	domestic distance = iota
	region
	continent
	anywhere
)

// step is how much a rung changes the search.
type step int

const (
	// mild: a place is wider within its country, a country within its region; another circumstance is wider or dropped.
	mild step = iota
	// away: a place is further off.
	away
	// near: a subject or specialty has a near term.
	near
	// lost: a specialty is dropped, or part of a title: chef for pastry chef.
	lost
	// broad: only the function of a title is left, or a name or a title is given up.
	broad
)

// fitsWith reports whether a search may change in both ways: at most one of them may touch what the search is about,
// and then the place must be about the same.
func (s step) fitsWith(other step) bool {
	if s > other {
		s, other = other, s
	}
	return s == mild || other == away
}

// fitsLast reports whether a search may change in both ways if nobody comes closer: near work somewhere else.
func (s step) fitsLast(other step) bool { return min(s, other) == away && max(s, other) == near }

// Costs of relaxing.
const (
	costOfLevel, costOfFunction = 15, 30
	costOfRange, goneRange      = 10, 45
	costOfPlace, costOfRegion   = 5, 35
	gonePlace, goneElse         = 50, 40
	lostGrade, lostSpecialty    = 50, 150
)

// Costs of a near term: 1 for a synonym, up to costOfDistance more for distance in meaning, and costOfLess more for a
// general term.
// costOfOther is added for a title of other work, which comes after a missing specialty.
// costOfQualifier is that of a skill instead of a word of the title.
const costOfDistance, costOfLess, costOfOther, costOfQualifier = 40, 75, 260, 20

// Costs of what is given up last.
const (
	// goneTitle is the cost of dropping all work of a named person or at a named company, goneName that of a company or
	// a school, gonePerson that of a person: the others at Delta come before mechanics elsewhere, other John Smiths
	// before others at Delta.
	// goneWork is the cost of dropping all work otherwise: who has the skills, or is in that industry.
	goneTitle, goneName, gonePerson, goneWork = 40, 50, 60, 700
)

// rungs returns the ways to relax a unit: near terms first, dropping it last.
func (r relaxer) rungs(u unit) []rung {
	switch {
	case namesCompany(u.info.Field), u.info.Field == query.School:
		return []rung{{cost: goneName, step: broad}}
	case IsNamed(u.info.Field):
		return []rung{{cost: gonePerson, step: broad}}
	}
	rungs := r.nearTerms(u)
	for _, way := range r.qualifierAsSkill(u) {
		if !slices.ContainsFunc(rungs, func(other rung) bool { return other.says == way.says }) {
			rungs = append(rungs, way)
		}
	}
	end := rung{cost: goneElse}
	switch f := u.info.Field; {
	case isPlace(f):
		rungs = append(append(rungs, widerPlaces(u)...), regions(u)...)
		end = rung{cost: gonePlace, step: away, far: anywhere}
	case isRange(f):
		rungs = append(rungs, widerRange(u)...)
		end = rung{cost: goneRange}
	case f == query.Seniority:
		rungs = append(rungs, nextLevels(u)...)
	case f == query.Title:
		rungs = append(rungs, r.functionAndLevel(u)...)
	}
	if r.partOf(u) == subject && u.info.Field != query.Title { // a general term would lose the subject
		rungs = slices.DeleteFunc(rungs, func(way rung) bool { return way.step == lost })
	}
	return append(rungs, r.dropped(u, end)...)
}

// dropped returns the way to do without a unit, if there is one; end is that of a circumstance.
func (r relaxer) dropped(u unit, end rung) []rung {
	f := u.info.Field
	switch p := r.partOf(u); {
	case p == circumstance:
		return []rung{end}
	case p == specialty && f == query.Seniority:
		return []rung{{cost: lostGrade}}
	case p == specialty:
		return []rung{{cost: lostSpecialty, step: lost}}
	case isTopic(f) || isEmployerKind(f):
		return []rung{{cost: lostSpecialty, step: broad}}
	case isRole(f) && (r.company || r.person):
		return []rung{{cost: goneTitle, step: broad}}
	case isRole(f) && !r.further: // after all others, wherever those live
		return []rung{{cost: goneWork, step: broad, far: anywhere}}
	}
	return nil
}
