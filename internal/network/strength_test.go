package network_test

import (
	"testing"

	"pgregory.net/rapid"

	"kith/internal/network"
)

func TestWorkedScoreGrowsWithTimeAndSmallCompanies(t *testing.T) {
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
				t.Errorf("%s changes the score in the wrong direction by %v", what, other)
			}
		}
		school := network.StudiedScore(days, ago)
		if school < 0 || school > network.MaxScore || network.StudiedScore(days+more, ago) < school ||
			network.StudiedScore(days, ago+more) > school {
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
		{3650, 5, 0, network.VeryGood},
		{1100, 20, 0, network.Good},
		{1100, 200_000, 0, network.Okay},
		{30, 200_000, 7300, network.Unlabelled},
	} {
		if got := network.LabelOf(network.WorkedScore(tt.days, tt.size, tt.ago)); got != tt.want {
			t.Errorf("%+v: %q, %v", tt, got, network.WorkedScore(tt.days, tt.size, tt.ago))
		}
	}
}

// More and more recent contact in either direction has a higher score, and contact in both
// directions a higher one than the same amount in one.
func TestContactScoreGrowsWithRecentMutualContact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		out, in := rapid.Int64Range(0, 100_000).Draw(t, "out"), rapid.Int64Range(0, 100_000).Draw(t, "in")
		ago, more := rapid.IntRange(-100, 20_000).Draw(t, "ago"), rapid.IntRange(1, 1_000).Draw(t, "more")
		s := network.ContactScore(out, in, ago)
		if s < 0 || s > network.MaxScore {
			t.Fatalf("the score is %v", s)
		}
		for what, gain := range map[string]float64{
			"more from the user":   network.ContactScore(out+int64(more), in, ago) - s,
			"more from the person": network.ContactScore(out, in+int64(more), ago) - s,
			"more recent":          s - network.ContactScore(out, in, ago+more),
			"in both directions":   s - network.ContactScore(out+in, 0, ago),
		} {
			if gain < -1e-9 {
				t.Errorf("%s changes the score by %v", what, gain)
			}
		}
		if network.ContactScore(in, out, ago) != s {
			t.Error("the directions differ")
		}
		given, other := rapid.Float64Range(0, 10).Draw(t, "given"), rapid.Float64Range(0, 10).Draw(t, "other")
		mixed := network.MixedScore(given, s, other)
		if mixed < max(given, s, other)-1e-9 || mixed > network.MaxScore+1e-9 {
			t.Errorf("the scores %v, %v and %v combine to %v", given, s, other, mixed)
		}
		if network.MixedScore(given) > given || network.MixedScore(given, 0, 0) != network.MixedScore(given) {
			t.Errorf("a score of zero changes %v", given)
		}
		if higher := min(10, given+1); network.MixedScore(higher, s, other) < mixed-1e-9 {
			t.Errorf("the combined score %v is less than %v", higher, given)
		}
	})
	for _, tt := range []struct {
		out, in int64
		ago     int
		want    network.Label
	}{
		{100, 100, 0, network.Excellent},
		{20, 20, 0, network.VeryGood},
		{3, 3, 30, network.Good},
		{1, 1, 30, network.Okay},
		{1, 1, 3650, network.Okay},
	} {
		score := network.MixedScore(network.FileScore, network.ContactScore(tt.out, tt.in, tt.ago))
		if got := network.LabelOf(score); got != tt.want {
			t.Errorf("%+v: %q, %v", tt, got, score)
		}
	}
}
