package network_test

import (
	"testing"

	"pgregory.net/rapid"

	"kith/internal/network"
)

func TestLabelsOfScoresAndSpellings(t *testing.T) {
	for score, want := range map[float64]network.Label{
		10: network.Excellent, 9.5: network.Excellent, 9.49: network.VeryGood, 7.5: network.VeryGood, 7: network.Good,
		4: network.Good, 3.9: network.Okay, 1: network.Okay, 0.9: network.Maybe, 0.5: network.Maybe,
		0.4: network.Unlabelled,
		0:   network.Unlabelled,
	} {
		if got := network.LabelOf(score); got != want {
			t.Errorf("%v is %q, want %q", score, got, want)
		}
	}
	for text, want := range map[string]network.Label{
		"excellent": network.Excellent, "EXCELLENT": network.Excellent, "very_good": network.VeryGood,
		"Very Good": network.VeryGood,
		"verygood":  network.VeryGood, "very-good": network.VeryGood, " good ": network.Good, "okay": network.Okay,
		"Maybe": network.Maybe,
	} {
		if got, err := network.ParseLabel(text); err != nil || got != want {
			t.Errorf("%q is %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"", "best", "ok", "good very", "9.5", "very"} {
		if got, err := network.ParseLabel(text); err == nil {
			t.Errorf("%q was read as %q", text, got)
		}
	}
}

func TestKindSetsListTheirKinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := rapid.SliceOfDistinct(rapid.SampledFrom(network.Kinds()),
			func(k network.Kind) network.Kind { return k }).Draw(t, "kinds")
		set := network.KindsOf(kinds...)
		if list := set.List(); len(list) != len(kinds) || network.KindsOf(list...) != set {
			t.Errorf("%v became %v", kinds, list)
		}
	})
}
