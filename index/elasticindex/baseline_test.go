//go:build bulkindexer

package elasticindex_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/elastictest"
	"kith/internal/expect"
	"kith/query"
)

func TestBaselineLoadsReadyMadeDocuments(t *testing.T) {
	d, prefix := openAt(t)
	cfg := elasticindex.Config{URLs: []string{elastictest.URL(t)}, Prefix: prefix}
	docs := func(yield func(index.Flat, error) bool) {
		for id := int64(1); id <= 500; id++ {
			doc := index.Document{
				ID: id, Version: 1, Fields: index.Fields{Keywords: map[query.Field][]string{query.City: {"berlin"}}},
			}
			if !yield(index.Flatten(doc), nil) {
				return
			}
		}
	}
	baseline, err := elasticindex.NewBaseline(t.Context(), cfg, docs)
	expect.NoError(t, err)
	if n, err := baseline.Load(t.Context()); err != nil || n != 500 {
		t.Errorf("loaded %d, %v", n, err)
	}
	if _, answer := raw(t, http.MethodGet, "/"+prefix+"-people-v2/_count", ""); !strings.Contains(answer, `"count":500`) {
		t.Errorf("the index of the baseline holds %s", answer)
	}
	if hits := everyone(t, d); len(hits) != 0 {
		t.Errorf("%d of the baseline's documents are found by searches", len(hits))
	}
	expect.NoError(t, baseline.Close(t.Context()))
	if versions, err := d.Versions(t.Context()); err != nil || len(versions) != 1 {
		t.Errorf("versions left after the load: %v, %v", versions, err)
	}
}

// BenchmarkBulkIndexer does the work of BenchmarkWrite with the BulkIndexer of Elasticsearch's
// client. It is given the JSON.
func BenchmarkBulkIndexer(b *testing.B) {
	docs := generated(b)
	for range b.N {
		b.StopTimer()
		cfg := elasticindex.Config{URLs: []string{elastictest.URL(b)}, Prefix: elastictest.Prefix(b)}
		baseline, err := elasticindex.NewBaseline(b.Context(), cfg, func(yield func(index.Flat, error) bool) {
			for _, d := range docs {
				if !yield(d, nil) {
					return
				}
			}
		})
		expect.NoError(b, err)
		b.StartTimer()
		if _, err := baseline.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		expect.NoError(b, baseline.Close(context.Background()))
		b.StartTimer()
	}
	b.ReportMetric(float64(b.N*len(docs))/b.Elapsed().Seconds(), "docs/s")
}
