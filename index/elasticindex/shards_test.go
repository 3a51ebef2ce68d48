package elasticindex_test

import (
	"net/http"
	"strings"
	"testing"

	"kith/index"
	"kith/index/elasticindex"
	"kith/index/indextest"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// Facets of the first people do not depend on the number of shards.
func TestConfiguredShardsAndReplicasAreUsed(t *testing.T) {
	prefix := elastictest.Prefix(t)
	d := driver(t, elasticindex.Config{URLs: []string{elastictest.URL(t)}, Prefix: prefix, Shards: 3, Replicas: new(0)})
	t.Cleanup(func() { remove(t, d) })
	expect.NoError(t, d.Setup(t.Context()))
	built := settingsOf(t, prefix+"-people-v1")
	for _, want := range []string{`"number_of_shards":"3"`, `"number_of_replicas":"0"`, `"refresh_interval":"1s"`} {
		if !strings.Contains(built, want) {
			t.Errorf("%s is not in %s", want, built)
		}
	}
	indextest.Store(t, d, index.People, indextest.Corpus(t, index.People)...)
	first, err := d.Facets(t.Context(), query.All{}, []indexed.Facet{indexed.FacetCity}, 5, 4)
	if err != nil || len(first[indexed.FacetCity]) == 0 || !first[indexed.FacetCity][0].IsCapped {
		t.Errorf("facets of the first four: %v, %v", first, err)
	}
	n, err := d.Documents(t.Context(), index.People, "v1")
	if err != nil || n != int64(len(indextest.Corpus(t, index.People))) {
		t.Errorf("%d documents, %v", n, err)
	}
}

func TestReplicasAreAddedOnCompletion(t *testing.T) {
	d, prefix := openAt(t)
	name, err := d.Create(t.Context())
	expect.NoError(t, err)
	index := prefix + "-people-" + name
	if settings := settingsOf(t, index); strings.Contains(settings, "auto_expand") ||
		!strings.Contains(settings, `"refresh_interval":"-1"`) {
		t.Errorf("during the build: %s", settings)
	}
	expect.NoError(t, d.Complete(t.Context(), name))
	if settings := settingsOf(t, index); !strings.Contains(settings, `"auto_expand_replicas":"0-1"`) {
		t.Errorf("after completion: %s", settings)
	}
}

func settingsOf(t *testing.T, index string) string {
	t.Helper()
	status, settings := raw(t, http.MethodGet, "/"+index+"/_settings", "")
	if status != http.StatusOK {
		t.Fatal(settings)
	}
	return settings
}
