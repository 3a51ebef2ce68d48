package evalset

import (
	"maps"
	"slices"
	"strings"
)

// namedAs holds for people with a first and a last name. It is open for short forms of the
// first name, and for last names that only contain the words.
func (g *gen) namedAs(first, last string) personIs {
	first, last = plain(first), plain(last)
	return func(p *person) truth {
		return min(firstIs(g.tables, p.first, first), lastIs(p.last, last))
	}
}

func firstIs(t *tables, have, want string) truth {
	if have == want {
		return yes
	}
	for _, names := range t.alike {
		if slices.Contains(names, have) && slices.Contains(names, want) {
			return maybe
		}
	}
	if slices.Contains(strings.FieldsFunc(have, isJoint), want) ||
		slices.Contains(strings.FieldsFunc(want, isJoint), have) {
		return maybe
	}
	return no
}

func isJoint(r rune) bool { return r == ' ' || r == '-' }

func lastIs(have, want string) truth {
	if have == want {
		return yes
	}
	words := strings.FieldsFunc(have, isJoint)
	if slices.ContainsFunc(strings.FieldsFunc(want, isJoint), func(w string) bool { return !slices.Contains(words, w) }) {
		return no
	}
	return maybe
}

// loose returns a person's name for namedAs, which leaves people with similar names open:
// a careful answer may include them.
func loose(p *person) (string, string) { return p.FirstName, p.LastName }

// names: only the name.
func names(g *gen) (string, personIs) {
	p, ok := g.someone()
	if !ok {
		return "", nil
	}
	is := g.namedAs(loose(p))
	name := p.FirstName + " " + p.LastName
	switch g.IntN(8) {
	case 0:
		return "Who is " + name + "?", is
	case 1:
		return "find " + name, is
	case 2:
		return strings.ToLower(name), is
	case 3:
		return plain(name), is
	case 4:
		return pick(g, "Can you find ", "I'm looking for ", "show me the profile of ", "contact details of ") + name, is
	}
	return name, is
}

// namesAt: a name and an employer.
func namesAt(g *gen) (string, personIs) {
	p, j, ok := g.worker()
	if !ok {
		return "", nil
	}
	here := at(same(j.company))
	// "from Acme" may also mean a person who has left.
	there := func(p *person) truth { return max(now(here)(p), min(maybe, ever(here)(p))) }
	name := p.FirstName + " " + p.LastName
	text := name + pick(g, " at ", " at ", " from ", ", ", " @ ", " who works at ", " ") + g.firmName(j.company)
	if g.odds(20) {
		text = strings.ToLower(text)
	}
	return text, all(g.namedAs(loose(p)), there)
}

// namesWith: a name and a title.
func namesWith(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	name := p.FirstName + " " + p.LastName
	is := all(g.namedAs(loose(p)), now(n.is))
	return pick(g, name+", "+n.singular, name+" "+n.singular, n.singular+" "+name,
		name+", "+n.singular+" at "+j.company.core), is
}

// namesIn: a name and a place.
func namesIn(g *gen) (string, personIs) {
	p, _, ok := g.worker()
	if !ok {
		return "", nil
	}
	where := g.place(p)
	name := p.FirstName + " " + p.LastName
	return name + pick(g, " in ", " from ", " in ", " based in ", ", ") + where.text, all(g.namedAs(loose(p)), where.is)
}

// addresses: profile URLs.
func addresses(g *gen) (string, personIs) {
	p, ok := g.someone()
	if !ok {
		return "", nil
	}
	id := p.ID
	url := pick(g, p.SocialURL, strings.TrimPrefix(p.SocialURL, "https://"), p.SocialURL+"/",
		strings.Replace(p.SocialURL, "https://", "https://www.", 1), p.SocialURL+"?ref=mail",
		strings.Replace(p.SocialURL, "https", "http", 1))
	return pick(g, "", "", "find ", "who is ", "profile ") + url, func(p *person) truth { return when(p.ID == id) }
}

// mails: e-mail addresses. The demo masks them, so several people may share one.
func mails(g *gen) (string, personIs) {
	p, ok := g.someone(func(p *person) bool { return p.Email != "" && !strings.Contains(p.Email, "@example.") })
	if !ok {
		return "", nil
	}
	mail := p.Email
	return pick(g, "", "find ", "who has the address ") + mail, func(p *person) truth { return when(p.Email == mail) }
}

