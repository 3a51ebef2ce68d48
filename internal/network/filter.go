package network

import (
	"crypto/sha256"
	"fmt"
	"slices"
)

// Filter narrows who is within reach of a caller. The zero value is everyone
// within two degrees.
//
// What is asked of the introducer is asked of the caller's relationship to the
// introducer, and in degree 1, where no one introduces, to the person. What is
// asked by Introducers, TargetKinds and TargetLeast only introductions can
// have, so that any of them leaves degree 1 out.
type Filter struct {
	// Degrees are 1, 2 or both; none is both.
	Degrees []int
	// Introducers are identifiers of the only people who may
	// introduce; none is any. Whoever the caller does not know introduces no one.
	Introducers []string
	// IntroducerKinds are kinds of which the caller's relationship has one; none
	// is any. IntroducerLeast is its least label.
	IntroducerKinds KindSet
	IntroducerLeast Label
	// TargetKinds and TargetLeast ask the same of one bond between introducer
	// and person.
	TargetKinds KindSet
	TargetLeast Label
	// NoTeams and NoCommunity leave out what others share.
	NoTeams, NoCommunity bool
	// ByStrength orders the people of degree 1 by the score of the relationship:
	// see [Circle.Strengths]. It is for degree 1 alone.
	ByStrength bool
	// LastContact is asked of the caller's relationship, too. ByLastContact orders the
	// people of degree 1 by the day of the last contact that counts, the latest first.
	// It is for degree 1 alone.
	LastContact   LastContact
	ByLastContact bool
	// Introducing leaves those of degree 1 who know one of these people, ordered by
	// the score of the strongest path to any of them. TargetKinds and TargetLeast
	// are asked of the bond between the two. Degrees and Introducers count for
	// nothing.
	Introducing []int64
}

func (f Filter) degree(d int) bool { return len(f.Degrees) == 0 || slices.Contains(f.Degrees, d) }

// direct reports whether degree 1 is within reach.
func (f Filter) direct() bool {
	return f.degree(1) && len(f.Introducers) == 0 && f.TargetKinds == 0 && f.TargetLeast == Unlabelled
}

// knows reports whether a relationship of the caller will do.
func (f Filter) knows(c Contact) bool {
	return (f.IntroducerKinds == 0 || c.Kinds&f.IntroducerKinds != 0) && c.Score >= f.IntroducerLeast.Least()
}

// inTouch reports whether the last contact with a person will do.
func (f Filter) inTouch(last map[int64]Day, person int64) bool {
	if !f.LastContact.Asked {
		return true
	}
	day, ok := last[person]
	return f.LastContact.holds(day, ok)
}

// orderOf is what the people of degree 1 are ordered by. Whoever there never was
// contact with comes last.
func (f Filter) orderOf(c Contact, last map[int64]Day) float64 {
	if !f.ByLastContact {
		return c.Score
	}
	if day, ok := last[c.Person]; ok {
		return float64(day)
	}
	return -1
}

// kind reports whether a bond of a kind may do.
func (f Filter) kind(k Kind) bool {
	switch {
	case k == Team && f.NoTeams, k == Community && f.NoCommunity:
		return false
	}
	return f.TargetKinds == 0 || f.TargetKinds&KindsOf(k) != 0
}

// madeAnew reports whether a circle is made anew whenever records change: how
// strong bonds are depends on companies, too, and who is named on names.
func (f Filter) madeAnew() bool {
	return f.TargetLeast != Unlabelled || len(f.Introducers) > 0 || len(f.Introducing) > 0
}

// bond reports whether a bond will do.
func (f Filter) bond(b Bond) bool { return f.kind(b.Kind) && b.Score >= f.TargetLeast.Least() }

// key tells filters apart. It is a digest, since a filter may name a thousand
// introducers, and the keys of caches are not counted as memory.
func (f Filter) key() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%#v", f))
	return string(sum[:])
}

// bytes is about how much memory the introducers take.
func (f Filter) bytes() int {
	n := 0
	for _, id := range f.Introducers {
		n += len(id) + 16
	}
	return n
}
