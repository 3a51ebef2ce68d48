package analysis

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"kith/query/tokenizer"
)

// Bounds are inclusive bounds of a range of whole numbers; a nil bound is open. Contradictory bounds contain nothing.
type Bounds struct{ Min, Max *int64 }

// ErrRange is wrapped by the errors of [SizeRange], [YearRange] and [SinceRange].
var ErrRange = errors.New("is not a range")

const (
	sizeForms = `write 50-200, <50, <=50, >1000, >=1000, 1000+, 200, or small, medium, large, enterprise; ` +
		"1k is 1000, and a comma separates alternatives"
	yearForms  = `write a year as 2015, 2010-2020, <2010, <=2010, >2015, >=2015 or 2015+`
	yearsForms = `write years as 3-7, <2, <=2, >5, >=5, 5+ or 5`
)

// SizeRange reads a number of employees: `50-200`, `50 to 200`, `<50`, `<=50`, `>1000`, `>=1000`, `1000+`, `200`, or
// the name of a band: small 1–50, medium 51–500, large 501–5000, enterprise 5001 and more. Numbers may have thousands
// separators or k and m; "employees" may follow. Errors wrap [ErrRange] and list the valid forms.
func SizeRange(value string) (Bounds, error) {
	s := tokenizer.Fold(strings.TrimSpace(value))
	switch s {
	case "small":
		return between(1, 50), nil
	case "medium", "mid", "mid-size", "midsize":
		return between(51, 500), nil
	case "large":
		return between(501, 5000), nil
	case "enterprise":
		return Bounds{Min: new(int64(5001))}, nil
	}
	for _, unit := range []string{"employees", "people", "staff"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, unit))
	}
	b, ok := parseBounds(s, sizeNumber)
	if !ok {
		return Bounds{}, fmt.Errorf("%q %w of sizes: %s", tokenizer.Cut(value, 60), ErrRange, sizeForms)
	}
	return b, nil
}

// YearRange reads a calendar year or a range of years.
func YearRange(value string) (Bounds, error) {
	b, ok := parseBounds(tokenizer.Fold(strings.TrimSpace(value)), plainNumber)
	if !ok {
		return Bounds{}, fmt.Errorf("%q %w of years: %s", tokenizer.Cut(value, 60), ErrRange, yearForms)
	}
	return b, nil
}

// days converts bounds in years to their first and last day.
func (b Bounds) days() Bounds {
	var out Bounds
	if b.Min != nil {
		out.Min = new(yearStart(*b.Min))
	}
	if b.Max != nil {
		out.Max = new(yearStart(min(*b.Max, farYear)+1) - 1)
	}
	return out
}

// farYear keeps years within the range of the calendar.
const farYear = 1 << 20

func yearStart(year int64) int64 {
	return DayOf(time.Date(int(min(year, farYear)), time.January, 1, 0, 0, 0, 0, time.UTC))
}

// SinceRange reads a time span in years (`5+`, `3-7`, `<2`, with or without "years"). It returns the start days of
// everything that has lasted so long at now. Years are full years: `5` runs from the fifth anniversary to the day
// before the sixth, and so `3-5` and `<=5` include that day. `>5` is longer than five years, by at least a day.
// Something in the future has lasted no full year: the end `2024` counts as 31 December 2024, which is within `0-1`
// even before that day.
func SinceRange(value string, now time.Time) (Bounds, error) {
	s := tokenizer.Fold(strings.TrimSpace(value))
	for _, unit := range []string{"years", "year", "yrs", "y"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, unit))
	}
	b, ok := parseBounds(s, plainNumber)
	if !ok || tooLong(b.Min) || tooLong(b.Max) {
		return Bounds{}, fmt.Errorf("%q %w of time: %s (at most %d)", tokenizer.Cut(value, 60), ErrRange, yearsForms,
			MaxYears)
	}
	ago := func(years int64) int64 { return yearsBefore(now, int(years)) }
	var out Bounds
	switch {
	case b.Min == nil, *b.Min == 0:
	case strings.HasPrefix(s, ">") && !strings.Contains(s, "="):
		out.Max = new(DayOf(now.AddDate(1-int(*b.Min), 0, 0)) - 1)
	default:
		out.Max = new(ago(*b.Min))
	}
	if b.Max != nil {
		out.Min = new(ago(*b.Max+1) + 1)
	}
	return out, nil
}

// MaxYears is the longest time span of [SinceRange], in years.
const MaxYears = 150

func tooLong(years *int64) bool { return years != nil && *years > MaxYears }

