package network

import (
	"fmt"
	"slices"
	"strings"

	"kith"
)

// Kind is the nature of a relationship.
type Kind string

// The kinds of relationship.
const (
	SocialContact   Kind = "social_contact"
	WorkedTogether  Kind = "worked_together"
	StudiedTogether Kind = "studied_together"
	MetInPerson     Kind = "met_in_person"
	AttendedEvent   Kind = "attended_event"
	Introduced      Kind = "introduced_by_someone"
	Team            Kind = "team"
	Community       Kind = "community"
)

// Kinds lists the kinds in display order. [KindSet] depends on the order.
func Kinds() []Kind {
	return []Kind{
		SocialContact, WorkedTogether, StudiedTogether, MetInPerson, AttendedEvent, Introduced, Team,
		Community,
	}
}

// ParseKind reads the name of a kind.
func ParseKind(text string) (Kind, error) { return parseName(text, Kinds()) }

// parseName reads one of some names.
func parseName[T ~string](text string, all []T) (T, error) {
	if slices.Contains(all, T(text)) {
		return T(text), nil
	}
	names := kith.Each(all, func(name T) string { return string(name) })
	return "", fmt.Errorf("must be one of %s", strings.Join(names, ", "))
}

// KindSet is a set of kinds: bit i stands for Kinds()[i].
type KindSet uint16

// KindsOf returns the set of some kinds; it ignores unknown names.
func KindsOf(kinds ...Kind) KindSet {
	var set KindSet
	for _, k := range kinds {
		if i := slices.Index(Kinds(), k); i >= 0 {
			set |= 1 << i
		}
	}
	return set
}

// List returns the kinds of the set, in the order of [Kinds]; never nil.
func (s KindSet) List() []Kind {
	out := []Kind{}
	for i, k := range Kinds() {
		if s&(1<<i) != 0 {
			out = append(out, k)
		}
	}
	return out
}
