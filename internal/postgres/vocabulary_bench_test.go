package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/search/suggest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
)

// BenchmarkSuggest completes prefixes from the same vocabulary.
func BenchmarkSuggest(b *testing.B) {
	db := pgtest.NewDataset(b)
	terms := bigVocabulary(b, db)
	s := suggest.New(db, nil)
	r := rand.New(rand.NewPCG(2, 3))
	for _, field := range []suggest.Field{
		suggest.FieldCompany, suggest.FieldPosition, suggest.FieldCity, suggest.FieldPrompt,
	} {
		for _, n := range []int{1, 2, 3, 5, 8} {
			b.Run(fmt.Sprintf("%s, %d letters", field, n), func(b *testing.B) {
				var took []time.Duration
				for b.Loop() {
					letters := []rune(terms[r.IntN(len(terms))])
					began := time.Now()
					_, err := s.Suggest(
						b.Context(),
						kith.Operator(),
						suggest.Request{Field: field, Text: string(letters[:min(n, len(letters))])},
					)
					expect.NoError(b, err)
					took = append(took, time.Since(began))
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
				b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
			})
		}
	}
}

// bigVocabulary fills the vocabulary and returns its terms.
func bigVocabulary(b *testing.B, db *postgres.DB) []string {
	b.Helper()
	pgtest.Load(b, db, record.People, person("Ann", ""))
	id := identify(b, db, "ann")[0]
	r := rand.New(rand.NewPCG(1, 1))
	seen := map[analysis.Term]bool{}
	var all []analysis.Term
	fill := func(kind analysis.TermKind, n int, text func() string) {
		for have := 0; have < n; {
			t := analysis.Term{Kind: kind, Text: text()}
			if !seen[t] {
				seen[t] = true
				all = append(all, t)
				have++
			}
		}
	}
	fill(analysis.TermFirstName, 60_000, func() string { return name(r, 2+r.IntN(2)) })
	fill(analysis.TermLastName, 140_000, func() string { return name(r, 2+r.IntN(3)) })
	fill(analysis.TermCompany, 100_000, func() string { return company(r) })
	fill(analysis.TermSchool, 20_000, func() string {
		return one(r, "university of ", "college of ", "school of ") +
			name(r, 3)
	})
	fill(analysis.TermTitle, 60_000, func() string {
		return one(r, "senior ", "junior ", "staff ", "head ", "") + name(r, 2) +
			one(r, " engineer", " manager", " analyst", " consultant", "")
	})
	fill(analysis.TermSkill, 20_000, func() string {
		return name(r, 2) + one(r, "", "", " management", " analysis",
			" design")
	})
	expect.NoError(b, db.BeginVocabulary(b.Context()))
	texts := make([]string, len(all))
	began := time.Now()
	for i, t := range all {
		texts[i] = t.Text
	}
	for some := range slices.Chunk(all, 5_000) {
		expect.NoError(b,
			db.CountTerms(b.Context(), []indexer.RecordTerms{{Kind: record.People, ID: id, Fresh: true, Terms: some}}))
	}
	expect.NoError(b, db.SetBuilt(b.Context(), "x", 0, time.Unix(0, 0), time.Unix(0, 0)))
	b.Logf("%d terms written in %v", len(all), time.Since(began))
	return texts
}

func one(r *rand.Rand, of ...string) string { return of[r.IntN(len(of))] }

// name varies as much as names of places do: about ten terms share a key with a term of eight letters.
func name(r *rand.Rand, syllables int) string {
	var text strings.Builder
	for range syllables {
		text.WriteString(one(r, "b", "br", "c", "ch", "cl", "d", "dr", "f", "fl", "fr", "g", "gr", "h", "j", "k", "kl",
			"kr", "l", "m", "n", "p", "ph", "pl", "q",
			"r", "s", "sch", "sh", "st", "t", "th", "tr", "v", "w", "wh", "x", "y", "z", "zh", ""))
		text.WriteString(one(r, "a", "e", "i", "o", "u", "y", "ai", "ei", "ia", "ou", "ee", "oa"))
		text.WriteString(one(r, "", "", "", "n", "r", "s", "l", "ck", "tt", "m", "nd", "ng", "rt", "x", "ff", "sk", "p",
			"th", "gh", "lm"))
	}
	return text.String()
}

func company(r *rand.Rand) string {
	first := one(r, "global ", "north ", "blue ", "united ", "smart ", "american ", "", "", "", "")
	return strings.TrimSpace(first + name(r, 1+r.IntN(3)) +
		one(r, " technologies", " consulting", " group", " labs", " systems", "", "", ""))
}
