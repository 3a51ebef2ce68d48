package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// addStages adds stages of funding with those behind or before them, as the words
// beside one say, and all from one to another: Series B or later, Series A at most, not
// past Series A, seed to Series C.
func (l *Lattice) addStages() {
	order := fundingOrder()
	for i := range l.Tokens {
		for k := range len(l.From[i]) { // but not those that are added
			s := l.From[i][k]
			first := stageOf(s, order)
			if first < 0 {
				continue
			}
			from, to, low, high := i, s.To, first, first
			if end, last := l.stageBehind(s.To, order, i > 0 && l.Tokens[i-1].Norm == "between"); last > first {
				to, high = end, last
				if from > 0 && l.Tokens[from-1].Norm == "between" {
					from--
				}
			} else if strings.Contains(l.text(i, to), "+") {
				high = len(order) - 1
			} else if n, beyond := l.boundBefore(i); n > 0 {
				from = i - n
				low, high = beyond.of(first, len(order))
			} else if n, beyond := l.boundBehind(to); n > 0 {
				to += n
				low, high = beyond.of(first, len(order))
			}
			if low > high || low == high && high == first {
				continue
			}
			stages := s.Sense
			stages.Name, stages.Values, stages.Excluded = "stages", order[low:high+1], nil
			l.add(Span{From: from, To: to, Type: lexicon.FundingStage, Sense: stages}, s.Sense.Prior+1)
		}
	}
}

// addStageLetters adds the stages of which a list names only the letter: the B and C of
// "Series A, B or C".
func (l *Lattice) addStageLetters() {
	ends := map[int]bool{} // of stages of a list
	for i := range l.Tokens {
		for _, s := range l.From[i] {
			if s.Type == lexicon.FundingStage && len(l.Tokens[s.To-1].Norm) == 1 {
				ends[s.To] = true
			}
		}
		listed := ends[i] && (l.Tokens[i].Comma() || l.Tokens[i].Slash()) || i > 0 && isJoin(l.Tokens[i-1].Norm) && ends[i-1]
		if !listed || l.Tokens[i].Kind != token.Word || len(l.Tokens[i].Norm) > 1 {
			continue
		}
		for _, s := range l.lex.Senses([]string{"series", l.Tokens[i].Norm}) {
			if s.Type == lexicon.FundingStage {
				ends[i+1] = true
				l.add(Span{From: i, To: i + 1, Type: s.Type, Sense: s}, s.Prior)
			}
		}
	}
}

// fundingOrder are the stages of funding, each behind the one before.
func fundingOrder() []string {
	return []string{"preseed", "seed", `"series a"`, `"series b"`, `"series c"`, `"series d"`, `"series e"`, `"series f"`, `"series g"`, `"series h"`}
}

// stageOf is the place of a reading among the stages; -1 of all else.
func stageOf(s Span, order []string) int {
	if s.Type != lexicon.FundingStage || len(s.Sense.Values) != 1 {
		return -1
	}
	return slices.Index(order, s.Sense.Values[0])
}

// stageBehind is the stage up to which a range goes of which the first stands before a
// token, and where it ends: to Series C, through C.
func (l *Lattice) stageBehind(at int, order []string, between bool) (end, last int) {
	if at+1 >= len(l.Tokens) || l.Tokens[at].Apart() {
		return 0, -1
	}
	if !l.Tokens[at].Tight() || len(l.Tokens[at].Norm) > 1 { // A-C
		switch l.Tokens[at].Norm {
		case "to", "through", "thru", "until", "till":
			at++
		case "and":
			if !between {
				return 0, -1
			}
			at++
		default:
			return 0, -1
		}
	}
	for n := 3; n > 0; n-- {
		if !l.joined(at, at+n) {
			continue
		}
		senses := l.lex.Senses(l.phrases.norms[at : at+n])
		for _, s := range senses {
			if i := stageOf(Span{Type: s.Type, Sense: s}, order); i >= 0 {
				return at + n, i
			}
		}
	}
	if w := l.Tokens[at].Norm; len(w) == 1 && w[0] >= 'a' && w[0] <= 'h' {
		return at + 1, slices.Index(order, `"series `+w+`"`)
	}
	return 0, -1
}

// bound is which stages are meant beside one that is named.
type bound int

const (
	upFrom bound = iota
	above
	upTo
	below
)

// of are the first and the last of n stages that are meant.
func (b bound) of(stage, n int) (low, high int) {
	switch b {
	case upFrom:
		return stage, n - 1
	case above:
		return stage + 1, n - 1
	case upTo:
		return 0, stage
	default:
		return 0, stage - 1
	}
}

// boundBefore is how many words before a token say which stages are meant beside the
// one that begins there.
func (l *Lattice) boundBefore(at int) (n int, b bound) {
	from := at
	if from > 0 && l.Tokens[from-1].Article() {
		from--
	}
	for n := min(3, from); n > 0; n-- {
		if !l.joined(from-n, at+1) {
			continue
		}
		switch l.key(from-n, from) {
		case "at least", "minimum", "minimum of", "min", "starting at", "no earlier than", "not earlier than", "not before", "not below", "not under":
			return at - from + n, upFrom
		case "past", "beyond", "after", "above", "later than", "more than":
			return at - from + n, above
		case "at most", "up to", "maximum", "maximum of", "max", "no later than", "not later than", "not past", "not yet past", "not beyond", "not yet beyond", "not above", "not after", "no more than", "no further than", "not more than":
			return at - from + n, upTo
		case "below", "under", "before", "earlier than", "less than", "pre":
			return at - from + n, below
		}
	}
	return 0, upFrom
}

// boundBehind is the same of the words from a token on.
func (l *Lattice) boundBehind(at int) (n int, b bound) {
	for n := 3; n > 0; n-- {
		if at+n > len(l.Tokens) || !l.joined(at-1, at+n) {
			continue
		}
		switch l.key(at, at+n) {
		case "or later", "and later", "or above", "and above", "or beyond", "and beyond", "or more", "or higher", "and up", "and upwards", "or up", "onwards", "onward", "plus", "upwards", "at least", "minimum", "min", "or after":
			return n, upFrom
		case "or earlier", "and earlier", "or below", "and below", "or before", "and before", "or under", "or less", "or lower", "at most", "at the most", "maximum", "max", "tops", "or younger":
			return n, upTo
		}
	}
	return 0, upFrom
}
