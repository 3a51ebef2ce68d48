package query_test

import (
	"testing"

	"pgregory.net/rapid"

	"kith/query"
)

func TestMapPartsReplacesEachPart(t *testing.T) {
	and := and(title("a"), or(city("x"), not(city("y"))), query.Nested{Path: query.Past, Part: title("b")})
	var parts []string
	none := query.MapParts(and, func(p query.Query) query.Query {
		parts = append(parts, query.String(p))
		return query.None{}
	})
	if len(parts) != 3 || !query.Equal(none, query.And{Parts: []query.Query{
		query.None{},
		query.None{},
		query.None{},
	}}) {
		t.Errorf("the parts %q became %s", parts, query.String(none))
	}
	if len(and.(query.And).Parts) != 3 || query.Equal(and, none) {
		t.Errorf("MapParts changed its input to %s", query.String(and))
	}
}

func TestMapPartsOfTheIdentityChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := tree(query.Person, 4).Draw(t, "query")
		var same func(query.Query) query.Query
		same = func(q query.Query) query.Query { return query.MapParts(q, same) }
		if got := same(q); !query.Equal(got, q) {
			t.Fatalf("%s\nbecame %s", query.String(q), query.String(got))
		}
	})
}

func TestWithFieldChangesTheFieldAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := tree(query.Person, 2).Draw(t, "query")
		from, one := query.FieldOf(q)
		to := query.WithField(q, query.Country)
		if f, _ := query.FieldOf(to); one && f != query.Country {
			t.Errorf("%s has the field %s", query.String(to), f)
		}
		if one {
			to = query.WithField(to, from)
		}
		if !query.Equal(to, q) {
			t.Errorf("%s\nbecame %s", query.String(q), query.String(to))
		}
	})
}
