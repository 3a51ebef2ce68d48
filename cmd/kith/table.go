package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

const (
	// plainWidth is the width of tables that do not go to a terminal.
	plainWidth = 80
	// narrowest is the width below which no column is shortened while another is wider.
	narrowest = 8
	// sample is the number of rows that decide the widths of the columns.
	sample = 100
	// columnGap separates columns.
	columnGap = "  "
)

// use says what happens to a column if the table does not fit.
type use int

const (
	// shortened columns lose the ends of long cells.
	shortened use = iota
	// whole columns are shortened only if all others are as narrow as they may be.
	whole
	// spare columns are left out.
	spare
)

// column is a column of a table.
type column struct {
	heading string
	use     use
	width   int
	// cut is set if cells are cut to the width.
	cut bool
}

// table prints rows in columns that fit the terminal, or 80 characters elsewhere. It keeps the first rows back until
// their end or [table.flush], because they decide the widths. Later rows are cut to these, except for whole columns.
type table struct {
	to      io.Writer
	columns []column
	width   int
	kept    [][]string
	// begun is set after the heading is printed.
	begun bool
}

func newTable(to io.Writer, columns ...column) *table {
	return &table{to: to, columns: columns, width: widthOf(to)}
}

// widthOf returns the width of a terminal, or plainWidth.
func widthOf(to io.Writer) int {
	if out, ok := to.(*output); ok {
		to = out.w
	}
	if file, ok := to.(*os.File); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return plainWidth
}

// row prints a row, now or later.
func (t *table) row(cells ...string) {
	for i := range cells {
		cells[i] = printable(cells[i])
	}
	if t.begun {
		t.print(cells)
		return
	}
	if t.kept = append(t.kept, cells); len(t.kept) == sample {
		t.flush()
	}
}

// flush prints the rows that were kept back. Without any, it prints nothing.
func (t *table) flush() {
	if len(t.kept) == 0 {
		return
	}
	if !t.begun {
		t.begun = true
		t.fit()
		heading := make([]string, len(t.columns))
		for i, c := range t.columns {
			heading[i] = c.heading
		}
		t.print(heading)
	}
	for _, cells := range t.kept {
		t.print(cells)
	}
	t.kept = nil
}

// fit chooses the widths of the columns: those of their longest cells, if the table then fits. Otherwise it leaves out
// spare columns, which get the width 0, and shortens the widest ones.
func (t *table) fit() {
	for i := range t.columns {
		c := &t.columns[i]
		c.width, c.cut = uniseg.StringWidth(c.heading), c.use == shortened
		for _, cells := range t.kept {
			c.width = max(c.width, uniseg.StringWidth(cells[i]))
		}
	}
	for i := range t.columns {
		if t.columns[i].use == spare && t.excess() > 0 {
			t.columns[i].width = 0
		}
	}
	for _, cut := range []use{shortened, whole} {
		for t.excess() > 0 && t.narrow(cut) {
		}
	}
}

// excess is the number of characters by which the table is too wide.
func (t *table) excess() int {
	sum := -len(columnGap)
	for _, c := range t.columns {
		if c.width > 0 {
			sum += c.width + len(columnGap)
		}
	}
	return sum - t.width
}

// narrow makes the widest column of this use narrower; false means that all are as narrow as they may be.
func (t *table) narrow(cut use) bool {
	widest := -1
	for i, c := range t.columns {
		if c.use == cut && c.width > narrowest && (widest < 0 || c.width > t.columns[widest].width) {
			widest = i
		}
	}
	if widest >= 0 {
		t.columns[widest].width--
		t.columns[widest].cut = true
	}
	return widest >= 0
}

// print prints a row in one write.
func (t *table) print(cells []string) {
	var line []string
	for i, c := range t.columns {
		if c.width > 0 {
			line = append(line, cell(cells[i], c.width, c.cut))
		}
	}
	fmt.Fprintln(t.to, strings.TrimRight(strings.Join(line, columnGap), " "))
}

// cell pads a text to the width of its column, or with cut shortens it to the width.
func cell(text string, width int, cut bool) string {
	if cut && uniseg.StringWidth(text) > width {
		text = shorten(text, width)
	}
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
}

// shorten cuts a text and marks the cut with an ellipsis.
func shorten(text string, width int) string {
	var b strings.Builder
	for letters, used := uniseg.NewGraphemes(text), 0; letters.Next(); {
		if used += letters.Width(); used >= width {
			break
		}
		b.WriteString(letters.Str())
	}
	return b.String() + "…"
}
