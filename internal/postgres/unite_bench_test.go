package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// writePeople writes people as lines of a load file, as an address book has them: a rare name, a
// common employer, a title, and mostly an address.
func writePeople(b *testing.B, path string, n int) {
	b.Helper()
	f, err := os.Create(path)
	expect.NoError(b, err)
	dice := rand.New(rand.NewPCG(1, 2))
	for range n {
		first, last, company := dice.IntN(1500), dice.IntN(20_000), dice.IntN(4000)
		line := fmt.Sprintf(
			`{"full_name":"%s %s","first_name":"%[1]s","last_name":"%[2]s","work_relevant":{"title":"%s",`+
				`"company":{"name":"Company %s"}},`+
				`"email":"p%d@c%d.example","location":{"city":"Berlin","country":"Germany"}}`,
			word(first), word(last), []string{"Engineer", "Head of Sales", "CTO", "Designer"}[dice.IntN(4)],
			word(company), dice.IntN(4*n), company)
		_, err := fmt.Fprintln(f, line)
		expect.NoError(b, err)
	}
	expect.NoError(b, f.Close())
}

// word returns a word for a number.
func word(n int) string {
	syllables := []string{"Ba", "do", "ri", "ku", "ne", "sa", "li", "mo", "te", "vu"}
	out := ""
	for _, digit := range fmt.Sprint(n + 10) {
		out += syllables[digit-'0']
	}
	return out
}

// BenchmarkUnite loads people with and without a search for duplicates.
func BenchmarkUnite(b *testing.B) {
	const people = 40_000
	path := filepath.Join(b.TempDir(), "people.ndjson")
	writePeople(b, path, people)
	for name, uniter := range map[string]record.Uniter{"merging": identity.Uniter{}, "plain": nil} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				db := pgtest.NewDataset(b)
				b.StartTimer()
				stats, err := loader.New(db).File(b.Context(), record.ForEveryone(), path,
					loader.Options{Rejects: filepath.Join(b.TempDir(), "rejects"), Uniter: uniter})
				expect.NoError(b, err)
				b.Log(stats)

			}
			b.ReportMetric(people*float64(b.N)/b.Elapsed().Seconds(), "people/s")
		})
	}
}
