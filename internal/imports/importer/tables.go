package importer

import (
	"bufio"
	"context"
	"errors"
	"io"
	"path"
	"slices"
	"strings"

	"kith/internal/imports/importer/layout"
	"kith/internal/imports/importer/table"
	"kith/internal/imports/importer/tidy"
)

// table returns a function that reads a table; nil if it finds no header.
func (rec *recognised) table(r *bufio.Reader, head []byte, whole bool, opts Options,
	name string,
) func(context.Context, *reading) error {
	score := layout.TableScore(name)
	given, isGiven := forced(opts)
	if isGiven {
		score = newScorer(given)
	}
	h, ok := table.Sniff(head, whole, score)
	if !ok && isGiven {
		all := layout.Paths(given)
		rec.problem = "none of its first rows has a column of the mapping or format: " +
			strings.Join(all[:min(len(all), 20)], ", ")
		return nil
	}
	if ext := strings.ToLower(path.Ext(name)); !ok && (ext == ".csv" || ext == ".tsv") {
		h, ok = table.First(head)
	}
	if !ok {
		rec.problem = "unknown format: it does not begin as a table, address book, calendar or mailbox"
		return nil
	}
	b, ok := layout.OfTable(name, h.Cells)
	if isGiven {
		var err error
		if b, err = layout.BindTable(given, h.Cells); err != nil {
			rec.problem = err.Error()
			return nil
		}
	} else if !ok {
		for _, cell := range h.Cells {
			rec.report.Columns = append(rec.report.Columns, layout.Column{Name: cell})
		}
		rec.problem = "unknown columns: " + strings.Join(h.Cells[:min(len(h.Cells), 20)], ", ") +
			"; map them with --map"
		return nil
	}
	rec.report.Format, rec.report.Title, rec.report.Columns = b.Layout.Name, b.Layout.Title, b.Columns
	rec.report.Separator, rec.report.Header = string(h.Separator), h.Line
	return func(ctx context.Context, at *reading) error { return at.table(ctx, r, h, b) }
}

// newScorer returns a function that scores header rows by the columns of one layout.
func newScorer(l layout.Layout) func([]string) int {
	return func(cells []string) int {
		b := layout.Fit(l, cells)
		n := 0
		for _, c := range b.Columns {
			if len(c.Members) > 0 || c.Known {
				n++
			}
		}
		return n
	}
}

// aheadRows is how many rows are read ahead to learn the order of dates.
const aheadRows = 300

// rows reads the rows of a table, with look-ahead.
type rows struct {
	t     *table.Reader
	ahead []table.Row
}

func (r *rows) next() (table.Row, error) {
	if len(r.ahead) > 0 {
		row := r.ahead[0]
		r.ahead = r.ahead[1:]
		return row, nil
	}
	return r.t.Next()
}

func (r *rows) look(n int) error {
	for range n {
		row, err := r.t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		row.Cells = slices.Clone(row.Cells)
		r.ahead = append(r.ahead, row)
	}
	return nil
}

// table reads the rows of a table.
func (r *reading) table(ctx context.Context, text io.Reader, h table.Header, b *layout.Bound) error {
	in := &rows{t: table.NewReader(text, h.Separator)}
	for {
		row, err := in.next()
		if err != nil {
			return err
		}
		if row.Line >= h.Line {
			break
		}
	}
	if err := in.look(aheadRows); err != nil {
		return err
	}
	d := &draft{layout: &b.Layout, order: order(in.ahead, b)}
	return each(ctx, in.next, func(row table.Row) error { return r.row(ctx, d, row, b) })
}

// each calls f with every entry of a file, until next returns [io.EOF] or ctx ends.
func each[T any](ctx context.Context, next func() (T, error), f func(T) error) error {
	for {
		entry, err := next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = f(entry)
		}
		if err != nil {
			return err
		}
	}
}

// order learns the order of day and month from the columns with dates.
func order(ahead []table.Row, b *layout.Bound) tidy.Order {
	var dates []string
	for i, c := range b.Columns {
		if !slices.ContainsFunc(c.Members, isDate) {
			continue
		}
		for _, row := range ahead {
			if i < len(row.Cells) {
				dates = append(dates, row.Cells[i])
			}
		}
	}
	return tidy.Learn(dates)
}

func isDate(member string) bool {
	return strings.HasSuffix(member, "_date") || strings.HasSuffix(member, ".since") || strings.HasSuffix(member, ".at")
}

func (r *reading) row(ctx context.Context, d *draft, row table.Row, b *layout.Bound) error {
	if row.Cells != nil && isHeaderAgain(row.Cells, b) { // the header of an appended file
		return nil
	}
	r.report.Records++
	if row.Cells == nil {
		return r.reject(ctx, row.Line, row.Problem)
	}
	cells, ok := fitRow(row.Cells, b)
	if !ok {
		return r.reject(ctx, row.Line, ReasonCells)
	}
	return r.record(ctx, d, row.Line, b.Record(cells))
}

func isHeaderAgain(cells []string, b *layout.Bound) bool {
	return slices.EqualFunc(cells, b.Columns, func(cell string, c layout.Column) bool {
		return strings.TrimSpace(cell) == c.Name
	})
}

// fitRow adjusts a row with more cells than the header. It drops empty cells at the end. It rejoins cells that an
// unquoted separator split if only one way puts addresses and URLs into their columns.
func fitRow(cells []string, b *layout.Bound) ([]string, bool) {
	for len(cells) > len(b.Columns) && strings.TrimSpace(cells[len(cells)-1]) == "" {
		cells = cells[:len(cells)-1]
	}
	extra := len(cells) - len(b.Columns)
	if extra <= 0 {
		return cells, true
	}
	if len(b.Columns) > 200 {
		return nil, false
	}
	var found []string
	for at := range b.Columns {
		joined := slices.Clone(cells[:at])
		joined = append(joined, strings.Join(cells[at:at+extra+1], ","))
		joined = append(joined, cells[at+extra+1:]...)
		if !plausible(joined, at, b) {
			continue
		}
		if found != nil {
			return nil, false
		}
		found = joined
	}
	return found, found != nil
}

// plausible reports whether every cell fits its column, and the joined cell is prose: a title, a company, a place.
func plausible(cells []string, at int, b *layout.Bound) bool {
	for i, cell := range cells {
		if i == at && !strings.Contains(cell, ", ") && len(b.Columns[i].Members) > 0 {
			return false
		}
		for _, m := range b.Columns[i].Members {
			if i == at && !isProse(m) || i != at && !canHold(cell, m) {
				return false
			}
		}
	}
	return true
}

// isProse reports whether a member's text may contain a comma.
func isProse(member string) bool {
	switch member[strings.LastIndexByte(member, '.')+1:] {
	case "emails", "social_url", "domain", "first_name", "last_name", "id":
		return false
	}
	return !isDate(member)
}

// canHold reports whether a cell can be a value of a member.
func canHold(cell, member string) bool {
	trimmed := strings.TrimSpace(cell)
	if trimmed == "" {
		return true
	}
	switch name := member[strings.LastIndexByte(member, '.')+1:]; {
	case name == "emails":
		return len(tidy.Emails(trimmed)) > 0
	case name == "social_url" || name == "domain":
		return strings.Contains(trimmed, ".")
	case name == "name" || name == "title":
		return !strings.HasPrefix(cell, " ")
	case isDate(member):
		return tidy.Date(trimmed, tidy.UnknownOrder) != "" || tidy.IsPresent(trimmed)
	}
	return true
}
