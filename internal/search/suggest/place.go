package suggest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"kith"
	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/prompt"
)

// place is a place with its match.
type place struct {
	Suggestion
	match Match
	// also is true if only the beginning of an alternative name matches.
	also bool
}

// order ranks prefixes of alternative names after those of main names, and before typos.
func (p place) order() int {
	if p.also {
		return 2*int(p.match) + 1
	}
	return 2 * int(p.match)
}

// places completes a field of places, the best first: by the names in the vocabulary, and by other names in the
// gazetteer.
func (s *Service) places(ctx context.Context, v kith.Viewer, req Request) ([]Suggestion, error) {
	out, text := make([]Suggestion, 0, req.Limit), gazetteer.PlaceKey(req.Text)
	if text == "" {
		return out, nil
	}
	// A term may be a state rather than a city, so fetch more than needed.
	terms, err := s.matching(ctx, v, Lookup{
		Texts: []string{text}, Kinds: []analysis.TermKind{analysis.TermPlace}, Limit: 2 * req.Limit,
	})
	if err != nil {
		return nil, err
	}
	found, err := s.placesNamed(ctx, v, text, terms)
	for _, p := range found {
		if p.Field == req.Field && len(out) < req.Limit {
			out = append(out, p.Suggestion)
		}
	}
	return out, err
}

// placesNamed returns the places of terms, and further places known to the gazetteer by other names.
func (s *Service) placesNamed(ctx context.Context, v kith.Viewer, text string, terms []Term) ([]place, error) {
	all, err := s.otherNames(ctx, v, text)
	if err != nil {
		return nil, err
	}
	for _, t := range terms {
		if strings.Contains(t.Text, "|") { // nobody types country codes
			all = append(all, expandPlace(t.Text, t.People, t.Match)...)
		}
	}
	slices.SortStableFunc(all, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.order(), b.order()), cmp.Compare(b.Count, a.Count), cmp.Compare(a.Text, b.Text))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(p place) bool {
		key := string(p.Field) + p.Text
		again := seen[key]
		seen[key] = true
		return again
	}), nil
}

// otherNames returns the inhabited places with gazetteer names that match a text.
func (s *Service) otherNames(ctx context.Context, v kith.Viewer, text string) ([]place, error) {
	match, called := map[string]Match{}, map[string]bool{}
	for _, p := range gazetteer.PlacesStarting(strings.TrimSuffix(text, " ")) {
		match[p.Term()] = Begins
		called[p.Term()] = called[p.Term()] || !p.Alias
	}
	for _, p := range gazetteer.PlacesNamed(strings.TrimSuffix(text, " ")) {
		if term := p.Term(); term != "" && len(p.Within) == 0 {
			match[term] = Whole
		}
	}
	terms := slices.SortedFunc(maps.Keys(match), func(a, b string) int {
		return cmp.Or(cmp.Compare(match[a], match[b]), cmp.Compare(a, b))
	})
	known, err := s.words.Known(ctx, v, terms[:min(len(terms), prompt.MaxTerms)], nil)
	if err != nil {
		return nil, err
	}
	var all []place
	for _, k := range known {
		if k.Kind != analysis.TermPlace || k.People == 0 {
			continue
		}
		for _, p := range expandPlace(k.Term, k.People, match[k.Term]) {
			p.also = p.match == Begins && !called[k.Term]
			all = append(all, p)
		}
	}
	return all, nil
}

// expandPlace returns the places that a term may mean. A city and a state with the same name share the term and its
// count. A place unknown to the gazetteer counts as a city.
func expandPlace(term string, people int, match Match) []place {
	var all []place
	for _, p := range gazetteer.PlaceOf(term) {
		all = append(all, place{Suggestion: newSuggestion(p, people), match: match})
	}
	if len(all) > 0 {
		return all
	}
	key, code, inside := strings.Cut(term, "|")
	if !inside {
		return nil
	}
	unknown := gazetteer.NamedPlace{Kind: gazetteer.PlaceCity, Name: capitals(key), Code: code}
	for _, country := range gazetteer.PlaceOf(code) {
		unknown.Country = country.Name
	}
	return []place{{Suggestion: newSuggestion(unknown, people), match: match}}
}

func newSuggestion(p gazetteer.NamedPlace, people int) Suggestion {
	out := Suggestion{Text: p.Qualified(), Value: value(p.Name), Count: people}
	switch p.Kind {
	case gazetteer.PlaceCountry:
		out.Field = FieldCountry
		return out
	case gazetteer.PlaceState:
		out.Field = FieldState
	case gazetteer.PlaceCity, gazetteer.PlaceMetro, gazetteer.PlaceRegion:
		out.Field = FieldCity
	}
	if p.Country != "" {
		out.Value = value(p.Name + ", " + p.Country)
	}
	return out
}
