package search

import (
	"testing"
	"time"

	"kith/index"
	"kith/internal/expect"
	"kith/query"
	"kith/query/cursor"
)

// BenchmarkCursors seals the cursors of a page of 100 results.
func BenchmarkCursors(b *testing.B) {
	seal, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(b, err)
	w := newWalk(Request{
		Prompt:  "software engineers at Stripe in Berlin who speak German",
		Filters: query.Filters{query.FilterCity: "Berlin", query.FilterPosition: "software engineer, developer"},
	}, time.Unix(0, 0))
	s, err := newSealer(seal, "live:1:7", w)
	expect.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		for i := range 100 {
			s.at(position{Epoch: 1, Cursor: index.Cursor{Stage: 1, Sort: 123456, ID: int64(1000000 + i)}, Number: i})
		}
	}
}
