package segment

import (
	"math"
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
)

// node is the best way to read the tokens up to some point, given what was read
// last.
type node struct {
	span  *Span
	carry Group // of the last span that is no conjunction
	score float64
	from  int // index among the nodes that end where span begins, -1 at the start
}

// breadth is how many ways are kept for each point.
const breadth = 8

// Best returns the readings that together explain the prompt best, in order,
// and their score. They cover every token.
func (l *Lattice) Best() ([]Span, float64) {
	nodes := make([][]node, len(l.Tokens)+1)
	nodes[0] = []node{{span: &Span{}, from: -1}}
	for at := range l.Tokens {
		nodes[at] = keep(nodes[at])
		for i, before := range nodes[at] {
			for j := range l.From[at] {
				s := &l.From[at][j]
				carry := s.Group()
				if carry == GroupOther && (isConjunction(*s) || s.Type == lexicon.Filler) {
					carry = before.carry
				}
				nodes[s.To] = append(nodes[s.To], node{span: s, carry: carry, from: i, score: before.score + s.Score + l.link(before, *s)})
			}
		}
	}
	return trace(nodes)
}

// keep returns the best nodes, for each carried group and type one.
func keep(nodes []node) []node {
	slices.SortStableFunc(nodes, func(a, b node) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	kept := nodes[:0] // never longer than what has been read
	for _, n := range nodes {
		if len(kept) == breadth {
			break
		}
		if !slices.ContainsFunc(kept, func(k node) bool { return k.carry == n.carry && k.span.Type == n.span.Type }) {
			kept = append(kept, n)
		}
	}
	return kept
}

func trace(nodes [][]node) ([]Span, float64) {
	at := len(nodes) - 1
	best, score := -1, math.Inf(-1)
	for i, n := range nodes[at] {
		if n.score > score {
			best, score = i, n.score
		}
	}
	if at == 0 || best < 0 {
		return nil, 0
	}
	var spans []Span
	for at > 0 {
		n := nodes[at][best]
		spans = append(spans, *n.span)
		at, best = n.span.From, n.from
	}
	slices.Reverse(spans)
	return spans, score
}

func isConjunction(s Span) bool {
	return s.Type == lexicon.Cue && (s.Sense.Name == string(cue.And) || s.Sense.Name == string(cue.Or))
}

// link rates a reading by the one before it.
func (l *Lattice) link(before node, s Span) float64 {
	group := s.Group()
	if group == GroupOther {
		return 0
	}
	t := l.Tokens[s.From]
	joined := isConjunction(*before.span)
	switch {
	case s.Is(Keyword, Label) && l.isFunction(s.Type, s.From, s.To): // retail, marketing
		return 0
	case before.carry == group && (t.Comma() || t.Slash() || joined):
		if group == GroupSchool || s.Type == lexicon.Language && (joined || before.span.Type == lexicon.Language) { // Oxford or Cambridge, which are cities, too; French and German
			return 4
		}
		return choose(group == GroupSkill || group == GroupCompany && before.span.Type != Named, 2, 1) // python and ML
	}
	if t.Comma() || t.Stop() {
		return 0
	}
	switch {
	case before.span.Type == lexicon.Seniority && group == GroupRole,
		before.span.Type == lexicon.Nationality && (group == GroupRole || s.Type == lexicon.CompanyWord),
		before.carry == GroupSkill && group == GroupRole,
		before.span.Type == lexicon.Industry && group == GroupRole:
		return 0.5
	case before.carry == GroupStudy && group == GroupSchool: // BSc Physics Oxford
		return 3
	case before.span.Is(lexicon.Role, lexicon.CRole) && s.Type == lexicon.Role:
		return -3
	case before.carry == GroupName && group == GroupName && before.span.Type == Name:
		return -2
	}
	return 0
}
