package elastictest

import (
	"context"
	"testing"

	"kith/index/elasticindex"
)

// Engine returns an engine with a first version and its own indices, which are deleted
// when the test ends.
func Engine(t testing.TB) *elasticindex.Driver {
	t.Helper()
	d, err := elasticindex.New(elasticindex.Config{URLs: []string{URL(t)}, Prefix: Prefix(t)})
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