// parseBounds reads the forms common to all ranges; number reads one number.
func parseBounds(s string, number func(string) (int64, bool)) (Bounds, bool) {
	for _, op := range []string{"<=", "≤", ">=", "≥", "<", ">"} {
		if rest, found := strings.CutPrefix(s, op); found {
			n, ok := number(strings.TrimSpace(rest))
			return openBounds(op, n), ok
		}
	}
	if rest, found := strings.CutSuffix(s, "+"); found {
		n, ok := number(strings.TrimSpace(rest))
		return Bounds{Min: &n}, ok
	}
	for _, sep := range []string{"-", "–", "—", "..", " to "} {
		if lo, hi, found := strings.Cut(s, sep); found {
			a, okA := number(strings.TrimSpace(lo))
			b, okB := number(strings.TrimSpace(hi))
			return between(a, b), okA && okB
		}
	}
	n, ok := number(s)
	return between(n, n), ok
}

func openBounds(op string, n int64) Bounds {
	switch op {
	case "<":
		n--
		return Bounds{Max: &n}
	case "<=", "≤":
		return Bounds{Max: &n}
	case ">":
		n++
	}
	return Bounds{Min: &n}
}

func between(lo, hi int64) Bounds { return Bounds{Min: &lo, Max: &hi} }

// sizeNumber reads 200, 1,000, 1k, 1.5k and 2m.
func sizeNumber(s string) (int64, bool) {
	unit := 1.0
	if rest, found := strings.CutSuffix(s, "k"); found {
		s, unit = rest, 1e3
	} else if rest, found := strings.CutSuffix(s, "m"); found {
		s, unit = rest, 1e6
	}
	if unit == 1 {
		s = ungroup(s)
		if len(s) > 1 && s[0] == '0' { // the rest of 1,000 after a split at its comma
			return 0, false
		}
		return plainNumber(s)
	}
	if s == "" || len(s) > 8 || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return int64(f*unit + 0.5), err == nil
}

// ungroup removes the commas from a number that is properly grouped in thousands.
func ungroup(s string) string {
	groups := strings.Split(s, ",")
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && (g == "" || len(g) > 3 && len(groups) > 1) {
			return s
		}
	}
	return strings.Join(groups, "")
}

// dropSeparators removes thousands separators from a filter's value, where a comma also separates alternatives:
// `1,000-5,000`. Three digits after the comma that could be a number of their own are ambiguous (`1,500`), an error.
// They are a new alternative between bands (`51-200,201-500`), after a space and in quotes.
func dropSeparators(value string) (string, error) {
	if strings.Contains(value, `"`) {
		return value, nil
	}
	parts := strings.Split(value, ",")
	out := parts[0]
	for i, part := range parts[1:] {
		if !startsGroup(part) || !endsGroup(parts[i]) {
			out += "," + part
			continue
		}
		if part[0] != '0' {
			if inBand(parts[i]) || strings.HasPrefix(part[3:], "-") {
				out += "," + part
				continue
			}
			whole := strings.TrimSpace(parts[i]) + part
			return "", fmt.Errorf("%q %w: it may be one number or two; write %s, or a space after the comma",
				tokenizer.Cut(value, 60),
				ErrRange, tokenizer.Cut(whole, 60))
		}
		out += part
	}
	return out, nil
}

// startsGroup reports whether a text begins with exactly three digits, endsGroup whether it ends with one to three.
func startsGroup(s string) bool { return len(s)-len(strings.TrimLeft(s, digits)) == 3 }

func endsGroup(s string) bool {
	n := len(s) - len(strings.TrimRight(s, digits))
	return n >= 1 && n <= 3
}

const digits = "0123456789"

// inBand reports whether a text ends with the upper bound of a band.
func inBand(s string) bool {
	return strings.Contains(strings.TrimLeft(strings.TrimSpace(s), "-+<>=≤≥ "), "-")
}

// plainNumber reads up to 12 digits without a sign.
func plainNumber(s string) (int64, bool) {
	if s == "" || len(s) > 12 {
		return 0, false
	}
	n := int64(0)
	for i := range len(s) {
		if !tokenizer.IsDigit(s[i]) {
			return 0, false
		}
		n = n*10 + int64(s[i]-'0')
	}
	return n, true
}

// SizeBand returns the label of the usual size band, such as "51-200", which [SizeRange] can read; "" without
// employees.
func SizeBand(employees int) string {
	if employees <= 0 {
		return ""
	}
	least := 1
	for _, most := range []int{10, 50, 200, 500, 1000, 5000, 10_000} {
		if employees <= most {
			return strconv.Itoa(least) + "-" + strconv.Itoa(most)
		}
		least = most + 1
	}
	return strconv.Itoa(least) + "+"
}
