package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/rules/token"
)

// readName makes a fact of a person's name. "Doe, Jane" is one name.
func (p *parser) readName(s segment.Span) {
	text := p.text(s)
	words := token.Norms(p.tokens[s.From:s.To])
	if next := p.peek(1); p.turned(s, next) {
		text = p.text(next) + " " + text
		words = append(token.Norms(p.tokens[next.From:next.To]), words...)
		s.To = next.To
		p.at += 2
	}
	p.names = append(p.names, s)
	values := []string{alternative(text)}
	for _, other := range p.spellings(words) {
		values = appendNew(values, alternative(other))
	}
	p.add(fact{name: query.FilterPersonName, values: values}, s)
}

// turned reports whether a comma stands between a last and a first name.
func (p *parser) turned(s, next segment.Span) bool {
	if next.Type != segment.Name || !p.tokens[next.From].Comma() || p.parts(next) != 1 {
		return false
	}
	first := p.tokens[next.From].Norm
	last := p.tokens[s.To-1].Norm
	return p.parts(s) == 1 && p.known.knows(prompt.LastName, last) && !p.known.knows(prompt.LastName, first) ||
		p.parts(s) == 1 && p.known.knows(prompt.FirstName, first) && !p.known.knows(prompt.FirstName, last)
}

// parts counts the names of a name; hyphens join.
func (p *parser) parts(s segment.Span) int {
	n := 0
	for i := s.From; i < s.To; i++ {
		if i == s.From || !p.tokens[i].Tight() {
			n++
		}
	}
	return n
}

// Limits of what a misspelt name may stand for.
const (
	maxSpellings = 6
	maxPerWord   = 3
)

// spellings are the names of the directory that a name may be a misspelling of.
func (p *parser) spellings(words []string) []string {
	all := [][]string{{}}
	changed := false
	for _, w := range words {
		options := []string{w}
		if near := p.near[w]; len(near) > 0 && !p.known.knows(prompt.FirstName, w) && !p.known.knows(prompt.LastName, w) {
			options, changed = near[:min(len(near), maxPerWord)], true
		}
		var longer [][]string
		for _, before := range all {
			for _, o := range options {
				if len(longer) < maxSpellings {
					longer = append(longer, append(slices.Clone(before), o))
				}
			}
		}
		all = longer
	}
	if !changed {
		return nil
	}
	var out []string
	for _, words := range all {
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// weakNames makes names that nobody bears words again where the prompt asks for
// something else than a person.
func (p *parser) weakNames() {
	others := slices.ContainsFunc(p.spans, func(s segment.Span) bool {
		switch s.Group() {
		case segment.GroupRole, segment.GroupFunction, segment.GroupIndustry, segment.GroupSkill, segment.GroupStudy, segment.GroupNumber:
			return true
		}
		return s.Type == lexicon.PersonWord
	})
	if !others {
		return
	}
	for i, s := range p.spans {
		if s.Type == segment.Name && s.Sense.NeedsCue {
			p.spans[i].Type = segment.Unknown
		}
	}
}
