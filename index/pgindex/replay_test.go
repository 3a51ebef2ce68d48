package pgindex_test

import (
	"strings"
	"testing"

	"kith/index"
	"kith/index/pgindex"
	"kith/internal/expect"
	"kith/internal/pgtest"
	"kith/query"
)

func TestReplayRepeatsTheStatement(t *testing.T) {
	ix := pgindex.New(pgtest.Pool(t))
	expect.NoError(t, ix.Setup(t.Context()))
	find := index.FindRequest{Query: query.Term{Field: query.City, Value: "berlin"}, Limit: 5}
	// The first search reads the version and the frequency of the city.
	if _, err := ix.Find(t.Context(), index.People, find); err != nil {
		t.Fatal(err)
	}
	straight, err := ix.Straight(t.Context())
	expect.NoError(t, err)
	defer func() { _ = straight.Close(t.Context()) }()
	recording, noted := straight.Trace(t.Context())
	if _, err := ix.Find(recording, index.People, find); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Count(t.Context(), index.People, find.Query, 0); err != nil { // not recorded
		t.Fatal(err)
	}
	statements, replay := noted()
	if len(statements) != 1 || !strings.HasPrefix(statements[0], "SELECT p.id") {
		t.Fatalf("recorded %q", statements)
	}
	for range 2 {
		if err := replay(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestReplayReportsAFailure(t *testing.T) {
	ix := pgindex.New(pgtest.Pool(t))
	expect.NoError(t, ix.Setup(t.Context()))
	straight, err := ix.Straight(t.Context())
	expect.NoError(t, err)
	recording, noted := straight.Trace(t.Context())
	if _, err := ix.Find(recording, index.People,
		index.FindRequest{Query: query.Term{Field: query.City, Value: "berlin"}, Limit: 1}); err != nil {
		t.Fatal(err)
	}
	_, replay := noted()
	expect.NoError(t, straight.Close(t.Context()))
	if replay(t.Context()) == nil {
		t.Error("a replay over a closed connection succeeded")
	}
}
