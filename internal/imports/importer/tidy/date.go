package tidy

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kith/query/tokenizer"
)

// Order is the order of day and month in numeric dates.
type Order int

// The orders. With UnknownOrder, dates with slashes are month first, and dates with full
// stops or hyphens are day first.
const (
	UnknownOrder Order = iota
	DayFirst
	MonthFirst
)

// Learn returns the order of a column from its unambiguous dates.
func Learn(dates []string) Order {
	day, month := 0, 0
	for _, s := range dates {
		numbers := dateParts(s).numbers
		if len(numbers) != 3 || len(numbers[0]) > 2 {
			continue
		}
		switch a, b := value(numbers[0]), value(numbers[1]); {
		case a > 12 && b <= 12:
			day++
		case b > 12 && a <= 12:
			month++
		}
	}
	switch {
	case day > month:
		return DayFirst
	case month > day:
		return MonthFirst
	}
	return UnknownOrder
}

// The range of plausible years.
const (
	minYear = 1900
	maxYear = 2100
)

// Date parses a date in any usual form as YYYY-MM-DD, YYYY-MM or YYYY, or returns "". From
// a text with a season or other words it takes the year.
func Date(s string, order Order) string {
	year, month, day := dateParts(s).date(order)
	switch {
	case year < minYear || year > maxYear:
		return ""
	case month < 1 || month > 12:
		return fmt.Sprintf("%04d", year)
	case day < 1 || day > daysIn(year, month):
		return fmt.Sprintf("%04d-%02d", year, month)
	}
	return fmt.Sprintf("%04d-%02d-%02d", year, month, day)
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// IsPresent reports whether the end of a job says that it is the present one.
func IsPresent(s string) bool {
	s = strings.ToLower(Text(s))
	return s == "" || words().present[s]
}

// Time parses a date with time, in UTC unless it names a zone; ok is false if the date is incomplete.
func Time(s string, order Order) (t time.Time, ok bool) {
	p := dateParts(s)
	year, month, day := p.date(order)
	if year < minYear || year > maxYear || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return time.Time{}, false
	}
	t = time.Date(year, time.Month(month), day, p.hour, p.minute, p.second, 0, time.UTC)
	return t.Add(-time.Duration(p.zone) * time.Minute), true
}

// parts are the components of a date.
type parts struct {
	numbers              []string
	separator            byte // after the first number
	month                int  // from its name; 0 if there is none
	monthFirst           bool // the month name precedes all numbers
	words                bool // has words other than months
	quarter              int
	hour, minute, second int
	zone                 int // minutes east of UTC
}

// maxDate limits the length of a date text, in bytes.
const maxDate = 80

// dateParts splits a date into parts.
func dateParts(s string) parts {
	var p parts
	s = strings.TrimSpace(s)
	if len(s) > maxDate {
		return p
	}
	s = p.cutTime(s)
	for s != "" && len(p.numbers) < 4 {
		n := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		switch {
		case n < 0:
			p.numbers = append(p.numbers, s)
			return p
		case n > 0:
			p.numbers = append(p.numbers, s[:n])
			if p.separator == 0 {
				p.separator = s[n]
			}
			s = s[n:]
			continue
		}
		if n = strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }); n < 0 {
			n = len(s)
		}
		if n == 0 {
			_, size := utf8.DecodeRuneInString(s)
			s = s[size:]
			continue
		}
		p.word(s[:n])
		s = s[n:]
	}
	return p
}

// word processes a word of a date: a month, a quarter, or a word to ignore.
func (p *parts) word(w string) {
	folded := tokenizer.Fold(w)
	if month := words().months[folded]; month > 0 && p.month == 0 {
		p.month, p.monthFirst = month, len(p.numbers) == 0
		return
	}
	switch folded {
	case "st", "nd", "rd", "th", "de", "of", "t", "z", "utc", "gmt", "at", "um", "mon", "tue", "wed", "thu", "fri",
		"sat", "sun",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "年", "月", "日":
	case "q":
		p.quarter = -1 // the number follows
	default:
		p.words = true
	}
}

// cutTime removes the time of day and the zone from the end of a text and stores them.
func (p *parts) cutTime(s string) string {
	colon := strings.IndexByte(s, ':')
	if colon < 1 {
		return s
	}
	from := colon
	for from > 0 && isDigit(s[from-1]) && colon-from < 2 {
		from--
	}
	if from == colon {
		return s
	}
	p.readClock(s[from:])
	p.zone = zone(s[colon:])
	return strings.TrimRight(s[:from], "T ,t")
}

