package evalset

import (
	"fmt"
	"slices"
	"strings"

	"kith"
)

// area is a place name for prompts.
type area struct {
	name string
	is   func(l kith.Location) truth
	kind string
}

func (t *tables) addArea(cols []string) error {
	kind, list, ok := strings.Cut(cols[1], ":")
	if !ok {
		return fmt.Errorf("%q does not say which kind of places follow", cols[1])
	}
	tests := []func(kith.Location) truth{placeIn(kind, parts(list))}
	if len(cols) > 2 {
		kind, list, _ := strings.Cut(cols[2], ":")
		if kind == "maybe" {
			kind = "country"
		}
		fringe := placeIn(strings.TrimSuffix(kind, "?"), parts(list))
		tests = append(tests, func(l kith.Location) truth { return min(maybe, fringe(l)) })
	}
	t.areas = append(t.areas, area{name: cols[0], kind: kind, is: func(l kith.Location) truth {
		in := no
		for _, test := range tests {
			in = max(in, test(l))
		}
		return in
	}})
	return nil
}

// placeIn returns whether a location is one of the named places. A city may be followed by
// a comma and its state; without it, cities of the same name elsewhere are open.
func placeIn(kind string, names []string) func(kith.Location) truth {
	return func(l kith.Location) truth {
		in := no
		for _, name := range names {
			switch kind {
			case "country":
				in = max(in, when(l.Country == name))
			case "state":
				in = max(in, when(l.State == name))
			case "city":
				in = max(in, cityIs(l, name))
			}
		}
		return in
	}
}

func cityIs(l kith.Location, name string) truth {
	city, state, exact := strings.Cut(name, ", ")
	switch {
	case l.City != city:
		return no
	case exact:
		return when(l.State == state)
	case slices.Contains(homonyms(), city+", "+l.State):
		return maybe
	}
	return yes
}

// homonyms are the smaller cities of the demo that share a name with another.
func homonyms() []string {
	return []string{
		"London, Ontario", "Paris, Texas", "Portland, Maine", "Birmingham, Alabama", "Hyderabad, Sindh",
		"Cambridge, Massachusetts", "Cambridge, England", "San Jose, California",
	}
}

// lives holds for people who live in a place.
func lives(in func(kith.Location) truth) personIs {
	return func(p *person) truth { return in(p.Location) }
}

// seat holds for companies with headquarters in a place.
func seat(in func(kith.Location) truth) firmIs {
	return func(c *company) truth { return in(c.Location) }
}

func inCountry(name string) func(kith.Location) truth { return placeIn("country", []string{name}) }
func inCity(name string) func(kith.Location) truth    { return placeIn("city", []string{name}) }

// exactly holds for one city, but not for others of the same name.
func exactly(at kith.Location) func(kith.Location) truth {
	return func(l kith.Location) truth {
		if l.City != at.City || l.Country != at.Country {
			return no
		}
		if l.State == "" || at.State == "" {
			return maybe
		}
		return when(l.State == at.State)
	}
}
