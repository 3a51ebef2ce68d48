package query

import "strings"

// MaxListed is the maximum number of people of a [Set] that a [Statement] lists: readers learn
// nothing from a whole network.
const MaxListed = 100

// Set is a set of people in a [Statement]. A set of more than [MaxListed] is not written out, and needs only its size.
type Set struct {
	People []int64
	Size   int
}

// sets writes each set as a condition, once, because a statement may use it twice.
func (w *sqlWriter) sets(sets []Set) []string {
	out := make([]string, len(sets))
	for i, s := range sets {
		people := ""
		if s.Size > MaxListed {
			people = w.setting(s.Size, "bigint")
		} else {
			people = w.idArray(s.People)
		}
		out[i] = "p.id = ANY(" + people + ")"
	}
	return out
}

// restrictTo restricts the statement to the people in the sets.
func (w *sqlWriter) restrictTo(sets []string) {
	if len(sets) == 0 {
		w.write(" AND FALSE")
		return
	}
	w.write("\n  AND (" + strings.Join(sets, " OR ") + ")")
}
