package segment

import (
	"slices"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
)

// What evidence from the directory changes: how much less likely a place is
// where nearly nobody lives, if its name means another place or somebody to the
// directory, and how many times more people another place must have to be meant.
const (
	unlikelyPlace = 3
	noPlace       = 7
	manyMore      = 3
)

// askPlaces asks how many people live in the places that the prompt may name.
func (l *Lattice) askPlaces(ask func(string)) {
	for _, spans := range l.From {
		for _, s := range spans {
			if isPlace(s) {
				ask(s.Sense.Place.Term())
			}
		}
	}
}

// weighPlaces settles by the directory what an ambiguous name means: the
// Georgia where its people live, Jordan as a country or as a first name.
func (l *Lattice) weighPlaces(byTerm map[string][]prompt.Known) {
	for _, spans := range l.From {
		scores := make([]float64, len(spans))
		for i, s := range spans {
			scores[i] = s.Score
			switch {
			case !isPlace(s):
			case l.somebody(s, byTerm):
				scores[i] -= noPlace
			case elsewhere(s, spans, byTerm):
				scores[i] -= unlikelyPlace
			}
		}
		for i := range spans {
			spans[i].Score = scores[i]
		}
	}
}

func isPlace(s Span) bool {
	switch s.Type {
	case lexicon.Country, lexicon.State, lexicon.City:
		return s.Sense.Place != nil
	}
	return false
}

// somebody reports whether nobody lives at a place, and people bear its name.
func (l *Lattice) somebody(s Span, byTerm map[string][]prompt.Known) bool {
	return l.alone(s) && people(byTerm[s.Sense.Place.Term()], prompt.Place) == 0 &&
		people(byTerm[l.key(s.From, s.To)], prompt.FirstName, prompt.LastName) > 0
}

// elsewhere reports whether many more people live in another place of the name.
// A city may have fewer than the state that it is in.
func elsewhere(s Span, spans []Span, byTerm map[string][]prompt.Known) bool {
	here := people(byTerm[s.Sense.Place.Term()], prompt.Place)
	return slices.ContainsFunc(spans, func(o Span) bool {
		return o.To == s.To && isPlace(o) && !s.Sense.Place.LiesIn(*o.Sense.Place) &&
			people(byTerm[o.Sense.Place.Term()], prompt.Place) > manyMore*here
	})
}

// alone reports whether a prompt is only that, or that and an employer: as a
// name is looked up.
func (l *Lattice) alone(s Span) bool {
	return s.From == 0 && (s.To == len(l.Tokens) || l.begins(s.To, func(next Span) bool {
		return next.Type == lexicon.Cue && next.Sense.Name == string(cue.At)
	}))
}

// people is how many people have a term of one of some kinds.
func people(known []prompt.Known, kinds ...prompt.Kind) int {
	most := 0
	for _, k := range known {
		if k.Distance == 0 && slices.Contains(kinds, k.Kind) {
			most = max(most, k.People)
		}
	}
	return most
}
