package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// bracketed makes one question of titles that are alternatives, where a bracket says more
// of one of them only: backend developers (Java or Go), data scientists and designers.
func (p *parser) bracketed() {
	for i := range p.facts {
		ends := p.entries(i)
		n := len(ends)
		if n < 2 || ends[n-2] == i+n-1 || !p.closed(i, ends[n-1:]) { // none, or of the last one
			continue
		}
		var each []fact
		for from, k := i, 0; k < n; from, k = ends[k], k+1 {
			if f := &p.facts[from]; len(f.narrow) == 0 { // senior nurses and midwives
				f.narrow = p.facts[i].narrow
			}
			each = append(each, p.allOf(p.facts[from:ends[k]]...))
		}
		p.facts = slices.Replace(p.facts, i, ends[n-1], p.oneOf(each))
		return
	}
}

// entries are where the entries of the list of titles end that begins with a fact, each
// with what is said of it in a bracket behind.
func (p *parser) entries(i int) (ends []int) {
	for at := i; at < len(p.facts) && titles(p.facts[at]) && p.pairable(at); at = ends[len(ends)-1] {
		first := p.facts[at].spans[0]
		if at > i && !p.joinedTo(p.facts[at]) {
			break
		}
		end := at + 1
		for end < len(p.facts) && p.inBracket(first[1], p.facts[end].spans[0][0]) {
			if p.facts[end].not || len(p.facts[end].spans) > 1 {
				return nil
			}
			end++
		}
		ends = append(ends, end)
	}
	return ends
}

// inBracket reports whether a bracket opens before a token and is still open at another.
func (p *parser) inBracket(open, at int) bool {
	if open > at || open >= len(p.tokens) || p.tokens[open].Gap != "(" {
		return false
	}
	return !slices.ContainsFunc(p.tokens[open+1:at+1], func(t token.Token) bool { return strings.Contains(t.Gap, ")") })
}

// speciality asks for a bracket right behind a title that is an industry and nothing else
// as the industry or as a word of the profile: lawyers (real estate), engineers (rail).
func (p *parser) speciality(f fact, s segment.Span) bool {
	before := p.peek(-1)
	closes := s.To == len(p.tokens) || strings.Contains(p.tokens[s.To].Gap, ")")
	if p.tokens[s.From].Gap != "(" && !strings.HasSuffix(p.tokens[s.From].Gap, " (") || !closes || before.To != s.From || !p.isTitle(before) || p.not || f.name != query.FilterCompanyIndustry {
		return false
	}
	if strings.HasPrefix(p.words(s), "building") { // architects, whose titles say it where they build something else
		p.ignored = append(p.ignored, s)
		return true
	}
	p.add(f, s)
	p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(s))}, says: p.text(s) + " in the profile"}, s)
	p.facts[p.last-1].says, p.facts[p.last].list = p.text(s)+" as industry", p.facts[p.last-1].list
	return true
}

// joinedTo reports whether a conjunction or a comma joins a title with what stands before
// it and its rank, or a sentence begins with it.
func (p *parser) joinedTo(title fact) bool {
	from := title.spans[0][0]
	if len(title.narrowSpans) > 0 {
		from = min(from, title.narrowSpans[0][0])
	}
	if from > 0 && (p.tokens[from-1].Article() || p.tokens[from-1].Norm == "one" || p.tokens[from-1].Norm == "two" || p.tokens[from-1].Kind == token.Number) {
		from-- // and two midwives
	}
	return p.tokens[from].Comma() || p.cueBefore(from, cue.And, cue.Or) || p.opensSentence(from)
}
