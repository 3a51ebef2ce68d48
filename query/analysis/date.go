package analysis

import (
	"fmt"
	"time"

	"kith/query/tokenizer"
)

// ParseDay returns the day of a date, in days since 1970-01-01. A date is YYYY, YYYY-MM or YYYY-MM-DD. A year or a
// month means its first day, or its last with end. Years run from 1800 to 2200.
func ParseDay(s string, end bool) (days int64, err error) {
	year, month, day, ok := splitDate(s)
	if !ok || year < 1800 || year > 2200 || month > 12 || day > 31 {
		return 0, fmt.Errorf("date %q: want YYYY, YYYY-MM or YYYY-MM-DD between 1800 and 2200", tokenizer.Cut(s, 40))
	}
	switch {
	case day > 0:
		t := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if t.Day() != day {
			return 0, fmt.Errorf("date %q: there is no such day", s)
		}
		return DayOf(t), nil
	case month == 0 && end:
		return DayOf(time.Date(year+1, 1, 0, 0, 0, 0, 0, time.UTC)), nil
	case month == 0:
		return DayOf(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)), nil
	case end:
		return DayOf(time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC)), nil
	}
	return DayOf(time.Date(year, time.Month(month), 1, 0, 0, 0, 0, time.UTC)), nil
}

// splitDate splits a date into its numbers; missing parts are 0, others never are.
func splitDate(s string) (year, month, day int, ok bool) {
	switch len(s) {
	case len("2006-01-02"):
		day = number(s[8:])
		if s[7] != '-' || day < 1 {
			return 0, 0, 0, false
		}
		fallthrough
	case len("2006-01"):
		month = number(s[5:7])
		if s[4] != '-' || month < 1 {
			return 0, 0, 0, false
		}
		fallthrough
	case len("2006"):
		year = number(s[:4])
		return year, month, day, year > 0
	}
	return 0, 0, 0, false
}

// number reads digits; it returns 0 for anything else.
func number(s string) int {
	n, _ := plainNumber(s)
	return int(n)
}

// DayOf is the day of t in its own location, in days since 1970-01-01.
func DayOf(t time.Time) int64 {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay
}

// yearsBefore is the latest possible first day of something that has lasted so many full years at now. On 29 February
// [time.Time.AddDate] mostly gives 1 March, which is a day too late.
func yearsBefore(now time.Time, years int) int64 {
	t := now.AddDate(-years, 0, 0)
	if t.Month() != now.Month() {
		t = t.AddDate(0, 0, -1)
	}
	return DayOf(t)
}

const secondsPerDay = 24 * 60 * 60

// yearOf is the calendar year of a day.
func yearOf(day int64) int { return time.Unix(day*secondsPerDay, 0).UTC().Year() }
