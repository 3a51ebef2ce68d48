package elasticindex_test

import (
	"iter"
	"testing"

	"kith/index"
	"kith/internal/demo"
	"kith/internal/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

const benchPeople = 20000

// generated returns people of the demo dataset as an engine stores them. Their jobs name companies by identifier alone.
func generated(b *testing.B) []indexed.Flat {
	b.Helper()
	dir, err := demo.New(demo.Config{Seed: 1, People: benchPeople})
	expect.NoError(b, err)
	docs := make([]indexed.Flat, 0, benchPeople)
	for p := range dir.People() {
		doc, err := analysis.Person(p, p.ID%1000, 1)
		expect.NoError(b, err)
		docs = append(docs, indexed.Flatten(doc))
	}
	return docs
}

// BenchmarkWrite writes documents, which the driver encodes as JSON.
func BenchmarkWrite(b *testing.B) {
	docs := generated(b)
	for range b.N {
		b.StopTimer()
		d := open(b)
		name, err := d.Create(b.Context())
		expect.NoError(b, err)
		b.StartTimer()
		expect.NoError(b, d.Write(b.Context(), index.People, []string{name}, docs, nil))
		expect.NoError(b, d.Refresh(b.Context()))
	}
	b.ReportMetric(float64(b.N*len(docs))/b.Elapsed().Seconds(), "docs/s")
}

func batches(docs []indexed.Flat, size int) iter.Seq[[]indexed.Flat] {
	return func(yield func([]indexed.Flat) bool) {
		for len(docs) > 0 {
			n := min(size, len(docs))
			if !yield(docs[:n]) {
				return
			}
			docs = docs[n:]
		}
	}
}

func BenchmarkFind(b *testing.B) {
	d := open(b)
	for batch := range batches(generated(b), 2000) {
		expect.NoError(b, d.Write(b.Context(), index.People, []string{"v1"}, batch, nil))
	}
	expect.NoError(b, d.Refresh(b.Context()))
	last := index.Position{Sort: 100, ID: 0}
	for name, req := range map[string]index.FindRequest{
		"all":    {Query: query.All{}, Limit: 25},
		"all100": {Query: query.All{}, Limit: 100},
		"deep":   {Query: query.All{}, Limit: 25, After: &last},
		"word":   {Query: query.Term{Field: query.Title.In(query.Current), Value: "engineer"}, Limit: 25},
		"nested": {
			Query: query.Nested{Path: query.Past, Part: query.Term{Field: query.Title, Value: "engineer"}},
			Limit: 25,
		},
		"noRecord": {Query: query.All{}, Limit: 1000, NoRecord: true},
	} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				_, err := d.Find(b.Context(), index.People, req)
				expect.NoError(b, err)
			}
		})
	}
}
