package evalset

import "time"

// yearsSince returns the number of full years since a day.
func (w *world) yearsSince(day time.Time) int {
	years := w.now.Year() - day.Year()
	if day.AddDate(years, 0, 0).After(w.now) {
		years--
	}
	return years
}

// between returns whether the years since a date are in [low, high]. A date given as a
// month or a year may leave it open.
func (w *world) between(s span, low, high int) truth {
	a, b := w.yearsSince(s.first), w.yearsSince(s.last)
	inA, inB := a >= low && a <= high, b >= low && b <= high
	switch {
	case inA && inB:
		return yes
	case inA || inB:
		return maybe
	}
	return no
}

// many is more years than anything lasts.
const many = 1000

// experience holds for people whose first job began low to high years ago.
func (w *world) experience(low, high int) personIs {
	return func(p *person) truth {
		if len(p.jobs) == 0 {
			return no
		}
		return w.between(p.jobs[0].start, low, high)
	}
}

// tenure holds for jobs within a current stay that began low to high years ago.
func (w *world) tenure(low, high int) jobIs {
	return func(j *job) truth {
		if !j.stay.current {
			return no
		}
		return w.between(j.stay.start, low, high)
	}
}

// endedWithin holds for jobs that ended at most so many years ago.
func (w *world) endedWithin(years int) jobIs {
	return func(j *job) truth {
		if j.current {
			return no
		}
		limit := w.now.AddDate(-years, 0, 0)
		switch {
		case j.end.first.After(limit):
			return yes
		case j.end.last.After(limit):
			return maybe
		}
		return no
	}
}

// overlap returns whether two jobs were held at the same time.
func overlap(a, b *job) truth {
	switch {
	case surelyBefore(a, b) || surelyBefore(b, a):
		return no
	case surelyAfterStart(a, b) && surelyAfterStart(b, a):
		return yes
	}
	return maybe
}

// surelyBefore reports whether a certainly ended before b began.
func surelyBefore(a, b *job) bool { return !a.current && a.end.last.Before(b.start.first) }

// surelyAfterStart reports whether a certainly lasted until after the start of b.
func surelyAfterStart(a, b *job) bool { return a.current || a.end.first.After(b.start.last) }
