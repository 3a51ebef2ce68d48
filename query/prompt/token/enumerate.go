package token

import "strconv"

// bullet marks an entry of a list.
const bullet = "•"

// markEntries replaces the numbers or letters of a list with a bullet before each entry: 1. CFOs 2.
// controllers; (a) nurses (b) midwives.
func (s *splitter) markEntries() {
	for _, label := range []func(int) string{strconv.Itoa, func(n int) string { return string(rune('a' + n - 1)) }} {
		found := s.labels(label)
		if len(found) < 2 {
			continue
		}
		out := make([]Token, 0, len(s.out))
		before := "" // the mark before the label
		for i, t := range s.out {
			switch {
			case len(found) > 0 && found[0] == i:
				found, before = found[1:], bullet
				if len(out) > 0 && len(t.Gap) > 0 && t.Gap[0] == ':' {
					before = ":"
				}
				continue
			case before != "":
				t.Gap, t.Spaced, before = before, true, ""
			}
			out = append(out, t)
		}
		s.out = out
	}
}

// labels returns the tokens that number the entries of a list, starting with the first. The list
// ends where the next label is missing. A label cannot be at the end of the prompt.
func (s *splitter) labels(label func(int) string) (at []int) {
	for i, t := range s.out[:max(0, len(s.out)-1)] {
		next := len(at) + 1
		if next > 26 || t.Norm != label(next) || t.To+1 >= len(s.runes) {
			continue
		}
		mark := s.runes[t.To]
		ends := mark == ')' || mark == '.' && t.Kind == Number
		if ends && isSpace(s.runes[t.To+1]) && (t.Spaced || i == 0) {
			at = append(at, i)
		}
	}
	return at
}
