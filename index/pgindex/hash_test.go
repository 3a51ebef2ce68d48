package pgindex_test

import (
	"strings"
	"testing"

	"kith/index/pgindex"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
)

// The hashes in an index outlive the version of Kith that wrote them.
func TestHashStaysTheSame(t *testing.T) {
	for term, want := range map[string]int64{
		"": -6939563903564495251, "city:london": -3209404009776886982,
		"current.title:vice president": 4495761168507875701,
	} {
		if got := pgindex.HashOf(term); got != want {
			t.Errorf("%q: hash %d, want %d", term, got, want)
		}
	}
}

// Printed statements let Postgres hash the terms.
func TestHashEqualsThatOfPostgres(t *testing.T) {
	pool := pgtest.Pool(t)
	terms := []string{"city:münchen", query.SQLTerm(query.Text, strings.Repeat("ж", 600))}
	for n := range 40 {
		terms = append(terms, strings.Repeat("kith: the people you know ", 2)[:n])
	}
	for _, term := range terms {
		var want int64
		expect.NoError(t, pool.QueryRow(t.Context(), "SELECT hashtextextended($1, 0)", term).Scan(&want))
		if got := pgindex.HashOf(term); got != want {
			t.Errorf("%q: hash %d, want %d the hash in Postgres", term, got, want)
		}
	}
}
