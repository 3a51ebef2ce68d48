package quantity

// period reads a period up to now.
func (r *reader) period() (Quantity, bool) {
	q := Quantity{Kind: Ago, Op: AtMost}
	if m, ok := r.phrase("stretch"); ok {
		q.setPeriod(int64(m.a), meaning{word: m.word})
		return q, true
	}
	within := r.has("within")
	isPeriod := within || r.has("in")
	isPeriod = r.has("the") || isPeriod
	if r.has("last") {
		return r.lastYears(q, isPeriod)
	}
	n, _, ok := r.value()
	ok = ok && (r.has("last") || within) && r.timeUnit(&q, n) // dans les 5 dernières années
	return q, ok
}

// lastYears reads the words after "the last": "year", "two years", "6 months". Without words that make it a period,
// "last year" is a year of the calendar.
func (r *reader) lastYears(q Quantity, isPeriod bool) (Quantity, bool) {
	n := int64(1)
	if few, ok := r.phrase("few"); ok {
		n, isPeriod = int64(few.a), true
	} else if counted, _, ok := r.value(); ok {
		n, isPeriod = counted, true
	}
	ok := r.timeUnit(&q, n)
	return q, ok && (isPeriod || q.Months || q.A != 1)
}

// timeUnit reads the unit of n units of time.
func (r *reader) timeUnit(q *Quantity, n int64) bool {
	m, ok := r.phrase("unit")
	return ok && q.setPeriod(n, m)
}

// setPeriod sets the period to n units of time before now. It returns false if the unit is not one of time.
func (q *Quantity) setPeriod(n int64, unit meaning) bool {
	switch unit.word {
	case "years":
		q.A = n
	case "decades":
		q.A = 10 * n
	case "months":
		q.A, q.Months = n, true
	case "quarters":
		q.A, q.Months = 3*n, true
	case "days":
		q.Since = n * int64(max(unit.a, 1))
		q.A, q.Months = monthsIn(q.Since), true
	default:
		return false
	}
	return true
}

// monthsIn converts days to months, rounding up: careers have monthly precision.
func monthsIn(days int64) int64 { return (days + 30) / 31 }
