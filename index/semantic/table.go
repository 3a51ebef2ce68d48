package semantic

import (
	_ "embed"
	"fmt"
	"math"

	"kith/query/wordpiece"
)

// dimensions is the length of a vector.
const dimensions = 128

//go:embed data/vectors.i8
var vectors string

// Table has the vectors of the word pieces. It never changes and is safe for concurrent use.
type Table struct {
	pieces *wordpiece.Vocabulary
}

// New reads the table in some 10 ms. An error means that the binary is damaged.
func New() (*Table, error) {
	pieces := wordpiece.New()
	if pieces.Len()*dimensions != len(vectors) {
		return nil, fmt.Errorf("semantic: there are %d pieces and %d bytes of vectors", pieces.Len(), len(vectors))
	}
	return &Table{pieces: pieces}, nil
}

// Vector is the embedding of a phrase. The zero Vector means that no piece is known; it is similar to nothing.
type Vector struct {
	of     [dimensions]int8
	length float32
}

// Embed returns the vector of a phrase. It ignores case and accents.
func (t *Table) Embed(phrase string) Vector {
	var sum [dimensions]int32
	var ids [16]int
	for _, id := range t.appendPhrase(ids[:0], phrase) {
		row := vectors[id*dimensions : (id+1)*dimensions]
		for i := range sum {
			sum[i] += int32(int8(row[i]))
		}
	}
	return scaleToBytes(sum)
}

// scaleToBytes scales a sum to one byte for each number. The cosine ignores the scale.
func scaleToBytes(sum [dimensions]int32) Vector {
	var most int32
	for _, n := range sum {
		most = max(most, n, -n)
	}
	if most == 0 {
		return Vector{}
	}
	var v Vector
	squares := 0
	for i, n := range sum {
		v.of[i] = int8(math.Round(float64(n) * 127 / float64(most)))
		squares += int(v.of[i]) * int(v.of[i])
	}
	v.length = float32(math.Sqrt(float64(squares)))
	return v
}

// similarity is the cosine of two vectors: 1 for the same direction, 0 for unrelated vectors and for the zero Vector.
func similarity(a, b *Vector) float64 {
	if a.length == 0 || b.length == 0 {
		return 0
	}
	var even, odd int32
	for i := 0; i < dimensions; i += 2 {
		even += int32(a.of[i]) * int32(b.of[i])
		odd += int32(a.of[i+1]) * int32(b.of[i+1])
	}
	return float64(even+odd) / (float64(a.length) * float64(b.length))
}
