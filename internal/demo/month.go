package demo

import (
	"strconv"
	"time"
)

// month counts months since the year 0.
type month int

func monthOf(t time.Time) month { return month(t.Year()*12 + int(t.Month()) - 1) }

func january(year int) month { return month(year * 12) }

func (m month) year() int { return int(m) / 12 }

// precision is how exactly a person gives dates.
type precision int

const (
	days precision = iota
	months
	years
)

// first returns the first day of the month with precision p.
func (m month) first(p precision) string { return m.date(p, 1) }

// last returns the last day of the month with precision p.
func (m month) last(p precision) string {
	return m.date(p, time.Date(m.year(), time.Month(int(m)%12+2), 0, 0, 0, 0, 0, time.UTC).Day())
}

func (m month) date(p precision, day int) string {
	b := make([]byte, 0, len("2006-01-02"))
	b = strconv.AppendInt(b, int64(m.year()), 10)
	if p == years {
		return string(b)
	}
	b = append(b, '-')
	b = appendTwo(b, int(m)%12+1)
	if p == months {
		return string(b)
	}
	b = append(b, '-')
	return string(appendTwo(b, day))
}

func appendTwo(b []byte, n int) []byte { return append(b, byte('0'+n/10), byte('0'+n%10)) }
