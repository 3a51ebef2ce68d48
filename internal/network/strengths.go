package network

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math"
	"slices"
)

// Strength is the people of a circle with one score: contacts of the caller. Their ids ascend. A score is only a sort
// key: see [Filter].
type Strength struct {
	Score  float64
	People []int64
}

// Strengths returns the people of the circle by score, highest first; empty if the circle is ordered by class.
func (c *Circle) Strengths() []Strength { return c.strengths }

// groupByScore groups people by their scores, highest first.
func groupByScore(scores map[int64]float64) []Strength {
	var out []Strength
	for _, id := range slices.SortedFunc(maps.Keys(scores), func(a, b int64) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b))
	}) {
		if n := len(out); n == 0 || out[n-1].Score != scores[id] {
			out = append(out, Strength{Score: scores[id]})
		}
		last := &out[len(out)-1]
		last.People = append(last.People, id)
	}
	return out
}

// strengthBytes estimates the memory used by strengths.
func strengthBytes(strengths []Strength) int {
	n := 0
	for _, s := range strengths {
		n += 40 + 8*len(s.People)
	}
	return n
}

// appendStrengths appends the stored form: for each strength the score and the people, each person as the difference to
// the one before.
func appendStrengths(b []byte, strengths []Strength) []byte {
	if len(strengths) == 0 {
		return b
	}
	b = binary.AppendUvarint(b, uint64(len(strengths)))
	for _, s := range strengths {
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(s.Score))
		b = binary.AppendUvarint(b, uint64(len(s.People)))
		before := int64(0)
		for _, id := range s.People {
			b, before = binary.AppendVarint(b, id-before), id
		}
	}
	return b
}

// strengths decodes the form written by appendStrengths.
func (r *reader) strengths() []Strength {
	var out []Strength
	for n := r.uint(); n > 0 && !r.bad; n-- {
		score := r.bytes(8)
		if r.bad {
			return nil
		}
		s := Strength{Score: math.Float64frombits(binary.BigEndian.Uint64(score))}
		id := int64(0)
		for k := r.uint(); k > 0 && !r.bad; k-- {
			id += r.int()
			s.People = append(s.People, id)
		}
		out = append(out, s)
	}
	return out
}
