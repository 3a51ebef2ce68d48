package planner

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
)

// event is the time or manner in which a job began or ended.
type event struct {
	kind  string             // a key of eventKinds, or "held"
	when  *quantity.Quantity // nil if the prompt gives no time
	where value              // the company or title of the job
}

// buildEvent builds an event. The first argument is the kind, the second the time, and others describe the job.
func buildEvent(_ *chart, args []arg) (value, bool) {
	if len(args) < 2 || len(args[1].val) != 1 || args[1].val[0].number == nil {
		return nil, false
	}
	when := *args[1].val[0].number
	switch when.Kind {
	case quantity.Date, quantity.Ago:
	default:
		return nil, false
	}
	kind, ok := untilToday(args[0].word, when.Op)
	if !ok {
		return nil, false
	}
	ev := &event{kind: kind, when: &when}
	spans := args[1].val[0].spans
	for _, a := range args[2:] {
		ev.where = append(ev.where, a.val...)
	}
	return value{{event: ev, spans: spans}}, true
}

// untilToday returns what began if something lasts until today. People there since 2019 joined then; people there since
// before 2019 joined before. ok is false for a time that does not fit.
func untilToday(kind string, op quantity.Op) (began string, ok bool) {
	before := op == quantity.AtMost || op == quantity.Less
	switch kind {
	case "since":
		return "joined", op == quantity.AtLeast
	case "since_at_latest":
		return "joined", before
	case "took_at_latest":
		return "became", before
	}
	return kind, true
}

// promotedTo requires a job that is not the first at its company. The first argument is the word
// for a promotion; the others are the job and the time.
func promotedTo(_ *chart, args []arg) (value, bool) {
	ev := &event{kind: "promoted"}
	for _, a := range args[1:] {
		if len(a.val) == 1 && a.val[0].number != nil && a.val[0].name == "" {
			ev.when = a.val[0].number
			continue
		}
		ev.where = append(ev.where, a.val...)
	}
	return value{{
		event: ev, how: frame.Promoted, spans: [][2]int{{args[0].edge.from, args[len(args)-1].edge.to}},
	}}, true
}

// inMonths returns the event for a number of months that no filter can count.
func inMonths(name query.FilterName, n quantity.Quantity) (kind string, ok bool) {
	if n.Kind != quantity.Years || !n.Months {
		return "", false
	}
	switch name {
	case query.FilterExperienceYears:
		return "experience", true
	case query.FilterTenureYears:
		return "joined", true
	}
	return "", false
}

// old accepts an age of a person or thing.
func old(_ *chart, args []arg) (value, bool) {
	v := args[0].val
	return v, len(v) == 1 && v[0].number != nil && v[0].number.Old
}

// smallSize and largestCompany are the limits of numbers that can be company sizes without a unit.
const smallSize, largestCompany = 10, 3_000_000

// bounded accepts a number of people with a lower bound.
func bounded(_ *chart, args []arg) (value, bool) {
	v, ok := compared(nil, args)
	return v, ok && (v[0].number.Op == quantity.Between || v[0].number.Op == quantity.AtLeast)
}

// compared accepts a number of people at a company, other than an exact one.
func compared(_ *chart, args []arg) (value, bool) {
	v := args[0].val
	if len(v) != 1 || v[0].number == nil {
		return nil, false
	}
	q := v[0].number
	return v, q.Op != quantity.Equal && max(q.A, q.B) >= smallSize && max(q.A, q.B) < largestCompany
}

// aged requires companies of a given age in years.
func aged(c *chart, args []arg) (value, bool) {
	if len(args[0].val) != 1 || args[0].val[0].number == nil {
		return nil, false
	}
	low, high := args[0].val[0].number.Bounds()
	year := func(age int64) int64 { return max(int64(c.reader.today.UTC().Year())-age, 0) }
	var says string
	switch {
	case low != nil && high != nil:
		says = fmt.Sprintf("%d-%d", year(*high), year(*low))
	case low != nil:
		says = fmt.Sprintf("<=%d", year(*low))
	default:
		says = fmt.Sprintf("%d+", year(*high))
	}
	return value{{name: query.FilterCompanyFoundedYear, values: []string{says}, spans: args[0].val[0].spans}}, true
}

// eventKind is the field of an event and the jobs it applies to.
type eventKind struct {
	field query.Field
	paths []query.Path
	says  string
}

func eventKinds() map[string]eventKind {
	return map[string]eventKind{
		"left":   {query.End, []query.Path{query.Past}, "left a job "},
		"joined": {query.Tenure, []query.Path{query.Current}, "came to the present company "},
		"hired":  {query.Tenure, []query.Path{query.Current, query.Past}, "joined a company "},
		"became": {query.Start, []query.Path{query.Current}, "took the present job "},
	}
}

