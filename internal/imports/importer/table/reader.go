// Package table reads real-world tables: any separator, quoted cells with line breaks,
// stray quotation marks, notes before the header. [Reader] reads rows in bounded memory
// and reports unreadable ones; [Sniff] finds separator and header.
package table

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// MaxRow limits the length of a row, in bytes.
const MaxRow = 1 << 20

// Row is one row of a table.
type Row struct {
	// Line is the number of its first line, from 1.
	Line int64
	// Cells are valid until the next row is read.
	Cells []string
	// Problem says why the row is unreadable (Cells is nil) or was not read as written.
	Problem string
}

// Problems of rows.
const (
	TooLong   = "the row is longer than 1 MiB"
	OpenQuote = "a quotation mark is never closed; it is read as text"
	AllText   = "many quotation marks before were never closed; all are read as text"
)

const (
	windowSize = 64 << 10
	// maxOpenQuotes limits the rows in which a quotation mark is never closed: each costs a search through MaxRow.
	maxOpenQuotes = 100
)

// Reader reads rows.
type Reader struct {
	r         io.Reader
	separator byte
	// window is data that was read but not yet returned.
	window []byte
	line   int64
	err    error
	cells  []string
	// openQuotes counts the rows with a quotation mark that is never closed.
	openQuotes int
}

// NewReader returns a reader of a table with a separator.
func NewReader(r io.Reader, separator byte) *Reader {
	return &Reader{r: r, separator: separator, line: 1}
}

// Next returns the next row that is not blank, or [io.EOF] after the last.
func (t *Reader) Next() (Row, error) {
	for {
		row, err := t.next()
		if err != nil || row.Problem != "" || len(row.Cells) > 1 || strings.TrimSpace(row.Cells[0]) != "" {
			return row, err
		}
	}
}

func (t *Reader) next() (Row, error) {
	for {
		if t.openQuotes == maxOpenQuotes {
			if n, complete := endOfLine(t.window, t.err != nil); complete {
				return t.take(n, AllText), nil
			}
		} else if n, complete := endOfRow(t.window, t.separator, t.err != nil); complete {
			return t.take(n, ""), nil
		}
		if t.err != nil || len(t.window) >= MaxRow {
			return t.recover()
		}
		t.fill()
	}
}

// fill reads more data into the window.
func (t *Reader) fill() {
	if cap(t.window)-len(t.window) < windowSize {
		grown := make([]byte, len(t.window), min(max(2*cap(t.window), 2*windowSize), 2*MaxRow+2*windowSize))
		copy(grown, t.window)
		t.window = grown
	}
	n, err := t.r.Read(t.window[len(t.window):min(cap(t.window), len(t.window)+windowSize)])
	t.window = t.window[:len(t.window)+n]
	if err != nil {
		t.err = err
	}
}

// take returns the first n bytes of the window as a row. With a problem, quotation marks are text.
func (t *Reader) take(n int, problem string) Row {
	text := string(t.window[:n])
	row := Row{Line: t.line}
	if strings.Contains(text, `"`) {
		row.Problem = problem
	}
	t.line += int64(strings.Count(text, "\n"))
	t.window = t.window[n:]
	text = strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	t.cells = split(t.cells[:0], text, t.separator, row.Problem != "")
	row.Cells = t.cells
	return row
}

// recover handles a row without an end: it reads its first line without regard to
// quotation marks, or skips it if it is too long.
func (t *Reader) recover() (Row, error) {
	if len(t.window) == 0 {
		return Row{}, t.err
	}
	if n, complete := endOfLine(t.window, errors.Is(t.err, io.EOF)); complete {
		t.openQuotes++
		return t.take(n, OpenQuote), nil
	}
	if t.err != nil {
		return Row{}, t.err
	}
	row := Row{Line: t.line, Problem: TooLong}
	for {
		if n := bytes.IndexByte(t.window, '\n'); n >= 0 {
			t.window = t.window[n+1:]
			t.line++
			return row, nil
		}
		t.window = t.window[:0]
		if t.err != nil {
			return row, nil
		}
		t.fill()
	}
}

// endOfLine returns the end of the first line in a window; complete is false if the window does not contain it.
func endOfLine(window []byte, last bool) (n int, complete bool) {
	if n = bytes.IndexByte(window, '\n') + 1; n > 0 {
		return n, true
	}
	return len(window), last && len(window) > 0
}

// endOfRow returns the end of the first row in a window; complete is false if the window does not contain it.
func endOfRow(window []byte, separator byte, last bool) (n int, complete bool) {
	newline := -1 // the first newline at or after i
	for i := 0; i < len(window); {
		if window[i] == '"' {
			end, closed := endOfQuoted(window, i+1, separator)
			if !closed {
				return 0, false
			}
			if end >= len(window) && !last { // the mark may be the first of two
				return 0, false
			}
			i = end
		}
		if newline < i {
			if newline = bytes.IndexByte(window[i:], '\n'); newline < 0 {
				newline = len(window)
			} else {
				newline += i
			}
		}
		s := bytes.IndexByte(window[i:newline], separator)
		if s < 0 {
			if newline == len(window) {
				break
			}
			return newline + 1, true
		}
		for i += s + 1; i < len(window) && window[i] == ' '; {
			i++
		}
	}
	return len(window), last && len(window) > 0
}

// endOfQuoted returns the position after the mark that closes a quoted cell.
func endOfQuoted[T ~string | ~[]byte](s T, from int, separator byte) (end int, closed bool) {
	inner := false
	for i := from; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		if i+1 < len(s) && s[i+1] == '"' {
			i++
			continue
		}
		if i+1 >= len(s) || s[i+1] == separator || s[i+1] == '\n' || s[i+1] == '\r' {
			return i + 1, true
		}
		// A mark within the text opens an inner quotation if it follows a space or bracket.
		// Otherwise it closes the inner quotation or, without one, the cell.
		switch {
		case inner:
			inner = false
		case i > from && s[i-1] != ' ' && s[i-1] != '(':
			return i + 1, true
		default:
			inner = true
		}
	}
	return 0, false
}

// split splits a row into cells, which share the memory of the row.
func split(cells []string, row string, separator byte, literal bool) []string {
	for {
		start := 0
		for !literal && start < len(row) && row[start] == ' ' {
			start++
		}
		if !literal && start < len(row) && row[start] == '"' && (start == 0 || len(cells) > 0) {
			if end, closed := endOfQuoted(row, start+1, separator); closed {
				cell := strings.ReplaceAll(row[start+1:end-1], `""`, `"`)
				n := strings.IndexByte(row[end:], separator)
				if n < 0 {
					return append(cells, cell+row[end:])
				}
				cells = append(cells, cell+row[end:end+n])
				row = row[end+n+1:]
				continue
			}
		}
		n := strings.IndexByte(row, separator)
		if n < 0 {
			return append(cells, row)
		}
		cells = append(cells, row[:n])
		row = row[n+1:]
	}
}
