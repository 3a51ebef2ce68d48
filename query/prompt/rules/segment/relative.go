package segment

import "kith/query/prompt/lexicon"

// Relatives are the tokens that say "that" of people, and mean who: people that left.
func (l *Lattice) Relatives() []int {
	var out []int
	for at := 1; at+1 < len(l.Tokens); at++ {
		if t := l.Tokens[at]; t.Norm == "that" && t.Quote == 0 && !t.Apart() && !l.apart(at+1) && l.peopleEnd(at) {
			out = append(out, at)
		}
	}
	return out
}

// peopleEnd reports whether a word for people, or what they are, ends before a token.
func (l *Lattice) peopleEnd(at int) bool {
	switch l.Tokens[at-1].Norm {
	case "people", "persons", "person", "folks", "individuals", "professionals", "candidates", "anyone", "anybody", "someone", "somebody", "everyone", "everybody", "those":
		return true
	}
	return l.endsAt(at, lexicon.MaxWords, func(s Span) bool { return s.Group() == GroupRole })
}
