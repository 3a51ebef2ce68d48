package pgindex

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// What was copied stays as it was, whatever is copied after it and whatever the
// connection does with its memory, and null stays null.
func TestCopies(t *testing.T) {
	value := rapid.OneOf(rapid.Just[[]byte](nil), rapid.SliceOfN(rapid.Byte(), 0, 100), rapid.SliceOfN(rapid.Byte(), largestPiece, largestPiece+1))
	rapid.Check(t, func(t *rapid.T) {
		var c copies
		var want, got [][][]byte
		for range rapid.IntRange(1, 30).Draw(t, "rows") {
			row := rapid.SliceOfN(value, 0, 4).Draw(t, "row")
			lent := make([][]byte, len(row))
			for i, v := range row {
				lent[i] = slices.Clone(v)
			}
			want, got = append(want, row), append(got, c.row(lent))
			for _, v := range lent {
				clear(v)
			}
		}
		for i, row := range want {
			if !slices.EqualFunc(row, got[i], func(a, b []byte) bool { return bytes.Equal(a, b) && (a == nil) == (b == nil) }) {
				t.Fatalf("row %d is %q, not %q", i, got[i], row)
			}
		}
	})
}
