package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// readQuantity makes a fact of a number by what it counts and what stands
// beside it.
func (p *parser) readQuantity(s segment.Span) {
	q := p.withUnit(s.Quantity)
	if why := p.uncounted(s, q); why != "" {
		p.ignore(why, s)
		return
	}
	switch q.Kind {
	case quantity.Size:
		if p.headcountWanted(s) {
			p.ignored = append(p.ignored, s)
			return
		}
		p.add(rangeFact(query.FilterCompanySize, q), s)
	case quantity.Years:
		p.years(s, q)
	case quantity.Date, quantity.Ago:
		p.date(s, q)
	case quantity.Plain:
		if p.isMoney(p.peek(1)) || q.A >= leastSales && p.sold() { // over 500k in revenue, 10M in sales
			p.earned(s)
			return
		}
		p.plainNumber(s, q)
	case quantity.Money:
		p.earned(s)
	case quantity.Distance:
		p.ignore("distances are not measured: only the place itself is asked for", s)
	}
}

// uncounted is what to say of a number that counts what no record tells; "" of all others.
func (p *parser) uncounted(s segment.Span, q quantity.Quantity) string {
	before := p.peek(-1)
	switch {
	case (q.Kind == quantity.Size || q.Kind == quantity.Plain) && p.grown(s):
		return "how much a team or a company has grown is not on record"
	case q.Kind == quantity.Plain && p.ofTeam(s):
		return ledNote
	case p.paid(s):
		return paidNote
	case p.isMoney(before) && strings.Contains(p.words(before), " size"):
		return "how much somebody invests is not on record"
	case q.Kind != quantity.Size || p.headcountWanted(s):
		return ""
	case s.From > 0 && p.tokens[s.From-1].Norm == "first": // one of the first 10 employees
		return earlyNote
	case p.isCue(before, cue.Leads), p.ofTeam(s), before.Type == lexicon.Leader && before.To == s.From && p.adjoining(s):
		return ledNote
	}
	return ""
}

// withUnit is a number with what the one beside it counts, where "or" joins the two: fewer
// than 50 or more than 500 employees, fewer than 50 employees or more than 500.
func (p *parser) withUnit(q quantity.Quantity) quantity.Quantity {
	if q.Kind != quantity.Plain {
		return q
	}
	for _, side := range []int{1, -1} {
		other := p.peek(2 * side).Quantity
		if p.isCue(p.peek(side), cue.Or) && (other.Kind == quantity.Size || other.Kind == quantity.Years) && (side > 0 || !q.Open) {
			q.Kind, q.Months, q.Experience, q.Old = other.Kind, other.Months, other.Experience, other.Old
			return q
		}
	}
	return q
}

// vacantNumber makes a number right before a title that is wanted one that says nothing: a
// sound engineer and two lighting technicians.
func (p *parser) vacantNumber() {
	for i, s := range p.spans {
		next := p.peekAt(i + 1)
		if s.Type != segment.Quantity || s.Quantity.Kind != quantity.Plain || s.Quantity.Op != quantity.Equal || s.Quantity.A >= mostWanted || next.Group() != segment.GroupRole || !p.severalOf(next) || !p.adjoining(next) {
			continue
		}
		if before := p.peekAt(i - 1); p.tokens[s.From].Entry() || p.isCue(before, cue.And, cue.Or) && p.peekAt(i-2).Group() == segment.GroupRole {
			p.silence(i)
		}
	}
}

// mostWanted is how many people of one title are wanted at most.
const mostWanted = 20

// headcountWanted reports whether a number is of the people whom the asker wants: we need
// two people in Cape Town.
func (p *parser) headcountWanted(s segment.Span) bool {
	last := p.tokens[s.To-1].Norm
	return p.asks(p.peek(-1)) && p.adjoining(s) && (last == "people" || last == "persons")
}

// isMoney reports whether a reading says that a number is of money: in revenue.
func (p *parser) isMoney(s segment.Span) bool {
	return s.Type == lexicon.Filler && s.Sense.Name == "money"
}

// leastSales is the least amount that is sold, in any currency: no years, and few people.
const leastSales = 100_000