// readClock parses 14:37:00 and 2:37 PM.
func (p *parts) readClock(s string) {
	clock := strings.FieldsFunc(s, func(r rune) bool {
		return r == ':' || r == '.' || r == ' ' || r == '\u202f' ||
			r == '\u00a0'
	})
	p.hour = value(digits(clock[0]))
	if len(clock) > 1 {
		p.minute = value(digits(clock[1]))
	}
	if strings.Count(s, ":") > 1 && len(clock) > 2 {
		p.second = value(digits(clock[2]))
	}
	if half := strings.ToLower(s); strings.Contains(half, "pm") || strings.Contains(half, "p.m") {
		p.hour = p.hour%12 + 12
	} else if strings.Contains(half, "am") || strings.Contains(half, "a.m") {
		p.hour %= 12
	}
	if p.hour > 23 || p.minute > 59 || p.second > 60 {
		p.hour, p.minute, p.second = 0, 0, 0
	}
}

// zone parses +02:00 at the end of a time, in minutes.
func zone(s string) int {
	i := strings.LastIndexAny(s, "+-")
	if i < 0 {
		return 0
	}
	d := strings.ReplaceAll(s[i+1:], ":", "")
	if n := digits(d); len(n) != len(strings.TrimSpace(d)) && len(n) != 4 || len(n) != 2 && len(n) != 4 {
		return 0
	}
	minutes := value(d[:2]) * 60
	if len(d) >= 4 {
		minutes += value(d[2:4])
	}
	if minutes > 14*60 {
		return 0
	}
	if s[i] == '-' {
		return -minutes
	}
	return minutes
}

// digits returns the leading digits of a text.
func digits(s string) string {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// value parses a number of at most nine digits; 0 for others.
func value(s string) int {
	if len(s) > 9 {
		return 0
	}
	n, _ := strconv.Atoi(s) // digits only
	return n
}

// date combines the parts; unknown parts are 0.
func (p parts) date(order Order) (year, month, day int) {
	switch {
	case p.quarter < 0 && len(p.numbers) == 2:
		return p.ofQuarter()
	case p.month > 0:
		return p.named()
	case len(p.numbers) == 1:
		return p.single()
	case p.words:
		return p.onlyYear(), 0, 0
	case len(p.numbers) == 2:
		a, b := p.numbers[0], p.numbers[1]
		if len(a) == 4 && len(b) <= 2 {
			return value(a), value(b), 0
		}
		if len(b) == 4 && len(a) <= 2 {
			return value(b), value(a), 0
		}
	case len(p.numbers) >= 3:
		return p.numeric(order)
	}
	return 0, 0, 0
}

func (p parts) ofQuarter() (year, month, day int) {
	quarter, of := value(p.numbers[0]), value(p.numbers[1])
	if quarter > 4 {
		quarter, of = of, quarter
	}
	return of, 3*quarter - 2, 0
}

// onlyYear returns the only number with four digits, or 0.
func (p parts) onlyYear() int {
	year := 0
	for _, n := range p.numbers {
		if len(n) == 4 {
			if year != 0 {
				return 0
			}
			year = value(n)
		}
	}
	return year
}

// named combines a date with a month name.
func (p parts) named() (year, month, day int) {
	switch n := p.numbers; {
	case len(n) == 1:
		return century(n[0]), p.month, 0
	case len(n) >= 2 && len(n[0]) == 4: // 2024 March 12
		return value(n[0]), p.month, value(n[1])
	case len(n) >= 2:
		return century(n[1]), p.month, value(n[0])
	}
	return 0, 0, 0
}

// century completes a year of two digits: up to 68 it is in this century.
func century(s string) int {
	year := value(s)
	switch {
	case len(s) == 4:
		return year
	case len(s) != 2:
		return 0
	case year <= 68:
		return 2000 + year
	}
	return 1900 + year
}

// single interprets one number: a year, 20240312, 202403, seconds or milliseconds since
// 1970, or a spreadsheet's day.
func (p parts) single() (year, month, day int) {
	s := p.numbers[0]
	var t time.Time
	switch n, _ := strconv.ParseInt(s, 10, 64); {
	case len(s) == 4:
		return value(s), 0, 0
	case p.words:
		return 0, 0, 0
	case len(s) == 8:
		return value(s[:4]), value(s[4:6]), value(s[6:])
	case len(s) == 6:
		return value(s[:4]), value(s[4:]), 0
	case len(s) == 10:
		t = time.Unix(n, 0).UTC()
	case len(s) == 13:
		t = time.UnixMilli(n).UTC()
	case len(s) == 5 && n > 20000 && n < 60000:
		t = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(n))
	default:
		return 0, 0, 0
	}
	return t.Year(), int(t.Month()), t.Day()
}

// numeric interprets three numbers.
func (p parts) numeric(order Order) (year, month, day int) {
	a, b, c := p.numbers[0], p.numbers[1], p.numbers[2]
	if len(a) == 4 {
		year, month, day = value(a), value(b), value(c)
		if month > 12 && day <= 12 {
			month, day = day, month
		}
		return year, month, day
	}
	if len(c) != 2 && len(c) != 4 || len(a) > 2 || len(b) > 2 {
		return 0, 0, 0
	}
	first, second := value(a), value(b)
	dayFirst := order == DayFirst || order == UnknownOrder && p.separator != '/'
	if first > 12 || dayFirst && second <= 12 {
		return century(c), second, first
	}
	return century(c), first, second
}
