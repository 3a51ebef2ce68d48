package segment

import (
	"strings"

	"kith/query/prompt/lexicon"
)

// Plain are the tokens that stand for a plainer word, and that word: "who" for what says
// "that" of people (people that left), and "of" for the verb of those who teach something
// (teachers who teach math), for the "who" of which no word stands.
func (l *Lattice) Plain() map[int]string {
	out := map[int]string{}
	for at := 1; at+1 < len(l.Tokens); at++ {
		t := l.Tokens[at]
		if t.Quote != 0 || t.Apart() || l.apart(at+1) {
			continue
		}
		switch who := at - 1; {
		case t.Norm == "that" && l.peopleEnd(at):
			out[at] = "who"
		case !isTeaching(t.Norm) || !l.begins(at+1, canBeTaught):
		case teachersEnd(l.Tokens[who].Norm):
			out[at] = "of"
		case who > 0 && (l.Tokens[who].Norm == "who" || l.Tokens[who].Norm == "that") && teachersEnd(l.Tokens[who-1].Norm):
			out[who], out[at] = "", "of"
		}
	}
	return out
}

func canBeTaught(s Span) bool {
	return s.Group() == GroupStudy || s.Group() == GroupIndustry || s.Group() == GroupFunction || s.Group() == GroupSkill
}

func isTeaching(w string) bool { return w == "teach" || w == "teaches" || w == "teaching" }

// teachersEnd reports whether a word is for those who teach.
func teachersEnd(w string) bool {
	return strings.HasPrefix(w, "teacher") || strings.HasPrefix(w, "tutor") || Teaches(w)
}

// peopleEnd reports whether a word for people, or what they are, ends before a token.
func (l *Lattice) peopleEnd(at int) bool {
	switch l.Tokens[at-1].Norm {
	case "people", "persons", "person", "folks", "individuals", "professionals", "candidates", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "those":
		return true
	}
	return l.endsAt(at, lexicon.MaxWords, func(s Span) bool { return s.Group() == GroupRole })
}
