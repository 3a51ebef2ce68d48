package demo

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// name is a person's name.
type name struct {
	first, last, full string
	slug              string // in lower-case ASCII, for URLs and e-mail addresses
	language          string
}

// name draws a name that is usual in a country.
func (t *tables) name(d *dice, country int) name {
	home := &t.countries[country]
	c := &t.cultures[home.cultures[home.culture.spin(d)]]
	if d.in1000(c.native) {
		n := of(d, c.natives)
		return name{first: n.given, last: n.family, full: n.given + " " + n.family, slug: n.slug, language: c.language}
	}
	first := c.given[d.early(len(c.given))]
	last := c.surname(d)
	if d.in1000(35) {
		if second := c.surname(d); second != last {
			last += "-" + second
		}
	}
	n := name{first: first, last: last, full: first + " " + last, language: c.language}
	n.slug = slug(n.full)
	n.decorate(d)
	return n
}

// decorate adds an initial or a degree to some full names, as people do.
func (n *name) decorate(d *dice) {
	switch luck := d.below(1000); {
	case luck < 40:
		n.full = n.first + " " + string(rune('A'+d.early(26))) + ". " + n.last
	case luck < 48:
		n.full += ", PhD"
	case luck < 54:
		n.full = "Dr. " + n.full
	case luck < 60:
		n.full += ", MBA"
	}
}

func (c *culture) surname(d *dice) string { return c.families[d.early(len(c.families))] }

// slug converts a text to lower-case ASCII letters and digits, with single hyphens in place of anything else.
func slug(text string) string {
	b := make([]byte, 0, len(text))
	for _, r := range norm.NFKD.String(strings.ToLower(text)) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b = append(b, byte(r))
		case unicode.Is(unicode.Mn, r) || r == '\'':
		case plain(r) != "":
			b = append(b, plain(r)...)
		case len(b) > 0 && b[len(b)-1] != '-':
			b = append(b, '-')
		}
	}
	return strings.TrimSuffix(string(b), "-")
}

// plain returns the ASCII form of letters that do not decompose.
func plain(r rune) string {
	switch r {
	case 'ł':
		return "l"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'þ':
		return "th"
	case 'ı':
		return "i"
	}
	return ""
}