// nicknames: Mike for Michael.
func nicknames(g *gen) (string, personIs) {
	for range 200 {
		p, j, ok := g.worker()
		if !ok {
			return "", nil
		}
		for _, short := range slices.Sorted(maps.Keys(g.tables.nicknames)) {
			longs := g.tables.nicknames[short]
			if !slices.Contains(longs, p.FirstName) || len(g.byName[plain(short+" "+p.LastName)]) > 0 {
				continue
			}
			is := func(o *person) truth {
				if slices.Contains(longs, o.FirstName) {
					return lastIs(o.last, p.last)
				}
				return min(maybe, firstIs(g.tables, o.first, plain(short)), lastIs(o.last, p.last))
			}
			if g.odds(50) {
				return short + " " + p.LastName, is
			}
			return short + " " + p.LastName + " at " + j.company.core, all(is, now(at(same(j.company))))
		}
	}
	return "", nil
}

// initials: J. Smith, Jane S.
func initials(g *gen) (string, personIs) {
	p, j, ok := g.worker(latin)
	if !ok || strings.ContainsAny(p.LastName, " -'") {
		return "", nil
	}
	initial := string([]rune(p.FirstName)[:1])
	if g.odds(25) {
		short := string([]rune(p.LastName)[:1])
		is := func(o *person) truth {
			return min(firstIs(g.tables, o.first, p.first), when(strings.HasPrefix(o.last, plain(short))))
		}
		return p.FirstName + " " + short + ". at " + j.company.core, all(is, now(at(same(j.company))))
	}
	is := func(o *person) truth {
		return min(when(strings.HasPrefix(o.first, plain(initial))), lastIs(o.last, p.last))
	}
	if g.odds(50) {
		return initial + ". " + p.LastName, is
	}
	return initial + ". " + p.LastName + " at " + j.company.core, all(is, now(at(same(j.company))))
}

// latin reports whether a person's name has only Latin letters.
func latin(p *person) bool {
	return strings.IndexFunc(plain(p.FirstName+p.LastName), func(r rune) bool { return r > 127 }) < 0
}

// swapped: the last name first.
func swapped(g *gen) (string, personIs) {
	p, j, ok := g.worker(func(p *person) bool { return !strings.ContainsAny(p.LastName, " -") })
	if !ok {
		return "", nil
	}
	is := g.namedAs(loose(p))
	name := p.LastName + pick(g, ", ", " ", " ") + p.FirstName
	if g.odds(40) {
		return name + " at " + j.company.core, all(is, now(at(same(j.company))))
	}
	return name, is
}

// partials: only the last or first name, with other details.
func partials(g *gen) (string, personIs) {
	p, j, ok := g.worker(latin)
	if !ok || strings.ContainsAny(p.LastName, " -'") {
		return "", nil
	}
	last := func(o *person) truth { return lastIs(o.last, p.last) }
	first := func(o *person) truth { return firstIs(g.tables, o.first, p.first) }
	here := now(at(same(j.company)))
	switch g.IntN(3) {
	case 0:
		return p.LastName + " at " + j.company.core, all(last, here)
	case 1:
		return p.FirstName + " at " + j.company.core, all(first, here)
	}
	return p.FirstName + " from " + j.company.core,
		all(first, func(o *person) truth { return max(here(o), min(maybe, ever(at(same(j.company)))(o))) })
}

// misspelt: a name with a typo.
func misspelt(g *gen) (string, personIs) {
	p, j, ok := g.worker(latin)
	if !ok || strings.ContainsAny(p.LastName, " -'") || len(p.LastName) < 7 {
		return "", nil
	}
	wrong := g.misspell(p.LastName)
	if len(g.byName[plain(p.FirstName+" "+wrong)]) > 0 {
		return "", nil
	}
	is := g.namedAs(loose(p))
	near := func(o *person) truth {
		if t := is(o); t != no {
			return t
		}
		return min(maybe, firstIs(g.tables, o.first, p.first), when(close2(o.last, plain(wrong))))
	}
	if g.odds(50) {
		return p.FirstName + " " + wrong, near
	}
	return p.FirstName + " " + wrong + " at " + j.company.core, all(near, now(at(same(j.company))))
}

// close2 reports whether two words have the same first letters and about the same length,
// so that one may be a misspelling of the other.
func close2(a, b string) bool {
	return len(a) > 3 && len(b) > 3 && a[:3] == b[:3] && len(a)-len(b) <= 2 && len(b)-len(a) <= 2
}
