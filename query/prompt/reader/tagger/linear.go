package tagger

// The block of a product that is computed at once: some rows of the input with some columns of the output.
const (
	lanes     = 16
	blockRows = 4
)

// linear is a matrix of signed bytes with a scale and a bias for each output. Panels of [lanes] outputs follow one
// another; in a panel, the bytes of an input stand together.
type linear struct {
	in, out     int
	scale, bias []float32
	panels      []byte
}

// padded is a number of rows for which there must be room in the input of a product.
func padded(rows int) int { return (rows + blockRows - 1) / blockRows * blockRows }

// apply multiplies rows of an input, which has room for [padded] rows, and returns as many rows of outputs.
func (l *linear) apply(input []float32, rows int) []float32 {
	output := make([]float32, padded(rows)*l.out)
	sums := make([]float32, padded(rows)*lanes)
	multiply := newMultiplier(l.in)
	for from := 0; from < l.out; from += lanes {
		multiply(sums, input, l.panels[from*l.in:(from+lanes)*l.in])
		to := min(from+lanes, l.out)
		scale, bias := l.scale[from:to], l.bias[from:to]
		for r := range rows {
			of := sums[r*lanes : (r+1)*lanes]
			for i := range scale {
				output[r*l.out+from+i] = of[i]*scale[i] + bias[i]
			}
		}
	}
	return output
}

// multiplier computes the products of all rows of an input with a panel.
type multiplier func(sums, input []float32, panel []byte)

// plainMultiplier returns a multiplier for any processor.
func plainMultiplier(in int) multiplier {
	columns := make([]float32, lanes*in)
	return func(sums, input []float32, panel []byte) {
		for i := range in {
			for j, b := range panel[i*lanes : (i+1)*lanes] {
				columns[j*in+i] = float32(int8(b))
			}
		}
		for r := 0; r < len(sums)/lanes; r += blockRows {
			rows := input[r*in : (r+blockRows)*in]
			for j := 0; j < lanes; j += 2 {
				plainBlock(sums[r*lanes+j:], rows, columns[j*in:(j+1)*in], columns[(j+1)*in:(j+2)*in])
			}
		}
	}
}

// plainBlock multiplies four rows with two columns.
func plainBlock(sums, rows, a, b []float32) {
	in := len(a)
	r0, r1, r2, r3 := rows[:in], rows[in:2*in], rows[2*in:3*in], rows[3*in:4*in]
	b, r0, r1, r2, r3 = b[:in], r0[:in], r1[:in], r2[:in], r3[:in]
	var a0, a1, a2, a3, b0, b1, b2, b3 float32
	for i, x := range a {
		y := b[i]
		a0 += x * r0[i]
		b0 += y * r0[i]
		a1 += x * r1[i]
		b1 += y * r1[i]
		a2 += x * r2[i]
		b2 += y * r2[i]
		a3 += x * r3[i]
		b3 += y * r3[i]
	}
	sums[0], sums[1] = a0, b0
	sums[lanes], sums[lanes+1] = a1, b1
	sums[2*lanes], sums[2*lanes+1] = a2, b2
	sums[3*lanes], sums[3*lanes+1] = a3, b3
}
