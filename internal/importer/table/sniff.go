package table

import (
	"bytes"
	"strings"
)

// Header is where a table begins.
type Header struct {
	Separator byte
	// Cells are the names of the columns, Line the number of the line.
	Cells []string
	Line  int64
}

// maxPreamble is how many rows may be before the header.
const maxPreamble = 40

// Sniff finds the header in the beginning of a text: of all separators and of the
// first rows, the row of which score knows the most cells. ok is false where it
// knows none of any. whole is true where head is all of the text.
func Sniff(head []byte, whole bool, score func(cells []string) int) (h Header, ok bool) {
	best := 0
	for _, separator := range []byte{',', ';', '\t', '|'} {
		t := NewReader(bytes.NewReader(head), separator)
		for range maxPreamble {
			row, err := t.next()
			if err != nil || len(t.window) == 0 && !whole && t.err != nil && best > 0 {
				break
			}
			if n := score(row.Cells); n > best {
				best = n
				cells := make([]string, len(row.Cells))
				for i, c := range row.Cells {
					cells[i] = strings.TrimSpace(c)
				}
				h = Header{Separator: separator, Cells: cells, Line: row.Line}
			}
		}
	}
	return h, best > 0
}
