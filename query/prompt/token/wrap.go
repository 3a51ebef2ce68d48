package token

import (
	"slices"
	"strings"

	"kith/query/prompt/words"
)

// wrapped is the minimum length in code points of a wrapped line.
const wrapped = 50

// unwrap removes line breaks from wrapped e-mail text. A break goes after a long line without a mark at its end, if
// the next line begins in lower case or the prompt has sentences. It also goes after a word that cannot end a line.
func (s *splitter) unwrap() {
	sentences := slices.ContainsFunc(s.out, func(t Token) bool { return strings.ContainsAny(t.Gap, ".!?") })
	line := 0 // where the line begins
	for i, t := range s.out {
		if i == 0 || !strings.Contains(t.Gap, "\n") {
			continue
		}
		before := s.out[i-1]
		long := before.To-line >= wrapped && (sentences || !t.Capital())
		line = t.From
		if t.Gap == "\n" && (long || words.In(words.GoesOn, before.Norm)) {
			s.out[i].Gap = ""
		}
	}
}
