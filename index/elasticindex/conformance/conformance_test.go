// Package conformance holds the suite that all engines share to Elasticsearch, apart from
// the tests of the driver: each has go test's ten minutes to itself.
package conformance_test

import (
	"context"
	"testing"

	"kith/index/elasticindex"
	"kith/index/indextest"
	"kith/internal/elastictest"
)

func TestMain(m *testing.M) { elastictest.Main(m) }

// open returns a driver on a prefix of its own, with a first version.
func open(t *testing.T) indextest.Engine {
	t.Helper()
	d, err := elasticindex.New(elasticindex.Config{
		URLs: []string{elastictest.URL(t)}, Prefix: elastictest.Prefix(t),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	if err := d.Setup(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Remove(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return d
}

func TestConformance(t *testing.T) { indextest.Run(t, open) }

func TestFuzz(t *testing.T) { indextest.Fuzz(t, open) }

func TestFuzzCareers(t *testing.T) { indextest.FuzzCareers(t, open) }
