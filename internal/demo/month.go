package demo

import "time"

// month counts months since the year 0.
type month int

func monthOf(t time.Time) month { return month(t.Year()*12 + int(t.Month()) - 1) }

func january(year int) month { return month(year * 12) }

func (m month) year() int { return int(m) / 12 }

// precision is how exactly a person gives dates: the length of their text.
type precision int

const (
	years  precision = 4  // 2006
	months precision = 7  // 2006-01
	days   precision = 10 // 2006-01-02
)

// first returns the first day of the month with precision p.
func (m month) first(p precision) string { return m.date(p, 1) }

// last returns the last day of the month with precision p.
func (m month) last(p precision) string { return (m + 1).date(p, 0) }

// date returns a day of the month with precision p; day 0 is the last of the month before.
func (m month) date(p precision, day int) string {
	return time.Date(m.year(), time.Month(int(m)%12+1), day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)[:p]
}
