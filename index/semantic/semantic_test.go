package semantic_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"kith/index/analysis"
	"kith/index/semantic"
)

func table(t testing.TB) *semantic.Table {
	t.Helper()
	tab, err := semantic.New()
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// rows are the lines of a file of tab-separated values.
func rows(t testing.TB, name string) [][]string {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
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
	for i := range semantic.MaxTerms {
		pair := rows(b, "title.tsv")
		_ = pair
		_ = i
		break
	}
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
