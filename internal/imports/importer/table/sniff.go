package table

import (
	"bytes"
	"strings"
)

// Header is the header row of a table.
type Header struct {
	Separator byte
	// Cells are the column names, Line the line number.
	Cells []string
	Line  int64
}

const separators = ",;\t|"

// maxPreamble limits the rows before the header.
const maxPreamble = 40

// Sniff finds the header at the beginning of a text. It tries all separators and the first rows, and returns the row
// with the highest score; ok is false if all scores are 0. whole is true if head is the complete text.
func Sniff(head []byte, whole bool, score func(cells []string) int) (h Header, ok bool) {
	best := 0
	for _, separator := range []byte(separators) {
		t := NewReader(bytes.NewReader(head), separator)
		for range maxPreamble {
			row, err := t.next()
			if err != nil || len(t.window) == 0 && !whole && t.err != nil && best > 0 {
				break
			}
			if n := score(row.Cells); n > best {
				best = n
				h = newHeader(row, separator)
			}
		}
	}
	return h, best > 0
}

// First returns the first row as the header, with the separator that gives it most cells; ok is false if that is one.
func First(head []byte) (h Header, ok bool) {
	for _, separator := range []byte(separators) {
		row, err := NewReader(bytes.NewReader(head), separator).next()
		if err == nil && len(row.Cells) > max(1, len(h.Cells)) {
			h = newHeader(row, separator)
		}
	}
	return h, len(h.Cells) > 0
}

func newHeader(row Row, separator byte) Header {
	cells := make([]string, len(row.Cells))
	for i, c := range row.Cells {
		cells[i] = strings.TrimSpace(c)
	}
	return Header{Separator: separator, Cells: cells, Line: row.Line}
}
