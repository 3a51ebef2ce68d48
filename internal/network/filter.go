package network

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// Filter narrows the people within a caller's reach. The zero value is everyone within two degrees.
//
// Conditions on the introducer apply to the caller's relationship to the introducer, and in degree 1, which has no
// introducer, to the relationship to the person. Introducers, TargetKinds and TargetLeast apply to introductions only:
// any of them excludes degree 1.
type Filter struct {
	// Degrees are 1, 2 or both; empty is both.
	Degrees []int
	// Introducers identify the only people who may introduce; empty is anyone. People the caller does not know
	// introduce no one.
	Introducers []string
	// IntroducerKinds requires one of these kinds of the caller's relationship; empty is any. IntroducerLeast is its
	// minimum label.
	IntroducerKinds KindSet
	IntroducerLeast Label
	// TargetKinds and TargetLeast require the same of one bond between introducer and person.
	TargetKinds KindSet
	TargetLeast Label
	// NoTeams and NoCommunity exclude relationships shared by others.
	NoTeams, NoCommunity bool
	// ByStrength orders the people of degree 1 by the score of the relationship: see [Circle.Strengths]. It requires
	// degree 1 alone.
	ByStrength bool
	// LastContact applies to the caller's relationship, too. ByLastContact orders the people of degree 1 by the day of
	// the last contact that counts, latest first. It requires degree 1 alone.
	LastContact   LastContact
	ByLastContact bool
	// Introducing limits degree 1 to these people, who come first, ordered by the score of the relationship, and to
	// those who know one of them, ordered by the score of the strongest path to any. TargetKinds and TargetLeast apply
	// to the bond between the two. Degrees and Introducers must be empty.
	Introducing []int64
}

func (f Filter) degree(d int) bool { return len(f.Degrees) == 0 || slices.Contains(f.Degrees, d) }

// direct reports whether degree 1 is included.
func (f Filter) direct() bool {
	return f.degree(1) && len(f.Introducers) == 0 && f.TargetKinds == 0 && f.TargetLeast == Unlabelled
}

// knows reports whether a relationship of the caller passes.
func (f Filter) knows(c Contact) bool {
	return (f.IntroducerKinds == 0 || c.Kinds&f.IntroducerKinds != 0) && c.Score >= f.IntroducerLeast.Least()
}

// inTouch reports whether the last contact with a person passes.
func (f Filter) inTouch(last map[int64]Day, person int64) bool {
	if !f.LastContact.Asked {
		return true
	}
	day, ok := last[person]
	return f.LastContact.isSatisfiedBy(day, ok)
}

// sortKey is the sort key of people of degree 1. People without any contact come last.
func (f Filter) sortKey(c Contact, last map[int64]Day) float64 {
	if !f.ByLastContact {
		return c.Score
	}
	if day, ok := last[c.Person]; ok {
		return float64(day)
	}
	return -1
}

// kind reports whether bonds of a kind may pass.
func (f Filter) kind(k Kind) bool {
	switch {
	case k == Team && f.NoTeams, k == Community && f.NoCommunity:
		return false
	}
	return f.TargetKinds == 0 || f.TargetKinds&KindsOf(k) != 0
}

// needsRebuild reports whether a circle must be rebuilt whenever records change: the strength of bonds also depends on
// companies, and identifiers on names.
func (f Filter) needsRebuild() bool {
	return f.TargetLeast != Unlabelled || len(f.Introducers) > 0 || len(f.Introducing) > 0
}

// bond reports whether a bond passes.
func (f Filter) bond(b Bond) bool { return f.kind(b.Kind) && b.Score >= f.TargetLeast.Least() }

// key identifies a filter in cache keys. It is a digest, because a filter may name a thousand introducers, and cache
// keys do not count as memory.
func (f Filter) key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", f))
	return string(sum[:])
}

// bytes estimates the memory used by the introducers.
func (f Filter) bytes() int {
	n := 0
	for _, id := range f.Introducers {
		n += len(id) + 16
	}
	return n
}
