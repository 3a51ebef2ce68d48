package rules

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/segment"
)

// yearsAgo is how long ago a time is, as filters of whole years have it.
func yearsAgo(q quantity.Quantity) quantity.Quantity {
	if q.Op == quantity.AtMost {
		q.Op = quantity.Less
	}
	return q.Capped(analysis.MaxYears)
}

// yearsOf are the calendar years of a time back from now.
func (p *parser) yearsOf(q quantity.Quantity) quantity.Quantity {
	year := func(n int64) int64 { return int64(p.ago(n, q.Months).Year()) }
	switch q.Op {
	case quantity.More:
		return quantity.Quantity{Op: quantity.Less, A: year(q.A)}
	case quantity.Between:
		return quantity.Quantity{Op: quantity.Between, A: year(q.B), B: year(q.A)}
	}
	return quantity.Quantity{Op: quantity.AtLeast, A: year(q.A)}
}

// dateRange is a range of days in words and in days.
func (p *parser) dateRange(q quantity.Quantity) (query.Range, string) {
	if q.Kind == quantity.Ago {
		return p.agoRange(q)
	}
	r := query.Range{}
	r.Min, r.Max = q.Days()
	if q.First > 0 || q.Last > 0 {
		return r, monthsInWords(q)
	}
	low, high := q.Bounds()
	var says []string
	if low != nil {
		says = append(says, "from "+strconv.FormatInt(*low, 10))
	}
	if high != nil {
		says = append(says, "to "+strconv.FormatInt(*high, 10))
	}
	if low != nil && high != nil && *low == *high {
		says = []string{"in " + strconv.FormatInt(*low, 10)}
	}
	return r, strings.Join(says, " ")
}

// agoRange is the range of a time back from now.
func (p *parser) agoRange(q quantity.Quantity) (query.Range, string) {
	unit := "year"
	if q.Months {
		unit = "month"
	}
	switch q.Op {
	case quantity.More:
		return query.Range{Max: new(p.daysAgo(q.A, q.Months))}, fmt.Sprintf("more than %d %ss ago", q.A, unit)
	case quantity.Between:
		return query.Range{Min: new(p.daysAgo(q.B+1, q.Months)), Max: new(p.daysAgo(q.A, q.Months))}, fmt.Sprintf("%d to %d %ss ago", q.A, q.B, unit)
	}
	says := "in the last " + unit
	if q.A != 1 {
		says = fmt.Sprintf("in the last %d %ss", q.A, unit)
	}
	return query.Range{Min: new(p.daysAgo(q.A, q.Months))}, says
}

// monthsInWords says a date that names months.
func monthsInWords(q quantity.Quantity) string {
	in := func(month time.Month, year int64) string {
		if month == 0 {
			return strconv.FormatInt(year, 10)
		}
		return fmt.Sprintf("%s %d", month, year)
	}
	switch q.Op {
	case quantity.Less:
		return "before " + in(q.First, q.A)
	case quantity.AtMost:
		return "to " + in(q.Last, q.A)
	case quantity.More:
		return "after " + in(q.Last, q.A)
	case quantity.AtLeast:
		return "from " + in(q.First, q.A)
	case quantity.Between:
		return "from " + in(q.First, q.A) + " to " + in(q.Last, q.B)
	case quantity.Equal:
	}
	if q.First != q.Last {
		return "from " + in(q.First, q.A) + " to " + in(q.Last, q.A)
	}
	return "in " + in(q.First, q.A)
}

// longAgo bounds years and months: nobody's career is longer.
const longAgo = 1800

// daysAgo is the day so many years or months ago, in days since 1970.
func (p *parser) daysAgo(n int64, months bool) int64 { return analysis.DayOf(p.ago(n, months)) }

// ago is the day so many years or months ago.
func (p *parser) ago(n int64, months bool) time.Time {
	n = min(n, longAgo)
	now := p.now.UTC()
	if !months {
		n *= 12
	}
	t := now.AddDate(0, -int(n), 0)
	if t.Day() != now.Day() { // a month without that day: its last
		t = t.AddDate(0, 0, -t.Day())
	}
	return t
}

// addTime adds when a job began or ended; it is another of the times that are listed before it:
// left Acme in 2023 and 2024.
func (p *parser) addTime(path query.Path, of when, r query.Range, begins, says string, s segment.Span) {
	at := p.last
	bound := r.Min == nil || r.Max == nil // joined after 2019 and before 2022: both
	if bound || at < 0 || p.facts[at].query == nil || !strings.HasPrefix(p.facts[at].says, begins) || !p.listed(p.lastAt, s.From) {
		p.addPlain(fact{query: p.atSameJob(path, of, r), says: begins + says}, s)
		return
	}
	p.last--
	other := p.atSameJob(path, of, r)
	p.last = at
	f := &p.facts[at]
	f.query, f.says = query.Or{Parts: []query.Query{f.query, other}}, f.says+", or "+begins+says
	p.joinLast(s)
}
