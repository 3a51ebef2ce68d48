package elasticindex_test

import (
	"net/http"
	"testing"

	"kith"
	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/test/expect"
)

func wantMark(t *testing.T, d *elasticindex.Driver, name, want string) index.Version {
	t.Helper()
	versions, err := d.Versions(t.Context())
	expect.NoError(t, err)
	for _, v := range versions {
		if v.Name == name {
			if v.Mark != want {
				t.Errorf("version %s has the mark %q, want %q", name, v.Mark, want)
			}
			return v
		}
	}
	t.Fatalf("there is no version %s among %v", name, versions)
	return index.Version{}
}

// Each version has its own mark. A lower number never replaces it, and another driver reads the same mark.
func TestMarksBelongToAVersionAndOnlyRise(t *testing.T) {
	d, prefix := openAt(t)
	t.Cleanup(func() { raw(t, http.MethodDelete, "/"+prefix+"-marks-1?ignore_unavailable=true", "") })
	first := wantMark(t, d, "v1", "")
	set := func(v index.Version, number int64, text string) error {
		return d.SetMark(t.Context(), []index.Version{v}, index.Mark{Number: number, Text: text})
	}
	for range 2 { // the second is a retry after a lost answer
		expect.NoError(t, set(first, 7, "seven"))
	}
	wantMark(t, d, "v1", "seven")
	if err := set(first, 6, "six"); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("an older mark: got %v, want Unavailable", err)
	}
	wantMark(t, d, "v1", "seven")

	name, err := d.Create(t.Context())
	expect.NoError(t, err)
	expect.NoError(t, set(wantMark(t, d, name, ""), 3, "three"))
	wantMark(t, d, name, "three")
	wantMark(t, d, "v1", "seven")
	expect.NoError(t, d.Drop(t.Context(), name))
	if status, _ := raw(t, http.MethodPost, "/"+prefix+"-marks-1/_refresh", ""); status != http.StatusOK {
		t.Errorf("refresh: %d", status)
	}
	if _, n := raw(t, http.MethodGet, "/"+prefix+"-marks-1/_count?filter_path=count", ""); n != `{"count":1}` {
		t.Errorf("after a version was dropped there are %s marks", n)
	}
}

// An unreadable mark is not taken for a missing one.
func TestUnreadableMarkIsAnError(t *testing.T) {
	d, prefix := openAt(t)
	t.Cleanup(func() { raw(t, http.MethodDelete, "/"+prefix+"-marks-1?ignore_unavailable=true", "") })
	err := d.SetMark(t.Context(), []index.Version{wantMark(t, d, "v1", "")}, index.Mark{Number: 1, Text: "one"})
	expect.NoError(t, err)
	raw(t, http.MethodPost, "/"+prefix+"-marks-1/_close", "")
	if _, err := d.Versions(t.Context()); err == nil {
		t.Error("the mark of a closed index was read")
	}
}
