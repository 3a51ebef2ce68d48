//go:build (amd64 || arm64) && !purego

package tagger

// newMultiplier returns the multiplier for inputs of a width: that in assembly, if the processor has its instructions.
// It differs from the plain one in rounding only.
func newMultiplier(in int) multiplier {
	if !hasMultiplyBlock() {
		return plainMultiplier(in)
	}
	return func(sums, input []float32, panel []byte) {
		for r := 0; r < len(sums)/lanes; r += blockRows {
			of, rows := sums[r*lanes:(r+blockRows)*lanes], input[r*in:(r+blockRows)*in]
			multiplyBlock(&of[0], &rows[0], in, &panel[:in*lanes][0])
		}
	}
}

// multiplyBlock sets 4 times 16 sums to the products of 4 rows of an input with a panel.
//
//go:noescape
func multiplyBlock(sums, rows *float32, in int, panel *byte)
