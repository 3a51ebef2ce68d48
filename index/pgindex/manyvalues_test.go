package pgindex

import (
	"slices"
	"strconv"
	"testing"

	"kith/index"
	"kith/query"
	"kith/query/indexed"
)

// Hundreds of titles beside the dates of a former job took ten seconds on 25,000 people: Postgres
// tested every title on every person with such a job.
func TestManyAlternativesReplaceLargeSetsInTheIndex(t *testing.T) {
	var titles query.Or
	for i := range 160 {
		// Alternating fields keep the titles from being merged into one set.
		f := []query.Field{query.Title, query.TitleExact}[i%2].In(query.Current)
		titles.Parts = append(titles.Parts, query.Term{Field: f, Value: strconv.Itoa(i)})
	}
	few := query.Or{Parts: titles.Parts[:2]}
	most := int64(17858)
	ended := query.Range{Field: query.End, Max: &most}
	names, _ := indexed.Buckets(ended.Field, ended)
	dates := query.Terms{Field: query.End.In(query.Past), Values: names}
	job := query.Nested{Path: query.Past, Part: ended}
	rarer := query.Terms{Field: query.City, Values: names[:20]}
	city := query.Term{Field: query.City, Value: "leeds"}
	known := newStatistics(documents(index.People), nil)
	known.rows, known.rest = 1_000_000, 0.03
	for name, c := range map[string]struct{ parts, indexed, rest []query.Query }{
		"dates implied by the job": {[]query.Query{titles, dates, job}, []query.Query{titles}, []query.Query{job}},
		"dates alone":              {[]query.Query{titles, dates}, []query.Query{titles}, []query.Query{dates}},
		"a more selective set":     {[]query.Query{titles, rarer}, []query.Query{rarer}, []query.Query{titles}},
		"a city, besides": {
			[]query.Query{city, titles, dates, job},
			[]query.Query{city},
			[]query.Query{job, titles},
		},
		"few alternatives":          {[]query.Query{few, dates, job}, []query.Query{few, dates}, []query.Query{job}},
		"dates without many titles": {[]query.Query{dates, job}, []query.Query{dates}, []query.Query{job}},
		"unselective titles": {[]query.Query{query.Or{Parts: append(titles.Parts,
			query.Range{Field: query.Rank, Min: new(int64)})}, rarer}, []query.Query{rarer}, nil},
	} {
		whole, _ := known.splits(query.And{Parts: c.parts})
		if !slices.EqualFunc(whole.indexed, c.indexed, query.Equal) {
			t.Errorf("%s: the index is asked for %v, want %v", name, whole.indexed, c.indexed)
		}
		if c.rest != nil && !slices.EqualFunc(whole.rest, c.rest, query.Equal) {
			t.Errorf("%s: rows are tested for %v, want %v", name, whole.rest, c.rest)
		}
	}
}

// A word without statistics is estimated as rare, even in current titles. A half year without
// statistics may be that of many people.
func TestUnknownWordsAreRareAndUnknownBucketsAreNot(t *testing.T) {
	known := newStatistics(documents(index.People), nil)
	known.rest, known.rareWords = 0.5, true
	word := known.estimate(query.Term{Field: query.Title.In(query.Current), Value: "x"})
	bucket := known.estimate(query.Term{Field: query.End.In(query.Past), Value: "b1"})
	if word != known.rest*unknownTerm || bucket != known.rest {
		t.Errorf("estimates: a word %v, a bucket %v", word, bucket)
	}
}