// event adds the condition on when a job began or ended.
func (b *builder) event(f fact) {
	if name, is := inYears(f.event); is {
		q := *f.event.when
		if q.Op == quantity.AtMost {
			q.Op = quantity.Less
		}
		b.fact(fact{name: name, values: []string{q.Range()}, spans: f.spans, not: f.not})
		return
	}
	kind, ok := eventKinds()[f.event.kind]
	var parts []query.Query
	var says string
	switch {
	case f.event.kind == "promoted":
		parts, says = b.promotionConditions(f.event), b.source(f.spans).Text
		kind.paths = []query.Path{query.Current}
	case f.event.kind == "experience":
		r, _ := b.days(*f.event.when)
		r.Field = query.Experience
		b.condition(f, "experience: "+b.source(f.spans).Text, r)
		return
	case ok:
		r, text := b.days(*f.event.when)
		r.Field, says = kind.field, kind.says+text
		parts = append(parts, r)
	default: // held
		r, text := b.days(*f.event.when)
		parts = append(parts, query.Range{Field: query.Start, Max: r.Max}, query.Range{Field: query.End, Min: r.Min})
		says = "was there " + text
		kind.paths = []query.Path{query.Current, query.Past}
	}
	var either []query.Query
	for _, path := range kind.paths {
		either = append(either, query.Nested{Path: path, Part: b.atJob(path, f.event.where, parts)})
	}
	b.condition(f, says, query.Or{Parts: either})
}

// inYears returns the filter that counts years since an event, if there is one.
func inYears(e *event) (query.FilterName, bool) {
	if e.when == nil || e.when.Kind != quantity.Ago || e.when.Months || e.kind == "promoted" || !countsYears(*e.when) {
		return "", false
	}
	switch e.kind {
	case "left":
		return query.FilterPastEndYears, true
	case "joined":
		return query.FilterTenureYears, true
	}
	return "", false
}

// countsYears reports whether a filter can count a time in years.
func countsYears(q quantity.Quantity) bool { return max(q.A, q.B) < analysis.MaxYears }

// promotionConditions returns the conditions on a job that follows another at the same company.
func (b *builder) promotionConditions(e *event) []query.Query {
	parts := []query.Query{
		query.Exists{Field: query.FromTitle},
		query.Not{Part: query.Exists{Field: query.FromCompany}},
	}
	if e.when != nil {
		r, _ := b.days(*e.when)
		r.Field = query.Start
		parts = append(parts, r)
	}
	return parts
}

// atJob returns the condition on one job of a path.
func (b *builder) atJob(path query.Path, where value, parts []query.Query) query.Query {
	filters := query.Filters{}
	for _, w := range where {
		w = b.adaptIndustry(w)
		if w.name != "" && len(w.values) > 0 {
			filters[w.name] = strings.Join(w.values, ", ")
		}
	}
	if q, problems := analysis.JobCondition(filters, b.today); len(filters) > 0 && len(problems) == 0 {
		parts = append([]query.Query{q}, parts...)
	}
	if path == query.Current { // a current job has no end
		parts = slices.DeleteFunc(slices.Clone(parts), func(p query.Query) bool {
			r, is := p.(query.Range)
			return is && r.Field == query.End
		})
	}
	return query.And{Parts: parts}
}

// days returns a time as a range of days, and in words.
func (b *builder) days(q quantity.Quantity) (query.Range, string) {
	if q.Kind == quantity.Ago {
		return b.agoRange(q)
	}
	r := query.Range{}
	r.Min, r.Max = q.Days()
	return r, dateInWords(q)
}

// agoRange returns the range of days for a time before now.
func (b *builder) agoRange(q quantity.Quantity) (query.Range, string) {
	unit := "year"
	if q.Months {
		unit = "month"
	}
	day := func(n int64) *int64 { return new(analysis.DayOf(b.ago(n, q.Months))) }
	switch q.Op {
	case quantity.More, quantity.AtLeast:
		return query.Range{Max: day(q.A)}, fmt.Sprintf("more than %d %ss ago", q.A, unit)
	case quantity.Between:
		return query.Range{Min: day(q.B + 1), Max: day(q.A)}, fmt.Sprintf("%d to %d %ss ago", q.A, q.B, unit)
	case quantity.Equal, quantity.Less, quantity.AtMost:
	}
	if q.A == 1 {
		return query.Range{Min: day(1)}, "in the last " + unit
	}
	return query.Range{Min: day(q.A)}, fmt.Sprintf("in the last %d %ss", q.A, unit)
}

// longAgo is the maximum number of years or months before now: no career is longer.
const longAgo = 1800

// ago returns the day n years or months ago.
func (r *reader) ago(n int64, months bool) time.Time {
	n = min(n, longAgo)
	if !months {
		n *= 12
	}
	now := r.today.UTC()
	t := now.AddDate(0, -int(n), 0)
	if t.Day() != now.Day() { // a month without that day: use its last
		t = t.AddDate(0, 0, -t.Day())
	}
	return t
}

// dateInWords describes a calendar date or range.
func dateInWords(q quantity.Quantity) string {
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
