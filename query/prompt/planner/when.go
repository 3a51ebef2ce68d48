package planner

import (
	"slices"
	"time"

	"kith/query"
	"kith/query/prompt/quantity"
)

// timeIn returns a constructor of a time. The year of a date counts from the present one.
func timeIn(of quantity.Quantity) constructor {
	return func(c *chart, args []arg) (value, bool) {
		q, e := of, args[0].edge
		if q.Kind == quantity.Date {
			q.A += int64(c.reader.today.UTC().Year())
		}
		return value{{number: &q, spans: [][2]int{{e.from, e.to}}}}, true
	}
}

// inYear adds the year to months without one: the most recent such months.
func inYear(q quantity.Quantity, now time.Time) quantity.Quantity {
	if q.Kind != quantity.Date || q.A != 0 {
		return q
	}
	today := now.UTC()
	q.A = int64(today.Year())
	if q.First > today.Month() {
		q.A--
	}
	return q
}

// dates returns the time between two dates.
func dates(_ *chart, args []arg) (value, bool) {
	a, b := args[0].val, args[1].val
	if len(a) != 1 || len(b) != 1 || a[0].number == nil || b[0].number == nil {
		return nil, false
	}
	from, to := *a[0].number, *b[0].number
	if from.Op != quantity.Equal || to.Op != quantity.Equal || from.A >= to.A {
		return nil, false
	}
	from.Op, from.B, from.Last = quantity.Between, to.A, to.Last
	return value{{number: &from, spans: append(slices.Clip(a[0].spans), b[0].spans...)}}, true
}

// since returns the time from a date on, if the date has no other bound.
func since(_ *chart, args []arg) (value, bool) {
	v := args[0].val
	if len(v) != 1 || v[0].number == nil {
		return nil, false
	}
	q := *v[0].number
	if q.Kind == quantity.Date && q.Op == quantity.Equal {
		q.Op = quantity.AtLeast
	}
	return value{{number: &q, spans: v[0].spans}}, true
}

// requireYear requires the year of a time, for the filter that the first argument names.
func requireYear(c *chart, args []arg) (value, bool) {
	v := args[1].val
	if len(v) != 1 || v[0].number == nil {
		return nil, false
	}
	q := *v[0].number
	if q.Kind == quantity.Ago {
		year := func(n int64) int64 { return int64(c.reader.ago(n, q.Months).Year()) }
		switch q.Op {
		case quantity.Between: // 2 years ago: more than 1 and at most 2
			q = quantity.Quantity{Op: quantity.Between, A: year(q.B), B: year(q.A)}
			if q.A == q.B {
				q.Op = quantity.Equal
			}
		case quantity.More, quantity.AtLeast:
			q = quantity.Quantity{Op: quantity.Less, A: year(q.A)}
		case quantity.Equal, quantity.Less, quantity.AtMost:
			q = quantity.Quantity{Op: quantity.AtLeast, A: year(q.A)}
		}
	}
	return value{{name: query.FilterName(args[0].word), values: []string{q.Range()}, spans: v[0].spans}}, true
}
