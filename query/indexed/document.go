// Package indexed has the indexed form of people and companies: fields, sub-documents, facets and the order of
// careers. Package analysis makes documents of records, and package index flattens, writes and searches them.
package indexed

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"

	"kith/query"
)

// Values of query.JobCount: for a person with exactly one current job, and with several. Only the latter have
// sub-documents of query.Current.
const (
	OneJob   = "1"
	ManyJobs = "many"
)

// Document is the indexed form of one record.
type Document struct {
	ID int64
	// Rank is the static rank that orders people, highest first.
	Rank int64
	// Version grows with every change of the record; an engine ignores a write older than its own version.
	Version int64
	Fields  Fields
	// Nested are the sub-documents of each path.
	Nested map[query.Path][]Fields
	// Career is the order of the jobs among the sub-documents.
	Career Career
	// Facets are display values by facet name, at most one each.
	Facets map[Facet]string
	// Record is the result as JSON, returned unchanged.
	Record json.RawMessage
}

// Fields are the values of one document or sub-document, by the field's kind.
type Fields struct {
	Keywords map[query.Field][]string
	// Words are token sequences: one for each value of the field.
	Words   map[query.Field][][]string
	Numbers map[query.Field]int64
}

// Facet is the name of a facet of people.
type Facet string

// The facets.
const (
	FacetCountry   Facet = "country"
	FacetCity      Facet = "city"
	FacetCompany   Facet = "company"
	FacetIndustry  Facet = "companyIndustry"
	FacetSize      Facet = "companySize"
	FacetSeniority Facet = "seniority"
	FacetFunction  Facet = "function"
)

// Facets lists every facet.
func Facets() []Facet {
	return []Facet{FacetCountry, FacetCity, FacetCompany, FacetIndustry, FacetSize, FacetSeniority, FacetFunction}
}

// Flat is a document in the form that engines store. Besides the document's own fields it holds the combined values
// of all sub-documents of a path, under [query.Field.In] names. An engine can then discard most people by flat fields
// before it looks at sub-documents, and a condition on a single token needs no sub-document at all.
//
// [query.Flattened] says which fields Flatten adds for a path: each Keyword and Words field; for each Number field f
// the Keyword field f (its buckets, see [Buckets]); and, for Current with exactly one current job, each Number field
// itself. Flatten drops a single sub-document of Current, because the flat fields say the same.
type Flat struct {
	ID, Rank, Version int64
	Fields            Fields
	Nested            map[query.Path][]Fields
	Facets            map[Facet]string
	Record            json.RawMessage
}

// Flatten prepares a document for an engine.
func Flatten(d Document) Flat {
	flat := Flat{
		ID: d.ID, Rank: d.Rank, Version: d.Version, Facets: d.Facets, Record: d.Record,
		Fields: Fields{
			Keywords: cloneMap(d.Fields.Keywords), Words: cloneMap(d.Fields.Words), Numbers: cloneMap(d.Fields.Numbers),
		},
		Nested: map[query.Path][]Fields{},
	}
	for _, path := range query.Paths() {
		subs := d.Nested[path]
		repeats := false
		for _, sub := range subs {
			repeats = flat.Fields.absorb(path, sub) || repeats
		}
		if repeats {
			flat.Fields.deduplicate(path)
		}
		if path == query.Current && len(subs) == 1 {
			for f, v := range subs[0].Numbers {
				flat.Fields.Numbers[f.In(path)] = v
			}
			continue
		}
		if len(subs) > 0 {
			flat.Nested[path] = subs
		}
	}
	return flat
}

// absorb adds the values of a sub-document under their flattened names, which never clash with the document's own
// fields. repeats is true if a list may now have duplicates.
func (f *Fields) absorb(path query.Path, sub Fields) (repeats bool) {
	for name, values := range sub.Keywords {
		if flat, ok := flattened(path, name); ok {
			repeats = f.addKeywords(flat, values) || repeats
		}
	}
	for name, seqs := range sub.Words {
		if flat, ok := flattened(path, name); ok {
			f.Words[flat] = append(f.Words[flat], seqs...)
		}
	}
	for name, v := range sub.Numbers {
		if flat, ok := flattened(path, name); ok {
			repeats = f.addKeywords(flat, []string{Bucket(name, v)}) || repeats
		}
	}
	return repeats
}

// few is the longest list that is searched for duplicates on each addition. For the names of hundreds of employers
// that would take seconds.
const few = 100

func (f *Fields) addKeywords(name query.Field, values []string) (repeats bool) {
	have := f.Keywords[name]
	if have == nil {
		have = make([]string, 0, len(values))
	}
	for _, v := range values {
		if len(have) > few || !slices.Contains(have, v) {
			have = append(have, v)
		}
	}
	f.Keywords[name] = have
	return len(have) > few
}

// deduplicate removes duplicates from the long flattened lists of a path.
func (f *Fields) deduplicate(path query.Path) {
	for _, flat := range flatNames()[path] {
		values := f.Keywords[flat]
		if flat == "" || len(values) <= few {
			continue
		}
		seen := make(map[string]bool, len(values))
		f.Keywords[flat] = slices.DeleteFunc(values, func(v string) bool {
			again := seen[v]
			seen[v] = true
			return again
		})
	}
}

// flattened returns the flattened name of a path's field; ok is false if the field is not flattened.
func flattened(path query.Path, name query.Field) (flat query.Field, ok bool) {
	if flat, ok = flatNames()[path][name]; ok {
		return flat, flat != ""
	}
	return name.In(path), query.Flattened(path, name)
}

// flatNames maps every known field to its flattened name, empty if it is not flattened.
var flatNames = sync.OnceValue(func() map[query.Path]map[query.Field]query.Field {
	names := map[query.Path]map[query.Field]query.Field{}
	for _, path := range query.Paths() {
		names[path] = map[query.Field]query.Field{}
	}
	for _, info := range query.PersonFields() {
		for _, path := range info.Paths {
			names[path][info.Field] = ""
			if query.Flattened(path, info.Field) {
				names[path][info.Field] = info.Field.In(path)
			}
		}
	}
	return names
})

func cloneMap[K comparable, V any](m map[K]V) map[K]V {
	c := make(map[K]V, len(m)+8)
	maps.Copy(c, m)
	return c
}

// Bucket returns the name of a number's bucket: half-years for days, single values for years and stays, powers of two
// for employees.
func Bucket(f query.Field, v int64) string {
	return "b" + strconv.FormatInt(bucketOf(f, v), 10)
}

// Buckets returns the names of all buckets that a range touches; ok is false for more than 200 buckets or a range
// open at both ends.
func Buckets(f query.Field, r query.Range) (names []string, ok bool) {
	lo, hi := bucketLimits(f)
	if r.Min == nil && r.Max == nil {
		return nil, false
	}
	if r.Min != nil {
		lo = max(lo, bucketOf(f, *r.Min))
	}
	if r.Max != nil {
		hi = min(hi, bucketOf(f, *r.Max))
	}
	if hi-lo >= 200 {
		return nil, false
	}
	for b := lo; b <= hi; b++ {
		names = append(names, "b"+strconv.FormatInt(b, 10))
	}
	return names, true
}
