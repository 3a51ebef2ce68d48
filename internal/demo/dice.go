package demo

import "sort"

// dice is a small random source (splitmix64). It replaces math/rand because a dataset must be identical with every
// release of Go. For the same reason everything drawn from it is computed with integers.
type dice struct{ state uint64 }

// The kinds of records, so that company 7 and person 7 have different random numbers.
const (
	diceCompany uint64 = 1
	dicePerson  uint64 = 2
)

// roll returns the random source of one record.
func roll(seed, kind, id uint64) dice {
	return dice{mix(mix(mix(seed)^kind) ^ id)}
}

func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb
	return x ^ (x >> 31)
}

func (d *dice) next() uint64 {
	v := mix(d.state)
	d.state += 0x9e3779b97f4a7c15
	return v
}

// below returns a number from 0 to n-1; n is at least 1.
func (d *dice) below(n int) int { return int((d.next() >> 33) * uint64(n) >> 31) }

// between returns a number from lo to hi, inclusive.
func (d *dice) between(lo, hi int) int { return lo + d.below(hi-lo+1) }

// early returns a number from 0 to n-1, small ones more often, for lists sorted by frequency.
func (d *dice) early(n int) int { return d.below(d.below(n) + 1) }

// in1000 is true with a probability of n in 1000.
func (d *dice) in1000(n int) bool { return d.below(1000) < n }

// of returns one of the values.
func of[T any](d *dice, values []T) T { return values[d.below(len(values))] }

// wheel draws slot numbers by weight.
type wheel struct{ sums []uint64 }

// add appends a slot; its weight is at least 1.
func (w *wheel) add(weight uint64) {
	var total uint64
	if n := len(w.sums); n > 0 {
		total = w.sums[n-1]
	}
	w.sums = append(w.sums, total+max(weight, 1))
}

// spin draws the number of a slot; the wheel must have at least one.
func (w *wheel) spin(d *dice) int {
	at := d.next() % w.sums[len(w.sums)-1]
	return sort.Search(len(w.sums), func(i int) bool { return w.sums[i] > at })
}
