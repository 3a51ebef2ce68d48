package query_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kith/query"
	"kith/query/indexed"
)

func title(w ...string) query.Query { return query.AllWords{Field: query.Title, Words: w} }
func city(v string) query.Query     { return query.Term{Field: query.City, Value: v} }
func and(parts ...query.Query) query.Query {
	return query.And{Parts: parts}
}
func or(parts ...query.Query) query.Query { return query.Or{Parts: parts} }
func not(q query.Query) query.Query       { return query.Not{Part: q} }

func TestSimplify(t *testing.T) {
	exact := query.Term{Field: query.TitleExact, Value: "engineer"}
	seven := int64(7)
	tests := map[string]struct{ give, want query.Query }{
		"empty and":   {and(), query.All{}},
		"empty or":    {or(), query.None{}},
		"one part":    {and(or(city("x"))), city("x")},
		"flat":        {and(city("x"), and(title("a"), and(exact))), and(city("x"), title("a"), exact)},
		"all in and":  {and(query.All{}, city("x"), query.All{}), city("x")},
		"none in and": {and(city("x"), query.None{}), query.None{}},
		"all in or":   {or(city("x"), query.All{}), query.All{}},
		"duplicates":  {and(city("x"), exact, city("x")), and(city("x"), exact)},
		"values of a field": {
			or(city("x"), exact, city("y"), query.Terms{Field: query.City, Values: []string{"x", "z"}}),
			or(query.Terms{Field: query.City, Values: []string{"x", "y", "z"}}, exact),
		},
		"words of a field": {and(title("a"), city("x"), title("b", "a")), and(title("a", "b"), city("x"))},
		"ids": {
			or(query.IDs{Values: []int64{1, 2}}, query.IDs{Values: []int64{2, 3}}),
			query.IDs{Values: []int64{1, 2, 3}},
		},
		"not not":   {not(not(city("x"))), city("x")},
		"not all":   {not(query.All{}), query.None{}},
		"no words":  {query.AllWords{Field: query.Title}, query.All{}},
		"no values": {query.Terms{Field: query.City}, query.None{}},
		"one value": {query.Terms{Field: query.City, Values: []string{"x", "x"}}, city("x")},
		"phrase of one": {
			query.Phrase{Field: query.Title, Words: []string{"a"}},
			query.Term{Field: query.Title, Value: "a"},
		},
		"phrase of none": {query.Phrase{Field: query.Title}, query.None{}},
		"close minus exact": {
			and(title("a"), city("x"), not(and(title("a"), city("x"), exact))),
			and(title("a"), city("x"), not(exact)),
		},
		"some words demanded": {and(title("a", "b"), not(and(title("a"), exact))), and(title("a", "b"), not(exact))},
		"contradiction":       {and(city("x"), not(city("x"))), query.None{}},
		"exact or close":      {or(and(title("a"), exact), title("a")), title("a")},
		"words in any order":  {or(title("a", "b"), title("b", "a"), title("c")), or(title("a", "b"), title("c"))},
		"parts in any order":  {or(and(city("x"), title("a")), and(title("a"), city("x"))), and(city("x"), title("a"))},
		"nested none":         {query.Nested{Path: query.Past, Part: or()}, query.None{}},
		"nested all stays": {
			query.Nested{Path: query.Past, Part: and()},
			query.Nested{Path: query.Past, Part: query.All{}},
		},
		"open range stays": {query.Range{Field: query.Start}, query.Range{Field: query.Start}},
		"ranges are compared": {
			and(query.Range{Field: query.Start, Min: &seven},
				query.Range{Field: query.Start, Max: &seven}),
			and(query.Range{Field: query.Start, Min: &seven}, query.Range{Field: query.Start, Max: &seven}),
		},
		"a not in a not opens": {and(city("x"), not(and(city("x"), not(exact)))), and(city("x"), exact)},
		"values across parts":  {and(city("a"), city("b")), and(city("a"), city("b"))},
		"single words as value": {or(title("a"), title("b")), query.Terms{Field: query.Title, Values: []string{
			"a",
			"b",
		}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := query.Simplify(tt.give); !query.Equal(got, tt.want) {
				t.Errorf("Simplify(%s)\n got %s\nwant %s", query.String(tt.give), query.String(got),
					query.String(tt.want))
			}
		})
	}
}

func TestSimplifyKeepsTheMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := tree(query.Person, 4).Draw(t, "query")
		simple := query.Simplify(q)
		for id := range int64(5) {
			doc := document(id).Draw(t, "document")
			if want, got := indexed.Match(doc, q), indexed.Match(doc, simple); want != got {
				t.Fatalf("%s\nholds: %v, but simplified to\n%s\nholds: %v\nof %+v", query.String(q), want,
					query.String(simple), got, doc)
			}
		}
	})
}

// A condition repeated in another order is merged with the first, and not lost.
func TestSimplifyMergesReorderedCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := tree(query.Person, 3).Draw(t, "query")
		again := query.Simplify(or(q, reversed(q)))
		if nobody := query.Query(query.None{}); query.Equal(again, nobody) && !query.Equal(query.Simplify(q), nobody) {
			t.Fatalf("%s\nwith itself in another order became nobody", query.String(q))
		}
		for id := range int64(5) {
			doc := document(id).Draw(t, "document")
			if want, got := indexed.Match(doc, q), indexed.Match(doc, again); want != got {
				t.Fatalf("%s\nholds: %v, but with itself in another order it became\n%s\nwhich holds: %v",
					query.String(q), want, query.String(again), got)
			}
		}
	})
}

// reversed returns an equivalent query with words and parts in the opposite order.
func reversed(q query.Query) query.Query {
	switch q := q.(type) {
	case query.And:
		return query.And{Parts: reversedParts(q.Parts)}
	case query.Or:
		return query.Or{Parts: reversedParts(q.Parts)}
	case query.Not:
		return query.Not{Part: reversed(q.Part)}
	case query.Nested:
		return query.Nested{Path: q.Path, Part: reversed(q.Part)}
	case query.AllWords:
		words := slices.Clone(q.Words)
		slices.Reverse(words)
		return query.AllWords{Field: q.Field, Words: words}
	case query.All, query.None, query.Term, query.Terms, query.Phrase, query.Range, query.Exists, query.IDs,
		query.Timeline:
	}
	return q
}

func reversedParts(parts []query.Query) []query.Query {
	out := make([]query.Query, 0, len(parts))
	for _, p := range slices.Backward(parts) {
		out = append(out, reversed(p))
	}
	return out
}

func TestSimplifyTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		once := query.Simplify(tree(query.Person, 4).Draw(t, "query"))
		if twice := query.Simplify(once); !query.Equal(once, twice) {
			t.Fatalf("once:  %s\ntwice: %s", query.String(once), query.String(twice))
		}
	})
}

func TestSimplifyDoesNotChangeItsInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := tree(query.Person, 3).Draw(t, "query")
		before := query.String(q)
		query.Simplify(q)
		if after := query.String(q); before != after {
			t.Fatalf("before: %s\nafter:  %s", before, after)
		}
	})
}

func TestSimplifyHandlesDeepTreesInOnePass(t *testing.T) {
	for _, wrap := range []func(query.Query) query.Query{
		not,
		func(q query.Query) query.Query { return and(q, or(city("x"), title("b"))) },
		func(q query.Query) query.Query { return or(city("y"), and(q, title("a", "b"))) },
		func(q query.Query) query.Query { return and(city("z"), not(and(city("z"), q))) },
	} {
		var q query.Query = query.Term{Field: query.Country, Value: "de"}
		for range 1000 {
			q = wrap(q)
		}
		if once := query.Simplify(q); !query.Equal(once, query.Simplify(once)) {
			t.Error("simplifying a deep tree again changes it")
		}
	}
}

func TestTermsStayWithinTheirLimit(t *testing.T) {
	many := func(from, n int) query.Query {
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(from + i)
		}
		return query.IDs{Values: values}
	}
	got := query.Simplify(or(many(0, 40000), many(40000, 40000)))
	for _, part := range got.(query.Or).Parts {
		if n := len(part.(query.IDs).Values); n > query.MaxTerms {
			t.Errorf("a node has %d values, more than the limit", n)
		}
	}
}
