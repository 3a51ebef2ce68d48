package analysis

import (
	"slices"
	"strings"

	"kith"
	"kith/query"
	"kith/query/gazetteer"
)

// seatOf returns the place of a company's seat: its location, otherwise its headquarters as a location.
func seatOf(c kith.Company) gazetteer.PlaceTerms {
	if !c.Location.IsZero() || c.Headquarters == "" {
		return knownPlace(c.Location)
	}
	if gazetteer.IsCountry(c.Headquarters) {
		return knownPlace(kith.Location{Country: c.Headquarters})
	}
	return knownPlace(kith.Location{City: c.Headquarters})
}

// landOf returns the country and state of a company's seat. If the record has the country, landOf skips the lookup of
// the city.
func landOf(c kith.Company) gazetteer.PlaceTerms {
	if c.Location.Country == "" {
		return seatOf(c)
	}
	return gazetteer.LandOf(c.Location)
}

// seatMeaning reads a place name like the filters on a person's place, and applies it to a company's seat.
func seatMeaning(f query.Field, text string) (query.Query, error) {
	q, err := placeMeaning(personPlace(f), text)
	if err != nil {
		return nil, err
	}
	return seatQuery(q), nil
}

func personPlace(f query.Field) query.Field {
	switch f {
	case query.CompanyCountry:
		return query.Country
	case query.CompanyState:
		return query.State
	case query.CompanyRegion:
		return query.Region
	case query.CompanyMetro:
		return query.Metro
	}
	return query.City
}

// seatQuery turns a condition on a person's place into one on a company's seat. Jobs store few fields of the seat, so
// regions and qualified cities become conditions on their parts, which must hold of the same job.
func seatQuery(q query.Query) query.Query {
	switch q := q.(type) {
	case query.And, query.Or:
		return query.MapParts(q, seatQuery)
	case query.Term:
		return seatTerm(q.Field, q.Value)
	case query.Terms:
		seats := make([]query.Query, len(q.Values))
		for i, v := range q.Values {
			seats[i] = seatTerm(q.Field, v)
		}
		return query.AnyOf(seats...)
	case query.All, query.None, query.Not, query.AllWords, query.Phrase, query.Range, query.Exists, query.Nested,
		query.IDs, query.Timeline:
		return q // never part of conditions on places
	}
	return q
}

func seatTerm(f query.Field, value string) query.Query {
	switch f {
	case query.Region:
		return seatInRegion(value)
	case query.Place:
		return seatPlace(strings.Split(value, "|"))
	case query.Country:
		return query.Term{Field: query.CompanyCountry, Value: value}
	case query.State:
		return query.Term{Field: query.CompanyState, Value: value}
	case query.Metro:
		return query.Term{Field: query.CompanyMetro, Value: value}
	}
	return query.Term{Field: query.CompanyCity, Value: value}
}

// seatPlace matches a city with its country, and its state if there are three parts.
func seatPlace(parts []string) query.Query {
	all := []query.Query{query.Term{Field: query.CompanyCity, Value: parts[0]}}
	if len(parts) > 2 {
		all = append(all, query.Term{Field: query.CompanyState, Value: parts[1]})
	}
	return query.AllOf(append(all, query.Term{Field: query.CompanyCountry, Value: parts[len(parts)-1]})...)
}

// seatInRegion matches the countries and states of a region; an unknown region has none.
func seatInRegion(id string) query.Query {
	var countries []string
	var parts []query.Query
	for _, member := range gazetteer.MembersOf(id) {
		country, inState, isState := strings.Cut(member, "/")
		if !isState {
			countries = append(countries, country)
			continue
		}
		parts = append(parts, query.AllOf(query.Term{Field: query.CompanyState, Value: inState},
			query.Term{Field: query.CompanyCountry, Value: country}))
	}
	slices.SortFunc(parts, func(a, b query.Query) int { return strings.Compare(query.String(a), query.String(b)) })
	if len(countries) > 0 {
		slices.Sort(countries)
		parts = append([]query.Query{query.OneOf(query.CompanyCountry, countries)}, parts...)
	}
	return query.AnyOf(parts...)
}
