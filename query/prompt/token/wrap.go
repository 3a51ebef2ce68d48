package token

import (
	"slices"
	"strings"

	"kith/query/prompt/words"
)

// wrapped is from how many characters on a line of a message goes on in the next one.
const wrapped = 50

// unwrap takes the line breaks out with which mails cut their sentences: behind a long line
// without a mark at its end, where the next one begins small or there are sentences, and
// behind a word that no line ends with.
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
		if t.Gap == "\n" && (long || leansOn(before.Norm)) {
			s.out[i].Gap = ""
		}
	}
}

// leansOn lists the words behind which a line must go on.
func leansOn(w string) bool {
	return words.In(words.GoesOn, w)
}
