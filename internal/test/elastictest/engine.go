package elastictest

import (
	"context"
	"testing"

	"kith/index/elasticindex"
	"kith/internal/test/expect"
)

// Engine returns an engine with a first version and its own indices, which are deleted when the test ends.
func Engine(t testing.TB) *elasticindex.Driver {
	t.Helper()
	d, err := elasticindex.New(elasticindex.Config{URLs: []string{URL(t)}, Prefix: Prefix(t)})
	expect.NoError(t, err)
	t.Cleanup(d.Close)
	expect.NoError(t, d.Setup(t.Context()))
	t.Cleanup(func() {
		if err := d.Remove(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return d
}
