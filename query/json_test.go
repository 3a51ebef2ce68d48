package query_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"kith/internal/test/expect"
	"kith/query"
)

func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := tree(query.Person, 3).Draw(t, "query")
		text, err := json.Marshal(query.JSON{Query: want})
		expect.NoError(t, err)
		var got query.JSON
		expect.NoError(t, json.Unmarshal(text, &got))
		if !query.Equal(got.Query, want) {
			t.Fatalf("%s\nwas  %s\nreads %s", text, query.String(want), query.String(got.Query))
		}
	})
}

func TestJSONOfANilQueryIsNull(t *testing.T) {
	text, err := json.Marshal(query.JSON{})
	if err != nil || string(text) != "null" {
		t.Errorf("a nil query was written as %s, %v", text, err)
	}
	got := query.JSON{Query: query.All{}}
	if err := json.Unmarshal(text, &got); err != nil || got.Query != nil {
		t.Errorf("null was read as %v, %v", got.Query, err)
	}
}

func TestJSONRefusesInvalidQueries(t *testing.T) {
	for _, text := range []string{
		`1`, `{}`, `{"k":"prefix"}`, `{"k":"not"}`, `{"k":"term","f":"city"}`, `{"k":"nested","p":[{},{}]}`,
	} {
		if err := json.Unmarshal([]byte(text), &query.JSON{}); err == nil {
			t.Errorf("%s was accepted as a query", text)
		}
	}
}
