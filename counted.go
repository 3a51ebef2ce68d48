package kith

import "strconv"

// Counted returns a number with the form of its noun that goes with it: 1 lead, 2 leads.
func Counted[N ~int | ~int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(int64(n), 10) + " " + many
}
