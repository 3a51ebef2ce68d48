package semantic_test

import (
	"math"
	"slices"
	"testing"

	"kith/index/semantic"
	"kith/query/analysis"
)

// pair is a judged pair with its similarity.
type pair struct {
	verdict, a, b string
	similarity    float64
}

// pairs returns the odd lines of a file of pairs, to fit thresholds, and the even lines, to measure them.
func pairs(t testing.TB, tab *semantic.Table, kind analysis.TermKind, file string) (fit, held []pair) {
	t.Helper()
	for i, row := range rows(t, string(kind)+file) {
		s := tab.Compare(kind, row[1], row[2])
		p := pair{verdict: row[0], a: row[1], b: row[2], similarity: s}
		if i%2 == 0 {
			fit = append(fit, p)
		} else {
			held = append(held, p)
		}
	}
	return fit, held
}

// auc is the probability that a pair with one of the verdicts is more similar than a different pair.
func auc(all []pair, verdicts ...string) float64 {
	wins, games := 0.0, 0.0
	for _, p := range all {
		if !slices.Contains(verdicts, p.verdict) {
			continue
		}
		for _, d := range all {
			if d.verdict != "different" {
				continue
			}
			games++
			switch {
			case p.similarity > d.similarity:
				wins++
			case p.similarity == d.similarity:
				wins += 0.5
			}
		}
	}
	return wins / games
}

// at measures a threshold. It returns precision and recall of the same and near pairs, and the
// share of different pairs that pass.
func at(all []pair, threshold float64) (precision, recall, mistaken float64) {
	right, through, wanted := 0.0, 0.0, 0.0
	for _, p := range all {
		good := p.verdict != "different"
		if good {
			wanted++
		}
		if p.similarity >= threshold {
			through++
			if good {
				right++
			}
		}
	}
	return right / max(through, 1), right / wanted, (through - right) / (float64(len(all)) - wanted)
}

// wantedPrecision is the share of passing pairs that must be the same or near; mostMistaken is the
// share of different pairs that may pass. The nearest terms of a vocabulary are more often
// different: of them wantedOfNearest must be the same or near.
const (
	wantedPrecision = 0.9
	mostMistaken    = 0.03
	wantedOfNearest = 0.7
)

// fitted is the lowest threshold, in hundredths, at which the passing pairs and nearest terms are precise enough.
func fitted(all, nearest []pair) float64 {
	for t := range 100 {
		p, _, mistaken := at(all, float64(t)/100)
		of, _, _ := at(nearest, float64(t)/100)
		if p >= wantedPrecision && mistaken <= mostMistaken && of >= wantedOfNearest {
			return float64(t) / 100
		}
	}
	return 1
}

// The thresholds are those fitted to half of the judged pairs. The log and docs/semantic.md have
// the figures for the other half.
func TestThresholds(t *testing.T) {
	tab := table(t)
	for _, kind := range []analysis.TermKind{analysis.TermTitle, analysis.TermSkill, analysis.TermIndustry} {
		fit, held := pairs(t, tab, kind, ".tsv")
		near, heldNear := pairs(t, tab, kind, "-neighbours.tsv")
		want := fitted(fit, near)
		if got := semantic.Threshold(kind); math.Abs(got-want) > 0.001 {
			t.Errorf("%s: the threshold is %.2f, fitted is %.2f", kind, got, want)
		}
		precision, recall, mistaken := at(held, want)
		of, found, _ := at(heldNear, want)
		t.Logf("%-8s | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %d | %.2f | %.2f",
			kind, len(held), auc(held, "same"), auc(held, "same", "near"), want, precision, recall, mistaken,
			len(heldNear), of, found)
		for _, p := range held {
			if good := p.verdict != "different"; good != (p.similarity >= want) && p.verdict != "near" {
				t.Logf("%s: %.2f %s, %s", p.verdict, p.similarity, p.a, p.b)
			}
		}
	}
}
