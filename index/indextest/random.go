package indextest

import (
	"fmt"

	"kith/query"
	"kith/query/indexed"
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
func (g generator) person() indexed.Document {
	d := indexed.Document{
		ID: g.id(), Rank: g.Int64N(8), Version: g.Int64N(4),
		Fields: g.fields(query.Person), Nested: map[query.Path][]indexed.Fields{}, Facets: map[indexed.Facet]string{},
	}
	for _, path := range query.Paths() {
		for range max(0, g.IntN(5)-1) {
			d.Nested[path] = append(d.Nested[path], g.fields(path))
		}
	}
	delete(d.Fields.Numbers, query.Rank)
	d.Fields.Keywords[query.SocialID] = []string{socialID(d.ID)}
	for _, f := range indexed.Facets() {
		if g.IntN(3) > 0 {
			d.Facets[f] = g.token()
		}
	}
	d.Record = fmt.Appendf(nil, `{"id":%d}`, d.ID)
	Complete(&d)
	return d
}

func (g generator) fields(path query.Path) indexed.Fields {
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

func socialID(id int64) string { return fmt.Sprint("s", id) }

// manyValues makes a condition of so many values or alternatives that engines ask for them
// in other ways than for a few.
func (g generator) manyValues(path query.Path) query.Query {
	many := query.Terms{Field: pick(g, fuzzKeywords(path)...), Values: g.tokens(3)}
	for i := range pick(g, 5, 40, 400) {
		many.Values = append(many.Values, fmt.Sprint("n", i))
	}
	others := query.Or{Parts: g.alternatives(fuzzWords(path)...)}
	switch g.IntN(6) {
	case 0:
		return many
	case 1:
		return query.And{Parts: []query.Query{others, many}}
	case 2:
		return query.And{Parts: append(g.ranges(path), others)}
	case 3:
		if path == query.Person {
			return g.people()
		}
	}
	return query.Or{Parts: g.alternatives(pick(g, fuzzWords(path)...))}
}

// ranges are one range or two, of days in jobs and education for a person.
func (g generator) ranges(path query.Path) []query.Query {
	parts := make([]query.Query, 1+g.IntN(2))
	for i := range parts {
		if path == query.Person {
			parts[i] = query.Nested{
				Path: pick(g, query.Past, query.Past, query.Education),
				Part: query.Range{Field: query.End, Min: g.bound(), Max: g.bound()},
			}
		} else {
			parts[i] = query.Range{Field: pick(g, fuzzNumbers(path)...), Min: g.bound(), Max: g.bound()}
		}
	}
	return parts
}

// people names people by what only one has.
func (g generator) people() query.Query {
	named := query.Terms{Field: query.SocialID}
	for range pick(g, 3, 30) {
		named.Values = append(named.Values, socialID(g.id()))
	}
	return named
}

// alternatives are many words and phrases, most of which nobody has.
func (g generator) alternatives(fields ...query.Field) []query.Query {
	parts := make([]query.Query, 10+g.IntN(30))
	for i := range parts {
		f, words := pick(g, fields...), append(g.tokens(3), g.token())
		if g.IntN(3) > 0 {
			words[g.IntN(len(words))] = fmt.Sprint("n", i)
		}
		parts[i] = pick[query.Query](g, query.Term{Field: f, Value: words[0]}, query.AllWords{Field: f, Words: words},
			query.Phrase{Field: f, Words: words}, query.Phrase{Field: f, Words: words},
			query.Phrase{Field: f, Words: words, AnyOrder: true})
	}
	return parts
}

// number returns values near the edges of buckets and beyond them.
func (g generator) number() int64 {
	return pick[int64](g, 0, 1, 2, 3, 4, 7, 8, 182, 183, 184, 366, 1000, 20000, 1<<40, -1, -183, -184, -20000)
}
