package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// customersAgain are those of some readings that say what companies the asker sells to,
// where the words behind come back to them: our software helps law firms. CFOs at firms
// with more than 100 people.
func (p *parser) customersAgain(from, to int) (customers []segment.Span) {
	first := p.spans[from].From
	sells := slices.IndexFunc(p.tokens[first:p.spans[to-1].To], sellsTo)
	if sells < 0 || p.namesTrade(to) {
		return nil
	}
	several := func(s segment.Span) bool { return strings.HasSuffix(p.tokens[s.To-1].Norm, "s") }
	firms := slices.ContainsFunc(p.spans[to:], func(s segment.Span) bool { return s.Type == lexicon.CompanyWord && several(s) })
	if !firms && !p.sellsToTheirs(from, to) {
		return nil
	}
	for _, s := range p.spans[from:to] {
		if s.Type == lexicon.Industry && s.From > first+sells && several(s) {
			customers = append(customers, s)
		}
	}
	return customers
}

// namesTrade reports whether a kind of companies that is not left out is named from a reading on.
func (p *parser) namesTrade(from int) bool {
	for i := from; i < len(p.spans); i++ {
		if p.spans[i].Type == lexicon.Industry && !p.leftOut(i) {
			return true
		}
	}
	return false
}

// sellsToTheirs reports whether some readings say that the asker sells to companies, and those
// behind ask for several people and name no company: we sell to hospitals. Find COOs.
func (p *parser) sellsToTheirs(from, to int) bool {
	words := token.Norms(p.tokens[p.spans[from].From:p.spans[to-1].To])
	sell := slices.IndexFunc(words, func(w string) bool { return w == "sell" || w == "selling" || w == "invest" })
	if sell < 0 || !slices.Contains(words[sell:], "to") && words[sell] != "invest" || !p.asksSeveral(to) {
		return false
	}
	for i := to; i < len(p.spans); i++ {
		if p.spans[i].Group() == segment.GroupCompany && !p.leftOut(i) {
			return false
		}
	}
	return true
}

// sellsTo lists the verbs of those who have customers.
func sellsTo(t token.Token) bool {
	switch t.Norm {
	case "sell", "sells", "selling", "sold", "help", "helps", "helping", "serve", "serves", "serving", "supply", "supplies", "supplying", "invest", "investing", "for":
		return true
	}
	return false
}
