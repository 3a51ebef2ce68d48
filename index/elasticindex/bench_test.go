package elasticindex_test

import (
	"iter"
	"slices"
	"testing"
	"time"

	"kith/index"
	"kith/index/analysis"
	"kith/index/elasticindex"
	"kith/internal/demo"
	"kith/internal/elastictest"
	"kith/internal/expect"
	"kith/query"
)

const benchPeople = 20000

// generated returns people of the demo dataset as an engine stores them. Their jobs name companies by identifier alone.
func generated(b *testing.B) []index.Flat {
	b.Helper()
	dir, err := demo.New(demo.Config{Seed: 1, People: benchPeople})
	expect.NoError(b, err)
	docs := make([]index.Flat, 0, benchPeople)
	for p := range dir.People() {
		doc, err := analysis.Person(p, p.ID%1000, 1)
		expect.NoError(b, err)
		docs = append(docs, index.Flatten(doc))
	}
	return docs
}

// BenchmarkWrite writes documents, which the driver encodes as JSON. Its baseline is
// BenchmarkBulkIndexer, which needs -tags bulkindexer.
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

func batches(docs []index.Flat, size int) iter.Seq[[]index.Flat] {
	return func(yield func([]index.Flat) bool) {
		for len(docs) > 0 {
			n := min(size, len(docs))
			if !yield(docs[:n]) {
				return
			}
			docs = docs[n:]
		}
	}
}

// BenchmarkFind compares searches through the driver with the same requests sent straight to Elasticsearch.
func BenchmarkFind(b *testing.B) {
	d, prefix := openAt(b)
	for batch := range batches(generated(b), 2000) {
		expect.NoError(b, d.Write(b.Context(), index.People, []string{"v1"}, batch, nil))
	}
	expect.NoError(b, d.Refresh(b.Context()))
	straight, err := elasticindex.NewStraight(elasticindex.Config{URLs: []string{elastictest.URL(b)}, Prefix: prefix})
	expect.NoError(b, err)
	defer straight.Close()
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
			ctx, noted := straight.Trace(b.Context())
			if _, err := d.Find(ctx, index.People, req); err != nil {
				b.Fatal(err)
			}
			_, replay := noted()
			var ours, theirs []time.Duration
			// Both take turns, so that they meet the same load of the machine.
			for range b.N {
				ours = append(ours, timed(b, func() error {
					_, err := d.Find(b.Context(), index.People, req)
					return err
				}))
				theirs = append(theirs, timed(b, func() error { return replay(b.Context()) }))
			}
			b.ReportMetric(float64(median(ours).Microseconds()), "kith-µs")
			b.ReportMetric(float64(median(theirs).Microseconds()), "straight-µs")
		})
	}
}

func timed(b *testing.B, f func() error) time.Duration {
	start := time.Now()
	expect.NoError(b, f())
	return time.Since(start)
}

func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}
