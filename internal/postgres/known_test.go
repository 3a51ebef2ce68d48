package postgres_test

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
	"kith/query/prompt/prompttest"
)

// The full scan compares with every term.
func TestKnownEqualsAFullScan(t *testing.T) {
	db := pgtest.NewDataset(t)
	drained(t, db)
	pgtest.Load(t, db, record.People, person("Ann", ""))
	id := identify(t, db, "ann")[0]
	word := rapid.StringMatching(`[abé]{1,5}[abж]{0,6}( [ab]{1,5}){0,3}`)
	kinds := rapid.SampledFrom([]analysis.TermKind{analysis.TermCompany, analysis.TermLastName, analysis.TermTitle})
	rapid.Check(t, func(t *rapid.T) {
		check := func(err error) {
			expect.NoError(t, err)
		}
		check(db.BeginVocabulary(context.Background()))
		counts := map[analysis.Term]int{}
		var terms []indexer.RecordTerms
		for _, text := range rapid.SliceOfN(word, 1, 60).Draw(t, "terms") {
			term := analysis.Term{Kind: kinds.Draw(t, "kind"), Text: text}
			n := rapid.IntRange(1, 3).Draw(t, "people")
			counts[term] += n
			for range n {
				terms = append(terms, indexer.RecordTerms{
					Kind: record.People, ID: id, Fresh: true,
					Terms: []analysis.Term{term},
				})
			}
		}
		check(db.CountTerms(context.Background(), terms))
		check(db.SetBuilt(context.Background(), "x", 0, time.Unix(0, 0), time.Unix(0, 0)))
		all := slices.SortedFunc(maps.Keys(counts), analysis.Term.Compare)
		var near []string
		for range rapid.IntRange(1, 10).Draw(t, "asked") {
			near = append(near, edited(t, rapid.SampledFrom(all).Draw(t, "of").Text))
		}
		want, err := prompttest.Of(counts).Known(context.Background(), kith.Operator(), []string{all[0].Text}, near)
		check(err)
		got, err := db.Known(context.Background(), kith.Operator(), []string{all[0].Text}, near)
		check(err)
		if !slices.Equal(got, want) {
			t.Fatalf("near %q\n got %v\nwant %v", near, got, want)
		}
	})
}

// edited returns a term with up to three edits.
func edited(t *rapid.T, term string) string {
	letters := []rune(term)
	for range rapid.IntRange(0, 3).Draw(t, "edits") {
		if len(letters) < 2 {
			break
		}
		at := rapid.IntRange(0, len(letters)-1).Draw(t, "at")
		switch rapid.IntRange(0, 3).Draw(t, "edit") {
		case 0:
			letters = slices.Delete(letters, at, at+1)
		case 1:
			letters = slices.Insert(letters, at, 'b')
		case 2:
			letters[at] = 'ж'
		case 3:
			if at > 0 {
				letters[at-1], letters[at] = letters[at], letters[at-1]
			}
		}
	}
	return string(letters)
}
