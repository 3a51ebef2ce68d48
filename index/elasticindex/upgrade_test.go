package elasticindex_test

import (
	"net/http"
	"strings"
	"testing"

	"kith/index"
	"kith/index/indextest"
	"kith/internal/expect"
	"kith/query"
)

// A version of an earlier Kith can be written and searched.
func TestSetupUpgradesEarlierVersions(t *testing.T) {
	d, prefix := openAt(t)
	name := prefix + "-people-v1"
	if status, body := raw(t, http.MethodDelete, "/"+name, ""); status != http.StatusOK {
		t.Fatal(body)
	}
	old := `{"mappings":{"dynamic":"strict","_meta":{"kith_mapping":"old"},"properties":{"id":{"type":"long"},
		"rank":{"type":"long"}}},
"aliases":{"` + prefix + `-people":{},"` + prefix + `-people-v1-write":{}}}`
	if status, body := raw(t, http.MethodPut, "/"+name, old); status != http.StatusOK {
		t.Fatal(body)
	}
	expect.NoError(t, d.Setup(t.Context()))
	var flats []index.Flat
	for _, doc := range indextest.Corpus(t, index.People) {
		flats = append(flats, index.Flatten(doc))
	}
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, flats, nil))
	expect.NoError(t, d.Refresh(t.Context()))
	hits, err := d.Find(t.Context(), index.People,
		index.FindRequest{Query: query.Exists{Field: query.Rising}, SortBy: query.Rising, Limit: 1})
	if err != nil || len(hits) != 1 || hits[0].ID != 4 {
		t.Errorf("found %v, %v, want the person with the fastest rise", hits, err)
	}
	if err := d.CheckMapping(t.Context()); err == nil || !strings.Contains(err.Error(), "kith reindex") {
		t.Errorf("it counts as a version of this Kith: %v", err)
	}
}
