package token

import (
	"strconv"
	"strings"

	"kith/query/prompt/words"
)

// number parses a number at i: 50, 1,000, 1.000, 1.5, 10k, 2m, 10+, 50%, $5M. It returns the length
// in code points, 0 if there is none. A number with letters attached (3d, 4th) is a word. Attached
// units of measure (5yrs, 50km) are words of their own.
func (s *splitter) number(i, to int) (int, Token) {
	p := i
	t := Token{Kind: Number, From: i}
	if strings.ContainsRune("$€£", s.runes[p]) {
		t.Money = true
		p++
	}
	start := p
	for p < to && (isDigit(s.runes[p]) || s.grouping(p, start, to)) {
		p++
	}
	if p == start || p-start > 12 {
		return 0, t
	}
	digits := strings.ReplaceAll(string(s.runes[start:p]), ",", "")
	if end := s.tenths(p, to); end > 0 && !strings.Contains(digits, ".") {
		digits, p = digits+"."+string(s.runes[p+1:end]), end
	}
	unit, width := s.unit(p, to)
	if width == 0 {
		digits = removeDots(digits)
	}
	value, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, t
	}
	p += width
	if p < to && isWord(s.runes[p]) && !s.measure(p, to) {
		return 0, t
	}
	t.Value = value * unit
	t.Plus = s.sign(&p, to, '+')
	t.Percent = s.sign(&p, to, '%')
	t.To, t.Text = p, string(s.runes[i:p])
	t.Norm = strconv.FormatFloat(t.Value, 'f', -1, 64)
	return p - i, t
}

// sign skips a sign, if present.
func (s *splitter) sign(p *int, to int, r rune) bool {
	if *p < to && s.runes[*p] == r {
		*p++
		return true
	}
	return false
}

// tenths returns the end of a decimal comma and one digit at p, if years follow: 1,5 years, 2,5
// Jahre, 1,5 to 3 years. This is no list of numbers. It returns 0 if there is none.
func (s *splitter) tenths(p, to int) int {
	if p+1 >= to || s.runes[p] != ',' || !isDigit(s.runes[p+1]) || p+2 < to && isDigit(s.runes[p+2]) {
		return 0
	}
	behind := strings.Fields(strings.ToLower(string(s.runes[p+2 : min(len(s.runes), p+longestTenths)])))
	for _, w := range behind[:min(3, len(behind))] {
		for _, years := range words.All(words.YearBeginnings) {
			if strings.HasPrefix(strings.TrimLeft(w, "+-–"), years) {
				return p + 2
			}
		}
	}
	return 0
}

// longestTenths is how many code points after a number tenths searches for the word for years.
const longestTenths = 20

// measure reports whether the letters from p to the end of the word are a unit of measure.
func (s *splitter) measure(p, to int) bool {
	end := p
	for end < to && isWord(s.runes[end]) {
		end++
	}
	return words.In(words.Units, strings.ToLower(string(s.runes[p:end])))
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// removeDots removes the dots that separate thousands, as in most of Europe: 1.000 Mitarbeiter.
func removeDots(digits string) string {
	groups := strings.Split(digits, ".")
	if first := groups[0]; first == "0" || len(first) > 3 {
		return digits
	}
	for _, g := range groups[1:] {
		if len(g) != 3 {
			return digits
		}
	}
	return strings.Join(groups, "")
}

// grouping reports whether the mark at p is inside a number: a comma or dot before three digits, or
// the first dot before a digit.
func (s *splitter) grouping(p, start, to int) bool {
	if p == start || p+1 >= to || !isDigit(s.runes[p+1]) {
		return false
	}
	three := p+3 < to && isDigit(s.runes[p+2]) && isDigit(s.runes[p+3]) && (p+4 >= to || !isDigit(s.runes[p+4]))
	switch s.runes[p] {
	case '.':
		return three || !strings.ContainsRune(string(s.runes[start:p]), '.')
	case ',':
		return three
	}
	return false
}

// unit parses k, m or b after a number, unless a letter follows.
func (s *splitter) unit(p, to int) (factor float64, width int) {
	if p >= to || p+1 < to && isWord(s.runes[p+1]) {
		return 1, 0
	}
	switch s.runes[p] {
	case 'k', 'K':
		return 1e3, 1
	case 'm', 'M':
		return 1e6, 1
	case 'b', 'B':
		return 1e9, 1
	}
	return 1, 0
}
