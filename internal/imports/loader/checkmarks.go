package loader

import (
	"slices"
	"strings"

	"kith"
	"kith/query/analysis"
)

// emails checks a person's addresses. With several, the first stays first and the rest are sorted.
func (c *checker) emails(p *kith.Person, all []string) {
	c.length("emails", len(all))
	c.email("email", p.Email)
	others := make([]string, len(all))
	for i, address := range all {
		others[i] = analysis.Address(address)
		c.email(at("emails", i), others[i])
	}
	if p.Email == "" && len(others) > 0 {
		p.Email = others[0]
	}
	p.Emails = others
	if all := p.Addresses(); len(all) > 1 {
		slices.Sort(all[1:])
		p.Emails = all
		return
	}
	p.Emails = nil
}

// email checks little more than the @, so that masked addresses in anonymised data pass.
func (c *checker) email(path, s string) {
	local, domain, ok := strings.Cut(s, "@")
	if s == "" {
		return
	}
	if !ok || local == "" || domain == "" || len(s) > kith.MaxEmail || strings.ContainsAny(s, " \t\r\n\x00") ||
		strings.Contains(domain, "@") {
		c.fail(path, "is not an e-mail address: %.100q", s)
	}
}

// sources checks the ids of a person in other systems.
func (c *checker) sources(all []string) {
	c.length("sources", len(all))
	for i, s := range all {
		source, id, _ := strings.Cut(s, ":")
		switch {
		case source == "" || id == "":
			c.fail(at("sources", i), "must be the name of a source and the id there, such as crm:4711 (got %.100q)", s)
		case len(s) > maxKey || strings.IndexByte(s, 0) >= 0:
			c.fail(at("sources", i), "must have at most %d bytes and no character U+0000", maxKey)
		}
	}
}

// sorted returns texts sorted and without duplicates; nil if there are none.
func sorted(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	texts = slices.Clone(texts)
	slices.Sort(texts)
	return slices.Compact(texts)
}
