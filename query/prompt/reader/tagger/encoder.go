package tagger

import "math"

// scoresOf returns the scores of the words of a prompt, outputs for each.
func (m *model) scoresOf(in input) []float32 {
	rows := len(in.pieces)
	x := m.embed(in)
	for i := range m.layers {
		x = m.layers[i].apply(x, rows)
	}
	words := len(in.starts) - 1
	pooled := make([]float32, padded(words)*width)
	for w := range words {
		from, to := in.starts[w], in.starts[w+1]
		sum := pooled[w*width : (w+1)*width]
		for p := from; p < to; p++ {
			add(sum, x[p*width:(p+1)*width])
		}
		for i := range sum {
			sum[i] /= float32(to - from)
		}
	}
	hidden := m.hidden.apply(pooled, words)
	gelu(hidden[:words*m.Hidden])
	return m.scores.apply(hidden, words)
}

// embed returns the first vectors of the pieces.
func (m *model) embed(in input) []float32 {
	rows := len(in.pieces)
	narrow := make([]float32, padded(rows)*m.Rank)
	for r, piece := range in.pieces {
		m.table.add(narrow[r*m.Rank:(r+1)*m.Rank], piece)
	}
	x := m.widen.apply(narrow, rows)
	for r := range rows {
		row := x[r*width : (r+1)*width]
		m.position.add(row, r)
		m.shape.add(row, in.shapes[r])
		for _, feature := range in.features[r] {
			m.known.add(row, feature)
		}
		m.norm.apply(row)
	}
	return x
}

// apply returns the vectors after a layer.
func (l *layer) apply(x []float32, rows int) []float32 {
	mixed := attend(l.qkv.apply(x, rows), rows)
	y := l.out.apply(mixed, rows)
	for r := range rows {
		row := y[r*width : (r+1)*width]
		add(row, x[r*width:(r+1)*width])
		l.norm1.apply(row)
	}
	up := l.up.apply(y, rows)
	gelu(up[:rows*inside])
	out := l.down.apply(up, rows)
	for r := range rows {
		row := out[r*width : (r+1)*width]
		add(row, y[r*width:(r+1)*width])
		l.norm2.apply(row)
	}
	return out
}

// attend mixes the values of all rows, weighted by how well the queries fit the keys. A row of qkv has the queries of
// all heads, then the keys, then the values.
func attend(qkv []float32, rows int) []float32 {
	const size = width / heads
	scale := float32(1 / math.Sqrt(size))
	mixed := make([]float32, padded(rows)*width)
	fit := make([]float32, rows)
	for h := range heads {
		for i := range rows {
			query := qkv[i*3*width+h*size:][:size]
			for j := range rows {
				fit[j] = scale * dot(query, qkv[j*3*width+width+h*size:][:size])
			}
			softmax(fit)
			to := mixed[i*width+h*size:][:size]
			for j, weight := range fit {
				for k, v := range qkv[j*3*width+2*width+h*size:][:size] {
					to[k] += weight * v
				}
			}
		}
	}
	return mixed
}

func dot(a, b []float32) float32 {
	b = b[:len(a)]
	var even, odd float32
	for i := 0; i+1 < len(a); i += 2 {
		even += a[i] * b[i]
		odd += a[i+1] * b[i+1]
	}
	return even + odd
}

func add(to, from []float32) {
	from = from[:len(to)]
	for i := range to {
		to[i] += from[i]
	}
}

// softmax turns scores into weights with the sum 1.
func softmax(x []float32) {
	most := x[0]
	for _, v := range x {
		most = max(most, v)
	}
	var sum float32
	for i, v := range x {
		x[i] = exp(v - most)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

// layerNorm shifts and scales a vector to mean 0 and variance 1, then by weights.
type layerNorm struct{ weight, bias []float32 }

func (n layerNorm) apply(x []float32) {
	var sum, squares float32
	for _, v := range x {
		sum += v
	}
	mean := sum / float32(len(x))
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	scale := 1 / float32(math.Sqrt(float64(squares/float32(len(x)))+1e-12))
	for i, v := range x {
		x[i] = (v-mean)*scale*n.weight[i] + n.bias[i]
	}
}

// gelu is the activation of the encoder, in the form with tanh.
func gelu(x []float32) {
	for i, v := range x {
		x[i] = v / (1 + exp(-2*0.7978845608*(v+0.044715*v*v*v)))
	}
}

// exp is e to the power of x to some seven digits, several times faster than math.Exp.
func exp(x float32) float32 {
	x = min(max(x, -87), 88)
	n := int32(x*math.Log2E+128.5) - 128
	r := x - float32(n)*math.Ln2
	p := 1 + r*(1+r*(0.5+r*(0.16666667+r*(0.041666667+r*(0.008333334+r*0.0013888889)))))
	return p * math.Float32frombits(uint32(n+127)<<23)
}
