package postgres_test

import (
	"crypto/rand"
	"strings"
	"testing"

	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// Large records might not fit into memory together. Pages have fewer of them, and all pages together have all.
func TestPagesOfLargeRecordsAreSmaller(t *testing.T) {
	const people = 300
	db := pgtest.NewDataset(t)
	var lines []string
	for range people {
		lines = append(lines, person(rand.Text(), `,"about_me":"`+random(50_000)+`"`))
	}
	pgtest.Load(t, db, record.People, lines...)
	pages := func(what string, next func(above int64) ([]int64, error)) {
		seen, most, above := 0, 0, int64(0)
		for {
			page, err := next(above)
			expect.NoError(t, err)
			if len(page) == 0 {
				break
			}
			seen, most, above = seen+len(page), max(most, len(page)), page[len(page)-1]
		}
		if seen != people || most == people {
			t.Errorf("%s: %d records in pages of up to %d", what, seen, most)
		}
	}
	pages("ids", func(above int64) ([]int64, error) { return db.IDs(t.Context(), record.People, above, 1000) })
	pages("queue", func(above int64) (seqs []int64, err error) {
		entries, err := db.Take(t.Context(), above, 1000)
		for _, e := range entries {
			seqs = append(seqs, e.Seq)
		}
		return seqs, err
	})
}

// random returns text that hardly compresses.
func random(n int) string {
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(rand.Text())
	}
	return b.String()[:n]
}
