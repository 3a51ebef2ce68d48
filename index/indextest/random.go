package indextest

import (
	"fmt"

	"kith/index"
	"kith/query"
)

// The fields that random documents and plans use.

func fuzzKeywords(path query.Path) []query.Field {
	switch path {
	case query.Current:
		return []query.Field{query.Seniority, query.CompanyID, query.CompanyCountry, query.FromFunction}
	case query.Past:
		return []query.Field{query.Seniority, query.CompanyID, query.PreviousJob, query.FromFunction}
	case query.Education:
		return []query.Field{query.SchoolExact, query.Seniority} // which no entry of education has
	}
	return []query.Field{query.City, query.Country}
}

func fuzzWords(path query.Path) []query.Field {
	switch path {
	case query.Current, query.Past:
		return []query.Field{query.Title, query.Company, query.FromCompany}
	case query.Education:
		return []query.Field{query.School, query.Degree}
	}
	return []query.Field{query.Name, query.Skill}
}

func fuzzNumbers(path query.Path) []query.Field {
	switch path {
	case query.Current:
		return []query.Field{query.CompanySize, query.Start, query.Tenure, query.Stay}
	case query.Past:
		return []query.Field{query.CompanySize, query.Start, query.End, query.Tenure, query.Stay}
	case query.Education:
		return []query.Field{query.Start, query.End}
	}
	return []query.Field{query.Experience, query.Rank, query.Rising}
}

// person makes a random document of one of few people, of one of few versions.
func (g generator) person() index.Document {
	d := index.Document{
		ID: g.id(), Rank: g.Int64N(8), Version: g.Int64N(4),
		Fields: g.fields(query.Person), Nested: map[query.Path][]index.Fields{},
	}
	for _, path := range query.Paths() {
		for range max(0, g.IntN(5)-1) {
			d.Nested[path] = append(d.Nested[path], g.fields(path))
		}
	}
	delete(d.Fields.Numbers, query.Rank)
	d.Record = fmt.Appendf(nil, `{"id":%d}`, d.ID)
	Complete(&d)
	return d
}

func (g generator) fields(path query.Path) index.Fields {
	f := NewFields()
	for _, name := range fuzzKeywords(path) {
		if path != query.Education || name == query.SchoolExact {
			f.Keywords[name] = g.tokens(3)
		}
	}
	for _, name := range fuzzWords(path) {
		for range g.IntN(3) {
			f.Words[name] = append(f.Words[name], append(g.tokens(3), g.token()))
		}
	}
	for _, name := range fuzzNumbers(path) {
		if g.IntN(3) > 0 {
			f.Numbers[name] = g.number()
		}
	}
	return f
}

// token returns one of few values, of which the frequent ones are plain.
func (g generator) token() string {
	return pick(g, "a", "a", "a", "b", "b", "c", "ab", "a:b", "%", "_", `\`, `"`, "'", "東")
}

// tokens returns fewer than n values, possibly none.
func (g generator) tokens(n int) []string {
	values := make([]string, g.IntN(n))
	for i := range values {
		values[i] = g.token()
	}
	return values
}

// number returns values near the edges of buckets and beyond them.
func (g generator) number() int64 {
	return pick[int64](g, 0, 1, 2, 3, 4, 7, 8, 182, 183, 184, 366, 1000, 20000, 1<<40, -1, -183, -184, -20000)
}
