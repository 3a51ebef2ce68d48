package tagger

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestMultipliersDifferInRoundingOnly(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for _, in := range []int{1, 3, 128, inside} {
		input, panel := make([]float32, 2*blockRows*in), make([]byte, lanes*in)
		for i := range input {
			input[i] = float32(dice.NormFloat64())
		}
		for i := range panel {
			panel[i] = byte(dice.Uint32())
		}
		got, want := make([]float32, 2*blockRows*lanes), make([]float32, 2*blockRows*lanes)
		newMultiplier(in)(got, input, panel)
		plainMultiplier(in)(want, input, panel)
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > 1e-3*math.Sqrt(float64(in)) {
				t.Fatalf("%d inputs: sum %d is %v, plainly %v", in, i, got[i], want[i])
			}
		}
	}
}