// sold reports whether "in sales" stands behind the present amount, and something else says who
// is wanted.
func (p *parser) sold() bool {
	return p.last >= 0 && p.isCue(p.peek(1), cue.In) && p.words(p.peek(2)) == "sales"
}

// earned leaves out what a company earns, or sells, with its verb where that is not understood.
func (p *parser) earned(s segment.Span) {
	if before := p.peek(-1); before.Type == segment.Unknown && p.adjoining(s) {
		p.understood(before)
	}
	p.unknown = append(p.unknown, s)
	p.note(earnsNote)
	if p.sold() {
		p.ignored = append(p.ignored, p.peek(1), p.peek(2))
		p.at += 3
	}
}

const earnsNote = "what a company earns or has raised is not on record"

const ledNote = "how many people somebody leads is not on record"

// longestSpell is how many words may stand between a verb and the number that belongs to it.
const longestSpell = 6

// spell are the words of the clause before a reading, at most [longestSpell].
func (p *parser) spell(s segment.Span) []string {
	from := s.From
	for from > max(0, s.From-longestSpell) && p.adjoins(from) {
		from--
	}
	return token.Norms(p.tokens[from:s.From])
}

// ofTeam reports whether a number is of those whom somebody leads: managed a team of 5
// or more people, has run a kitchen with more than 20 people.
func (p *parser) ofTeam(s segment.Span) bool {
	before := p.spell(s)
	team := slices.IndexFunc(before, isTeam)
	return team >= 0 && slices.ContainsFunc(before[:team], isHeading)
}

// isTeam lists the words for those whom somebody leads.
func isTeam(w string) bool {
	switch w {
	case "team", "teams", "crew", "crews", "kitchen", "department", "brigade", "shift", "squad", "unit", "staff", "workforce", "group":
		return true
	}
	return false
}

// isHeading lists the verbs for being in charge of others.
func isHeading(w string) bool {
	switch w {
	case "supervised", "supervises", "supervising", "supervise", "headed", "heads", "heading", "built", "hired", "responsible", "charge":
		return true
	}
	return isRunning(w)
}

// grown reports whether a range is of what somebody has made grow: scaled a team from 50
// to 300 people.
func (p *parser) grown(s segment.Span) bool {
	return s.Quantity.Op == quantity.Between && slices.ContainsFunc(p.spell(s), func(w string) bool {
		switch w {
		case "scaled", "scaling", "scale", "grew", "grown", "grow", "growing", "expanded":
			return true
		}
		return false
	})
}

// paid reports whether a number is of what the asker would pay: salary 85-95k, paying
// $90k.
func (p *parser) paid(s segment.Span) bool {
	if k := s.Quantity.Kind; k != quantity.Plain && k != quantity.Size && k != quantity.Money {
		return false
	}
	for i := s.From - 1; i >= max(0, s.From-3); i-- {
		switch p.tokens[i].Norm {
		case "salary", "salaries", "pay", "pays", "paying", "wage", "compensation", "ctc", "budget", "gehalt", "salaire", "salario", "earning", "ote":
			return true
		}
		if p.tokens[i+1].Comma() {
			return false
		}
	}
	return false
}

// plainNumber is a size after a word for size, else not understood.
func (p *parser) plainNumber(s segment.Span, q quantity.Quantity) {
	before := p.peek(-1)
	switch p.words(before) {
	case "size", "headcount", "employees", "staff", "companysize":
		p.understood(before)
		p.add(rangeFact(query.FilterCompanySize, q), s)
		return
	case "experience", "yoe", "exp":
		p.understood(before)
		q.Experience = true
		p.years(s, q)
		return
	}
	if next := p.peek(1); (q.A >= 10 || next.Group() == segment.GroupRole) && p.counts(next) {
		p.ignore("how many "+p.words(next)+" a company has is not on record", s, next)
		p.at += 2
		return
	}
	if isBand(q) || p.staffOf(s, q) {
		p.add(rangeFact(query.FilterCompanySize, q), s)
		return
	}
	p.unknown = append(p.unknown, s)
	if next := p.peek(1); s.Len() > 1 && before.Type != segment.Unknown && (next.Type == "" || next.Type == lexicon.Cue || !p.adjoining(next)) { // CEOs under 40
		p.notes = appendNew(p.notes, "what is counted by “"+p.text(s)+"” is not said")
	}
}

