package importer

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/internal/imports/importer/content"
	"kith/internal/imports/importer/tidy"
)

// cards reads the cards of an address book.
func (r *reading) cards(ctx context.Context, in io.Reader) error {
	return each(ctx, content.NewReader(in, "VCARD").Next, func(c *content.Component) error {
		r.report.Records++
		if kind, ok := c.Get("KIND"); ok && !strings.EqualFold(kind.Value, "individual") || isCompanyCard(c) {
			return r.reject(ctx, c.Line, ReasonNotPerson)
		}
		return r.person(ctx, c.Line, card(c), "contact")
	})
}

// isCompanyCard reports whether an address book shows a card as a company.
func isCompanyCard(c *content.Component) bool {
	p, ok := c.Get("X-ABSHOWAS")
	return ok && strings.EqualFold(p.Value, "COMPANY")
}

// card converts a card into a person.
func card(c *content.Component) Person {
	var p Person
	org := content.Fields(first(c, "ORG"))
	company := tidy.Company(org[0])
	name := tidy.Names{Full: content.Text(first(c, "FN")), Companies: []string{company}}
	if n := content.Fields(first(c, "N")); len(n) > 1 || n[0] != "" {
		n = append(n, "", "", "", "", "")
		name.Last, name.First, name.Middle, name.Suffix = spaced(n[0]), spaced(n[1]), spaced(n[2]), n[4]
	}
	for _, e := range preferred(c.All("EMAIL")) {
		p.Emails = tidy.Emails(append(p.Emails, content.Text(e.Value))...)
	}
	if len(p.Emails) > 0 {
		p.Email = p.Emails[0]
		if name.Full == "" && name.First == "" && name.Last == "" {
			name.Full = p.Email
		}
	}
	n := tidy.Person(name)
	p.FullName, p.FirstName, p.LastName = n.Full, n.First, n.Last
	title := cmp.Or(content.Text(first(c, "TITLE")), content.Text(first(c, "ROLE")))
	if job := (kith.Job{Title: tidy.Title(title, company), Company: kith.Company{Name: company}}); job.Title != "" ||
		company != "" {
		p.WorkRelevant = &job
	}
	p.SourceID = tidy.Text(first(c, "UID"))
	p.Location = address(preferred(c.All("ADR")))
	p.SocialURL = firstProfile(c)
	return p
}

// spaced joins several values of one part, which RFC 6350 separates by commas.
func spaced(s string) string { return strings.ReplaceAll(s, ",", " ") }

func first(c *content.Component, name string) string {
	for _, p := range c.All(name) {
		if strings.TrimSpace(p.Value) != "" {
			return p.Value
		}
	}
	return ""
}

// preferred sorts preferred values first, and values for work before others.
func preferred(all []content.Property) []content.Property {
	rank := func(p content.Property) int {
		if n, err := strconv.Atoi(p.Param("PREF")); err == nil && n > 0 {
			return n
		}
		switch {
		case p.Has("TYPE", "PREF"):
			return 1
		case p.Has("TYPE", "WORK"):
			return 200
		}
		return 300
	}
	slices.SortStableFunc(all, func(a, b content.Property) int { return rank(a) - rank(b) })
	return all
}

// address returns the location of the first address that has one.
func address(all []content.Property) kith.Location {
	for _, a := range all {
		f := append(content.Fields(a.Value), "", "", "", "", "", "", "")
		if l := tidy.Location("", kith.Location{City: f[3], State: f[4], Country: f[6]}); !l.IsZero() {
			return l
		}
	}
	return kith.Location{}
}

// firstProfile returns the first profile among the URLs of a card.
func firstProfile(c *content.Component) string {
	var other string
	for _, name := range []string{"X-SOCIALPROFILE", "SOCIALPROFILE", "URL", "X-LINKEDIN", "IMPP"} {
		for _, p := range c.All(name) {
			value := content.Text(p.Value)
			switch url := tidy.Profile(value); {
			case url == "":
			case tidy.IsProfileSite(value):
				if strings.Contains(url, "/in/") || strings.Contains(url, "/profile/") {
					return url
				}
				if other == "" {
					other = url
				}
			case strings.HasSuffix(name, "SOCIALPROFILE") && other == "":
				other = url
			}
		}
	}
	return other
}
