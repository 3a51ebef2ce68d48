package rules

import (
	"strings"

	"kith/query"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// readAddress makes a fact of an e-mail address, a profile or a company's site.
func (p *parser) readAddress(s segment.Span) {
	t := p.tokens[s.From]
	if strings.HasPrefix(strings.ToLower(t.Text), "site:") { // what a search engine is told
		p.ignored = append(p.ignored, s)
		return
	}
	text, left := t.Text, false
	if len(text) > 3 && strings.EqualFold(text[:3], "ex-") && t.Kind == token.Domain { // ex-Booking.com designers
		text, left = text[3:], true
	}
	f := fact{values: []string{protected(text)}}
	switch t.Kind {
	case token.Email:
		f.name, f.values = query.FilterEmail, []string{protected(strings.ToLower(t.Text))}
	case token.Profile:
		f.name = query.FilterSocialURL
	case token.Domain:
		f.name = query.FilterCompanyURL
	case token.URL:
		f.name = query.FilterCompanyURL
		if social(t.Text) {
			f.name = query.FilterCompanySocialURL
		}
	case token.Word, token.Number:
		p.unknown = append(p.unknown, s)
		return
	}
	if p.compile(f) == (query.None{}) {
		p.unknown = append(p.unknown, s)
		return
	}
	if left {
		p.when, p.gone, p.verb = past, true, false
	}
	p.add(f, s)
	p.endJob(s)
}

// social reports whether an address is a company's page on a network.
func social(address string) bool {
	lower := strings.ToLower(address)
	return strings.Contains(lower, "/company/") || strings.Contains(lower, "/companies/") || strings.Contains(lower, "/school/")
}

// protected quotes what the filter grammar would read otherwise.
func protected(text string) string {
	if strings.Contains(text, ",") || strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		return `"` + text + `"`
	}
	return text
}
