package rules

import (
	"maps"
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// reference is how a prompt speaks of somebody: "Jane Doe", "the CTO of Acme".
type reference struct {
	// filters find the person, jobs narrow which of their jobs count.
	filters, jobs query.Filters
	// from and to are tokens, end the reading behind.
	from, to, end int
}

// reference reads who is spoken of from a reading on.
func (p *parser) reference(at int) (reference, bool) {
	for at < len(p.spans) && p.spans[at].Type == lexicon.Filler {
		at++
	}
	if at >= len(p.spans) {
		return reference{}, false
	}
	first := p.spans[at]
	switch {
	case first.Group() == segment.GroupName:
		return p.byName(at), true
	case isJob(first), first.Group() == segment.GroupCompany && p.titleBehind(at):
		if r, ok := p.byTitle(at); ok {
			return r, true
		}
		return p.byKind(at)
	}
	return reference{}, false
}

// isJob reports whether a reading says what somebody does: a title, a level or a
// function.
func isJob(s segment.Span) bool {
	return s.InGroup(segment.GroupRole, segment.GroupFunction)
}

// byName reads a name, with the title and the company that may follow. "at Acme"
// says where the person was worked with, "of Acme" who is meant.
func (p *parser) byName(at int) reference {
	r := reference{filters: p.subFilters(at, at+1), from: p.spans[at].From, to: p.spans[at].To, end: at + 1}
	if r.end < len(p.spans) && p.tokens[p.spans[r.end].From].Comma() && isJob(p.spans[r.end]) {
		if title, ok := p.byTitle(r.end); ok {
			maps.Copy(r.filters, title.filters)
			r.to, r.end = title.to, title.end
			return r
		}
	}
	next := p.peekAt(r.end)
	if !p.isCue(next, cue.At, cue.Of, cue.From, cue.For) {
		return r
	}
	end := p.companyEnd(r.end + 1)
	if end == r.end+1 {
		return r
	}
	company := p.subFilters(r.end+1, end)
	switch {
	case p.isCue(next, cue.At):
		r.jobs = company
	case p.isCue(next, cue.From):
		r.filters = withAny(r.filters, company)
	default:
		maps.Copy(r.filters, company)
	}
	r.to, r.end = p.spans[end-1].To, end
	return r
}

// byTitle reads "the CTO of Acme" and "Acme's CTO".
func (p *parser) byTitle(at int) (reference, bool) {
	end, company, title := at, false, false
	for end < len(p.spans) {
		s := p.spans[end]
		switch {
		case isJob(s) && !p.mark(end, at):
			title = true
		case s.Group() == segment.GroupCompany && !p.mark(end, at):
			company = true
		case p.isCue(s, cue.Of, cue.At, cue.For, cue.From) && !company && p.companyEnd(end+1) > end+1:
		case s.Type == lexicon.Filler && end+1 < len(p.spans) && p.spans[end+1].Group() == segment.GroupCompany:
		default:
			return p.titled(at, end, title && company)
		}
		end++
	}
	return p.titled(at, end, title && company)
}

// byKind reads a title that one of its kind of companies gives: the CEO of a fintech
// startup. Those who have it are many, and any of them is meant.
func (p *parser) byKind(at int) (reference, bool) {
	end := at
	for end < len(p.spans) && isJob(p.spans[end]) && !p.mark(end, at) {
		end++
	}
	several := end > at && strings.HasSuffix(p.tokens[p.spans[end-1].To-1].Norm, "s")
	behind := p.peekAt(end)
	if end == at || several || !p.isCue(behind, cue.Of, cue.At, cue.For, cue.From) && p.words(behind) != "of any" {
		return reference{}, false
	}
	kinds := p.kindsEnd(end + 1)
	return p.titled(at, kinds, kinds > end+1)
}

// anybody reads people of whom no more is said than a title or where they work, and any of
// whom is meant: worked with somebody from Acme, with founders of startups. With which titles
// those of a title that is named worked is not asked, as brokers and founders rarely share a job.
func (p *parser) anybody(at int) (reference, bool) {
	for p.peekAt(at).Type == lexicon.Filler {
		at++
	}
	switch first := p.peekAt(at); {
	case first.Type == lexicon.PersonWord:
		return p.somebodyAt(at)
	case first.Group() != segment.GroupRole || first.Is(lexicon.Seniority, lexicon.Leader) || p.isTitled():
		return reference{}, false
	}
	end := at + 1
	if p.isCue(p.peekAt(end), cue.Of, cue.At, cue.For, cue.From) {
		if kinds := p.kindsEnd(end + 1); kinds > end+1 {
			end = kinds
		}
	}
	return p.titled(at, end, true)
}

// somebodyAt reads people by where they work: somebody from Acme, people at startups.
func (p *parser) somebodyAt(at int) (reference, bool) {
	from := at + 1
	for p.isCue(p.peekAt(from), cue.Work, cue.Any, cue.Past) || p.words(p.peekAt(from)) == "who" {
		from++
	}
	if p.isCue(p.peekAt(from), cue.At, cue.From, cue.For, cue.Of) {
		from++
	}
	end := max(p.companyEnd(from), p.kindsEnd(from))
	for p.isCue(p.peekAt(end), cue.And, cue.Or) && p.peekAt(end+1).Group() == segment.GroupCompany {
		end = p.companyEnd(end + 1)
	}
	if end <= from || from == at+1 {
		return reference{}, false
	}
	r, ok := p.titled(at, end, true)
	if p.isCue(p.peekAt(from-1), cue.From) {
		theirs := r.filters
		r.filters = withAny(query.Filters{}, theirs)
	}
	return r, ok && len(r.filters) > 0
}

// kindsEnd is the reading behind the kinds of companies that stand from a place on.
func (p *parser) kindsEnd(at int) int {
	end := at
	for p.peekAt(end).Type == lexicon.Filler {
		end++
	}
	first := end
	for (p.peekAt(end).Group() == segment.GroupIndustry || p.peekAt(end).Type == lexicon.CompanyWord) && !p.mark(end, first) {
		end++
	}
	if end == first {
		return at
	}
	return end
}

// mark reports whether a comma or an end of a sentence stands before a reading
// that is not the first.
func (p *parser) mark(at, first int) bool {
	t := p.tokens[p.spans[at].From]
	return at > first && (t.Comma() || t.Stop())
}

func (p *parser) titled(at, end int, ok bool) (reference, bool) {
	if !ok || end <= at {
		return reference{}, false
	}
	return reference{filters: p.subFilters(at, end), from: p.spans[at].From, to: p.spans[end-1].To, end: end}, true
}

// whoever reads a description of people up to the end of the clause: "founded by
// former Google employees".
func (p *parser) whoever(at int) (reference, bool) {
	end := at
	for end < len(p.spans) && !p.mark(end, at) && !p.isCue(p.spans[end], cue.Now, cue.Lives, cue.Work, cue.With) {
		end++
	}
	if end == at {
		return reference{}, false
	}
	filters := p.subFilters(at, end)
	return reference{filters: filters, from: p.spans[at].From, to: p.spans[end-1].To, end: end}, len(filters) > 0
}

// companyEnd is the reading behind the companies that stand from a place on.
func (p *parser) companyEnd(at int) int {
	end := at
	for end < len(p.spans) {
		s := p.spans[end]
		switch {
		case s.Group() == segment.GroupCompany || s.Type == segment.Address:
		case s.Type == lexicon.Filler && end == at:
		default:
			return p.withoutFiller(at, end)
		}
		end++
	}
	return p.withoutFiller(at, end)
}

func (p *parser) withoutFiller(at, end int) int {
	if end == at+1 && p.spans[at].Type == lexicon.Filler {
		return at
	}
	return end
}

// peekAt returns the reading at a place, or one without a type.
func (p *parser) peekAt(i int) segment.Span {
	if i >= 0 && i < len(p.spans) {
		return p.spans[i]
	}
	return segment.Span{}
}

// sub parses some of the readings on their own.
func (p *parser) sub(from, to int) *parser {
	inner := newParser(p.runes, p.tokens, slices.Clone(p.spans[from:to]), p.known, p.now)
	inner.depth = p.depth + 1
	inner.near, inner.others = p.near, p.others
	inner.parse()
	return inner
}

// subFilters are the filters of some of the readings.
func (p *parser) subFilters(from, to int) query.Filters {
	inner := p.sub(from, to)
	b := newBuilder(inner)
	b.build(inner.facts)
	filters, _ := b.finish()
	return prompt.Plan{Filters: filters}.Values()
}