// staffOf reports whether a bound stands right behind companies, whose people it counts
// where nothing else is said: at companies over 500, startups with fewer than 20.
func (p *parser) staffOf(s segment.Span, q quantity.Quantity) bool {
	at := s.From
	for at > 0 && p.adjoins(at) && isLinking(p.tokens[at-1].Norm) {
		at--
	}
	return q.Op != quantity.Equal && p.tokens[s.From].Norm != "older" && at > 0 && p.adjoins(at) && isCompanies(p.tokens[at-1].Norm)
}

// isLinking lists the words between companies and a number of theirs.
func isLinking(w string) bool {
	return w == "with" || w == "of" || w == "that" || w == "which" || w == "are" || w == "have"
}

// understood makes a word that nothing knows by itself one that says nothing more.
func (p *parser) understood(s segment.Span) {
	if p.isLeftOut(s) {
		return
	}
	p.unknown = slices.DeleteFunc(p.unknown, func(u segment.Span) bool { return u.From == s.From })
	p.ignored = append(p.ignored, s)
}

// counts reports whether a number is of what companies have, not of people who
// work there: with 200+ beds.
func (p *parser) counts(s segment.Span) bool {
	if s.To == 0 || !p.adjoining(s) || !strings.HasSuffix(p.words(s), "s") {
		return false
	}
	return (s.Type == segment.Unknown || isSite(p.words(s)) || s.Type == lexicon.CompanyWord || s.Group() == segment.GroupIndustry) && s.Len() == 1 ||
		s.Group() == segment.GroupRole && (p.isCue(p.peek(-1), cue.With) || p.isCue(p.peek(-1), cue.Of) && p.peek(-2).Group() == segment.GroupIndustry)
}

// isSite lists the nouns for where a company is, that say nothing elsewhere.
func isSite(w string) bool {
	return w == "locations" || w == "sites" || w == "places" || w == "outlets"
}

// isBand reports whether a range is one of those that sizes of companies are
// usually given in, with a bound shared or not: 51-200, 50-200, 1000+. Small ones
// may be years.
func isBand(q quantity.Quantity) bool {
	if q.Op == quantity.Between && q.A >= 10 && q.B >= 50 || q.Op == quantity.AtLeast && q.A >= 100 && q.A <= 100_000 {
		return true // no career is as long
	}
	low := slices.Contains([]int64{50, 51, 100, 200, 201, 500, 501, 1000, 1001, 5000, 5001, 10000, 10001}, q.A)
	return low && (q.Op == quantity.AtLeast || q.Op == quantity.Between && slices.Contains([]int64{200, 500, 1000, 5000, 10000}, q.B))
}

// exactSizes leaves out words for the size of a company where numbers say it, too:
// a small biotech, under 100 people.
func (p *parser) exactSizes() {
	size := func(f fact) bool { return f.name == query.FilterCompanySize && !f.not && len(f.values) > 0 }
	number := func(f fact) bool { return size(f) && strings.ContainsAny(f.values[0], "0123456789") }
	exact := slices.IndexFunc(p.facts, number)
	if exact < 0 {
		return
	}
	for i := len(p.facts) - 1; i >= 0; i-- {
		f := p.facts[i]
		either := i != exact && p.orBetween(f.spans[0], p.facts[exact].spans[0])
		if i == exact || !size(f) || number(f) || f.when != p.facts[exact].when || either {
			continue
		}
		p.facts[exact].spans = append(f.spans, p.facts[exact].spans...)
		p.facts = slices.Delete(p.facts, i, i+1)
		if i < exact {
			exact--
		}
	}
}

// orBetween reports whether "or" stands between two readings.
func (p *parser) orBetween(a, b [2]int) bool {
	if a[0] > b[0] {
		a, b = b, a
	}
	for _, s := range p.between(a[1], b[0]) {
		if p.isCue(s, cue.Or) {
			return true
		}
	}
	return false
}
