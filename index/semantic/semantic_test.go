package semantic_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"kith/index/semantic"
	"kith/internal/test/expect"
	"kith/query/analysis"
)

func table(t testing.TB) *semantic.Table {
	t.Helper()
	tab, err := semantic.New()
	expect.NoError(t, err)
	return tab
}

// rows returns the lines of a file of tab-separated values.
func rows(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	expect.NoError(t, err)
	defer f.Close()
	var out [][]string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		out = append(out, strings.Split(sc.Text(), "\t"))
	}
	return out
}

func BenchmarkEmbed(b *testing.B) {
	tab := table(b)
	for b.Loop() {
		tab.Embed("senior anaesthesiologist, intensive care")
	}
}

func BenchmarkNeighbours(b *testing.B) {
	tab := table(b)
	var terms []semantic.Term
	titles := rows(b, "title.tsv")
	for i := range semantic.MaxTerms {
		text := titles[i%len(titles)][1] + " " + titles[(i/len(titles))%len(titles)][2]
		terms = append(terms, semantic.Term{Term: analysis.Term{Kind: analysis.TermTitle, Text: text}, People: i})
	}
	all := tab.Terms(terms)
	for b.Loop() {
		all.Neighbours(analysis.TermTitle, "kidney doctor", 5, 0.5)
	}
}

// The pieces equal those of the model's tokenizer. Words without a known piece are not in the file.
func TestPiecesMatchTheModelsTokenizer(t *testing.T) {
	tab := table(t)
	for _, row := range rows(t, "wordpiece.tsv") {
		want := strings.ReplaceAll(row[1], "[UNK] ", "")
		if got := strings.Join(tab.Pieces(row[0]), " "); got != want {
			t.Errorf("%q: %s\nwant %s", row[0], got, want)
		}
	}
}

func TestSimilarityOrdersOccupations(t *testing.T) {
	tab := table(t)
	near := func(a, b string) float64 { return semantic.Similarity(tab.Embed(a), tab.Embed(b)) }
	if s := near("Möbel DESIGNER", "mobel designer"); s < 0.9999 || s > 1.0001 {
		t.Errorf("case and accents make a difference: %v", s)
	}
	if near("nurse", "midwife") <= near("nurse", "welder") {
		t.Error("a nurse is nearer to a welder than to a midwife")
	}
	for _, nothing := range []string{"", "  ", "😀", strings.Repeat("x", 150), "\xff"} {
		if s := near(nothing, "nurse"); s != 0 {
			t.Errorf("%q is near a nurse: %v", nothing, s)
		}
	}
}

func FuzzEmbed(f *testing.F) {
	tab := table(f)
	f.Add("growth hacker")
	f.Add("日本\x00##ing\xc3")
	f.Fuzz(func(t *testing.T, phrase string) {
		v := tab.Embed(phrase)
		if s := semantic.Similarity(v, v); s != 0 && (s < 0.9999 || s > 1.0001) {
			t.Errorf("%q is %v similar to itself", phrase, s)
		}
	})
}

func titles(people int, texts ...string) []semantic.Term {
	var out []semantic.Term
	for _, text := range texts {
		out = append(out, semantic.Term{Term: analysis.Term{Kind: analysis.TermTitle, Text: text}, People: people})
	}
	return out
}

func TestNeighboursAreCloseAndOrdered(t *testing.T) {
	terms := append(titles(3, "nephrologist", "doctor", "dialysis nurse", "welder", "kidney doctor", "physician"),
		semantic.Term{Term: analysis.Term{Kind: analysis.TermSkill, Text: "doctor"}})
	all := table(t).Terms(terms)
	found := all.Neighbours(analysis.TermTitle, "Kidney Doctor", 2, 0.3)
	if len(found) != 2 || found[0].Text != "doctor" || found[0].Kind != analysis.TermTitle {
		t.Fatalf("the neighbours of a kidney doctor are %v", found)
	}
	if found[0].Similarity < found[1].Similarity || found[1].Similarity < 0.3 {
		t.Errorf("neighbours are out of order or below the threshold: %v", found)
	}
	if found := all.Neighbours(analysis.TermTitle, "kidney doctor", 9, 2); len(found) > 0 {
		t.Errorf("neighbours above any threshold: %v", found)
	}
	if found := all.Neighbours(analysis.TermTitle, "😀", 9, 0.1); len(found) > 0 {
		t.Errorf("neighbours of a phrase without words: %v", found)
	}
}

// A word that neither the model nor a term has means nothing: its fragments are near to anything. Compounds of words
// are known, and so are titles of the taxonomy and words of the terms.
func TestMeaninglessPhrasesHaveNoNeighbours(t *testing.T) {
	all := table(t).Terms(append(titles(3, "nurse", "tekla detailer", "gardener"), semantic.Term{
		Term: analysis.Term{Kind: analysis.TermSkill, Text: "postgresql"},
	}, semantic.Term{Term: analysis.Term{Kind: analysis.TermSkill, Text: "gardening"}}))
	for phrase, want := range map[string]bool{
		"zzzzqq": false, "asdf qwer": false, "asdf qwer zxcv": false, "qwerty": false, "lorem": false,
		"garden xqzt": false,
		"garden":      true, "beekeeper": true, "phlebotomist": true, "tekla": true,
	} {
		n := 0
		for _, kind := range []analysis.TermKind{analysis.TermTitle, analysis.TermSkill} {
			n += len(all.Neighbours(kind, phrase, 9, -1))
		}
		if n > 0 != want {
			t.Errorf("%s has %d neighbours", phrase, n)
		}
	}
}
