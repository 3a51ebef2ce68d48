package indexed_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kith/query"
	"kith/query/indexed"
)

// A prefilter by buckets must pass every number of the range.
func TestBucketsCoverTheirRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		field := rapid.SampledFrom([]query.Field{
			query.CompanySize, query.CompanyFounded, query.Start,
			query.Tenure,
		}).Draw(t, "field")
		r := query.Range{Field: field, Min: bound(t, "min"), Max: bound(t, "max")}
		v := rapid.Int64().Draw(t, "v")
		if rapid.Bool().Draw(t, "near") {
			v = rapid.Int64Range(-40000, 40000).Draw(t, "v")
		}
		if r.Min != nil && v < *r.Min || r.Max != nil && v > *r.Max {
			return
		}
		if names, ok := indexed.Buckets(field, r); ok && !slices.Contains(names, indexed.Bucket(field, v)) {
			t.Fatalf("%d is in bucket %s, which is not among %v", v, indexed.Bucket(field, v), names)
		}
	})
}

func bound(t *rapid.T, name string) *int64 {
	if rapid.Bool().Draw(t, name+" open") {
		return nil
	}
	v := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-40000, 40000)).Draw(t, name)
	return &v
}

func TestWideRangesHaveFewBuckets(t *testing.T) {
	from := func(v int64) *int64 { return &v }
	if _, ok := indexed.Buckets(query.CompanySize, query.Range{}); ok {
		t.Error("a range open on both sides has buckets")
	}
	if names, ok := indexed.Buckets(query.CompanyFounded, query.Range{Min: from(1800)}); !ok || len(names) != 200 {
		t.Errorf("all years: %d buckets, %v, want 200", len(names), ok)
	}
	if names, ok := indexed.Buckets(query.CompanySize, query.Range{Min: from(100), Max: from(50)}); !ok ||
		len(names) > 1 {
		t.Errorf("a contradictory range: %v, %v", names, ok)
	}
}
