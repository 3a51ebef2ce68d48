package network_test

import (
	"testing"

	"pgregory.net/rapid"

	"kith/internal/network"
)

func TestStrength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days, more := rapid.IntRange(0, 20_000).Draw(t, "days"), rapid.IntRange(1, 5_000).Draw(t, "more")
		size := rapid.IntRange(1, 3_000_000).Draw(t, "size")
		ago := rapid.IntRange(-1000, 30_000).Draw(t, "ago")
		s := network.WorkedScore(days, size, ago)
		if s < 0 || s > network.MaxScore {
			t.Fatalf("the score is %v", s)
		}
		for what, other := range map[string]float64{
			"longer": network.WorkedScore(days+more, size, ago) - s,
			"larger": s - network.WorkedScore(days, size+more, ago),
			"older":  s - network.WorkedScore(days, size, ago+more),
		} {
			if other < 0 {
				t.Errorf("%s is worth %v", what, other)
			}
		}
		school := network.StudiedScore(days, ago)
		if school < 0 || school > network.MaxScore || network.StudiedScore(days+more, ago) < school || network.StudiedScore(days, ago+more) > school {
			t.Errorf("the score of a school is %v", school)
		}
		if p := network.PathScore(s, school); p > min(s, school) || p < 0 {
			t.Errorf("a path over %v and %v is %v", s, school, p)
		}
	})
	for _, tt := range []struct {
		days, size, ago int
		want            network.Label
	}{
		{3650, 5, 0, network.VeryGood}, {1100, 20, 0, network.Good}, {1100, 200_000, 0, network.Okay}, {30, 200_000, 7300, network.Unlabelled},
	} {
		if got := network.LabelOf(network.WorkedScore(tt.days, tt.size, tt.ago)); got != tt.want {
			t.Errorf("%+v: %q, %v", tt, got, network.WorkedScore(tt.days, tt.size, tt.ago))
		}
	}
}
