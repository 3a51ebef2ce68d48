package query_test

import (
	"pgregory.net/rapid"

	"kith/query"
	"kith/query/indexed"
)

// The generated queries and documents share few fields and values, so conditions often hold.

func words() *rapid.Generator[[]string] {
	return rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "o'neil", `back\slash`, "100%", "x_y"}), 0, 3)
}

func word() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"a", "b", "c", "o'neil", `back\slash`, "100%", "x_y"})
}

func bound() *rapid.Generator[*int64] {
	return rapid.OneOf(rapid.Just[*int64](nil), rapid.Map(rapid.Int64Range(-5, 5), func(v int64) *int64 { return &v }))
}

func leaf(path query.Path) *rapid.Generator[query.Query] {
	keyword, tokens, number := query.City, query.Text, query.Experience
	if path != query.Person {
		keyword, tokens, number = query.Seniority, query.Title, query.Start
	}
	if path == query.Education {
		keyword, tokens = query.School, query.School
	}
	return rapid.Custom(func(t *rapid.T) query.Query {
		field := rapid.SampledFrom([]query.Field{keyword, tokens}).Draw(t, "field")
		switch rapid.IntRange(0, 8).Draw(t, "leaf") {
		case 0:
			return query.All{}
		case 1:
			return query.None{}
		case 2:
			return query.Term{Field: field, Value: word().Draw(t, "value")}
		case 3:
			return query.Terms{Field: field, Values: words().Draw(t, "values")}
		case 4:
			return query.AllWords{Field: tokens, Words: words().Draw(t, "words")}
		case 5:
			return query.Phrase{Field: tokens, Words: words().Draw(t, "phrase"), AnyOrder: rapid.Bool().Draw(t,
				"any order")}
		case 6:
			return query.Range{Field: number, Min: bound().Draw(t, "min"), Max: bound().Draw(t, "max")}
		case 7:
			return query.Exists{Field: rapid.SampledFrom([]query.Field{keyword, tokens, number}).Draw(t, "field")}
		}
		return query.IDs{Values: rapid.SliceOfN(rapid.Int64Range(1, 4), 0, 3).Draw(t, "ids")}
	})
}

// tree generates queries of at most the given depth.
func tree(path query.Path, depth int) *rapid.Generator[query.Query] {
	if depth == 0 {
		return leaf(path)
	}
	return rapid.Custom(func(t *rapid.T) query.Query {
		part := tree(path, depth-1)
		parts := rapid.SliceOfN(part, 0, 4)
		switch rapid.IntRange(0, 6).Draw(t, "node") {
		case 0, 1:
			return query.And{Parts: parts.Draw(t, "and")}
		case 2, 3:
			return query.Or{Parts: parts.Draw(t, "or")}
		case 4:
			return query.Not{Part: part.Draw(t, "not")}
		case 5:
			if path == query.Person {
				sub := rapid.SampledFrom(query.Paths()).Draw(t, "path")
				return query.Nested{Path: sub, Part: tree(sub, depth-1).Draw(t, "nested")}
			}
		}
		return leaf(path).Draw(t, "leaf")
	})
}

func fields(t *rapid.T, path query.Path) indexed.Fields {
	keyword, tokens, number := query.City, query.Text, query.Experience
	switch path {
	case query.Current, query.Past:
		keyword, tokens, number = query.Seniority, query.Title, query.Start
	case query.Education:
		keyword, tokens, number = "", query.School, query.Start
	case query.Person:
	}
	f := indexed.Fields{
		Keywords: map[query.Field][]string{}, Words: map[query.Field][][]string{}, Numbers: map[query.Field]int64{},
	}
	if keyword != "" {
		f.Keywords[keyword] = words().Draw(t, "keywords")
	}
	f.Words[tokens] = rapid.SliceOfN(words(), 0, 2).Draw(t, "sequences")
	if rapid.Bool().Draw(t, "numbered") {
		f.Numbers[number] = rapid.Int64Range(-5, 5).Draw(t, "number")
	}
	return f
}

func document(id int64) *rapid.Generator[indexed.Document] {
	return rapid.Custom(func(t *rapid.T) indexed.Document {
		d := indexed.Document{ID: id, Fields: fields(t, query.Person), Nested: map[query.Path][]indexed.Fields{}}
		for _, path := range query.Paths() {
			for range rapid.IntRange(0, 2).Draw(t, "subs") {
				d.Nested[path] = append(d.Nested[path], fields(t, path))
			}
		}
		return d
	})
}

// timeline generates timelines with any combination of members.
func timeline() *rapid.Generator[query.Timeline] {
	months := func(t *rapid.T) query.Months {
		return query.Months{Min: bound().Draw(t, "least"), Max: bound().Draw(t, "most")}
	}
	spell := rapid.Custom(func(t *rapid.T) query.Spell {
		s := query.Spell{Months: months(t), First: rapid.Bool().Draw(t, "first")}
		s.Status = rapid.SampledFrom([]query.Status{query.AnyStatus, query.Held, query.Ended}).Draw(t, "status")
		if rapid.Bool().Draw(t, "where") {
			s.Where = tree(query.Past, 1).Draw(t, "condition")
		}
		return s
	})
	return rapid.Custom(func(t *rapid.T) query.Timeline {
		tl := query.Timeline{
			Today: rapid.Int64Range(0, 3).Draw(t, "today"),
			Of:    rapid.SampledFrom([]query.Unit{query.Stays, query.Jobs}).Draw(t, "of"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "steps") {
			tl.Steps = append(tl.Steps, query.Step{
				Spell:    spell.Draw(t, "spell"),
				Order:    rapid.SampledFrom([]query.Order{query.Later, query.Next, query.Anytime}).Draw(t, "order"),
				Employer: query.Employer(rapid.IntRange(0, 2).Draw(t, "employer")), Gap: months(t),
			})
		}
		tl.AtLeast = rapid.IntRange(0, len(tl.Steps)).Draw(t, "at least")
		for range rapid.IntRange(0, 2).Draw(t, "counts") {
			tl.Counts = append(tl.Counts, query.SpellCount{
				Spell: spell.Draw(t, "counted"), Min: bound().Draw(t, "min"), Max: bound().Draw(t, "max"),
			})
		}
		if rapid.Bool().Draw(t, "every") {
			tl.Every = new(spell.Draw(t, "every spell"))
		}
		return tl
	})
}
