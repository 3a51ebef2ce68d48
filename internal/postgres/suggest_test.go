package postgres_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/search/suggest"
	"kith/internal/search/suggest/suggesttest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
)

// suggestedPeople stores the people of the completion tests.
func suggestedPeople(t *testing.T) (*postgres.DB, *indexer.Drainer) {
	t.Helper()
	db := pgtest.NewDataset(t)
	d := drained(t, db)
	var lines []string
	for _, p := range suggesttest.People() {
		line, err := json.Marshal(p)
		expect.NoError(t, err)
		lines = append(lines, string(line))
	}
	pgtest.Load(t, db, record.People, lines...)
	expect.NoError(t, d.Drain(t.Context()))
	return db, d
}

// The completions are the same before and after a reindex.
func TestSuggestEqualsThatInMemory(t *testing.T) {
	db, d := suggestedPeople(t)
	for _, reindexed := range []bool{false, true} {
		if reindexed {
			expect.NoError(t, indexer.NewReindexer(d).Reindex(t.Context(), nil))
		}
		s := suggest.New(db, nil)
		for _, c := range suggesttest.Cases() {
			if c.Field == suggest.FieldPerson {
				continue // people need a search
			}
			found, err := s.Suggest(t.Context(), kith.Operator(), suggest.Request{Field: c.Field, Text: c.Text})
			expect.NoError(t, err)
			if got := suggesttest.Shown(c.Field, found); !slices.Equal(got, c.Want) {
				t.Errorf("%s %q: %q\nwant %q", c.Field, c.Text, got, c.Want)
			}
		}
	}
}

// The test completes every prefix of every term, as it is and with each letter missing.
func TestStartingEqualsThatInMemory(t *testing.T) {
	db, _ := suggestedPeople(t)
	memory, err := suggesttest.New(suggesttest.People())
	expect.NoError(t, err)
	kinds := []analysis.TermKind{
		analysis.TermTitle, analysis.TermCompany, analysis.TermSkill, analysis.TermSchool, analysis.TermIndustry,
		analysis.TermPlace, analysis.TermFirstName, analysis.TermLastName,
	}
	for _, text := range typedTexts(memory) {
		for _, typos := range []bool{false, true} {
			asked := suggest.Lookup{Texts: []string{text}, Kinds: kinds, Typos: typos, Limit: 50}
			want, err := memory.Starting(t.Context(), kith.Operator(), asked)
			expect.NoError(t, err)
			got, err := db.Starting(t.Context(), kith.Operator(), asked)
			expect.NoError(t, err)
			for i := range want { // the database stores no text for a term that is already in its normal form
				if want[i].Written == want[i].Text {
					want[i].Written = ""
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%q, typos %t: %v\nwant %v", text, typos, got, want)
			}
		}
	}
}

func typedTexts(of *suggesttest.Vocabulary) []string {
	texts := []string{"%", "_", `a\`, "'", "o'b", "a & b", "c++", "x:*", "new york "}
	for _, t := range of.Terms() {
		text, _, _ := strings.Cut(t.Text, "|") // the rest is never typed
		letters := []rune(text)
		for n := 1; n <= min(len(letters), 9); n++ {
			texts = append(texts, string(letters[:n]))
			if n > 4 {
				texts = append(texts, string(slices.Delete(slices.Clone(letters[:n]), n/2, n/2+1)))
			}
		}
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func TestTermsRevisionFollowsTheTerms(t *testing.T) {
	db, d := suggestedPeople(t)
	revision := func() int64 {
		t.Helper()
		n, err := db.TermsRevision(t.Context())
		expect.NoError(t, err)
		return n
	}
	pgtest.Load(t, db, record.People, employee("Ben Ash", "Acme GmbH", "Software Engineer"))
	expect.NoError(t, d.Drain(t.Context()))
	steps := []struct {
		does string
		do   func()
	}{
		{"a new title", func() {
			pgtest.Load(t, db, record.People, employee("Eve Oak", "Acme GmbH", "Deep Sea Diver"))
			expect.NoError(t, d.Drain(t.Context()))
		}},
		{"a deletion", func() {
			_, err := indexer.NewKeeper(db).Delete(t.Context(), "eve-oak")
			expect.NoError(t, err)
		}},
		{"a reindex", func() { expect.NoError(t, indexer.NewReindexer(d).Reindex(t.Context(), nil)) }},
	}
	for _, s := range steps {
		before := revision()
		s.do()
		if revision() <= before {
			t.Errorf("%s does not change the revision correctly", s.does)
		}
	}
	common, err := db.CommonTerms(t.Context(), analysis.TermTitle, 1)
	expect.NoError(t, err)
	if len(common) != 1 || common[0].Text != "software engineer" || common[0].People < 2 {
		t.Errorf("the most common title is %v", common)
	}
}
