package tidy

import (
	"strconv"
	"strings"

	"kith/query/analysis"
)

// Size parses a number of employees: 51-200, 10,001+, 1k-5k, 250 employees, and 11-50 mangled by a spreadsheet
// (Nov-50). most is 0 if the range is open; ok is false if the text is not a size.
func Size(s string) (least, most int, ok bool) {
	s = strings.ToLower(Text(s))
	if s == "" || len(s) > maxDate {
		return 0, 0, false
	}
	switch s {
	case "self-employed", "self employed", "myself only", "just me":
		return 1, 1, true
	}
	if i := strings.IndexAny(s, "(["); i > 0 {
		s = strings.TrimSpace(s[:i])
	}
	if least, most, ok = sizeOfMonth(s); ok {
		return least, most, true
	}
	b, err := analysis.SizeRange(plainSize(s))
	if err != nil {
		return 0, 0, false
	}
	if b.Min != nil {
		least = int(*b.Min)
	}
	if b.Max != nil {
		most = int(*b.Max)
	}
	return max(least, 0), most, most == 0 || most >= least && most > 0
}

// plainSize normalises a size: without words, in standard punctuation.
func plainSize(s string) string {
	for _, head := range []string{"ca.", "ca ", "approx.", "approximately", "about", "circa", "~"} {
		s = strings.TrimSpace(strings.TrimPrefix(s, head))
	}
	for _, tail := range []string{"employees", "employee", "people", "staff", "mitarbeiter", "salariés", "empleados"} {
		s = strings.TrimSpace(strings.TrimSuffix(s, tail))
	}
	whole, fraction, found := strings.Cut(s, ".")
	if found && strings.Trim(fraction, "0") == "" && len(fraction) != 3 && !strings.ContainsAny(whole, "-.") {
		s = whole // 250.0
	}
	s = strings.NewReplacer(" ", "", "\u202f", "", "or more", "+", "ormore", "+", "to", "-", "–", "-", "—", "-", "'",
		"").Replace(s)
	if i := strings.IndexByte(s, '.'); i > 0 && len(s)-i == 4 { // 1.000
		s = strings.ReplaceAll(s, ".", "")
	}
	return s
}

// Employees returns one number for a range: its middle, or least if the range is open.
func Employees(least, most int) int {
	if most == 0 {
		return least
	}
	return (max(least, 1) + most) / 2
}

// sizeOfMonth restores 2-10 (2-Oct, Oct-2) and 11-50 (Nov-50) from a spreadsheet's dates.
func sizeOfMonth(s string) (least, most int, ok bool) {
	head, tail, found := strings.Cut(s, "-")
	if !found {
		return 0, 0, false
	}
	if month := words().months[tail]; month > 0 {
		head, tail = tail, head
	}
	month := words().months[head]
	n, err := strconv.Atoi(tail)
	if month == 0 || err != nil || n < 0 || n > 99 {
		return 0, 0, false
	}
	return min(month, n), max(month, n), true
}
