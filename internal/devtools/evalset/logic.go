package evalset

import "kith"

// negations: designers not in Berlin, engineers except at Acme.
func negations(g *gen) (string, personIs) {
	p, _, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	switch g.IntN(8) {
	case 0:
		return g.notCity(p, n)
	case 1, 2:
		return g.notAt(p, n)
	case 3, 4:
		return g.notIn(n)
	case 5:
		return g.notRole(p, n)
	case 6:
		return g.notIndustry(p, n)
	}
	if g.odds(40) {
		where := g.place(p)
		return n.plural + " in " + where.text + pick(g, " without an MBA", " who don't have an MBA"),
			all(now(n.is), where.is, never(degree("mba")))
	}
	return g.neverAt(p, n)
}

// notCity: designers in Germany but not in Berlin. It is open for people without a city.
func (g *gen) notCity(p *person, n noun) (string, personIs) {
	country := p.Location.Country
	other, ok := g.someone(hasCity, func(o *person) bool {
		return o.Location.Country == country && o.Location.City != p.Location.City && o.Location.City != country
	})
	if !ok {
		return "", nil
	}
	away := never(lives(inCity(other.Location.City)))
	known := func(p *person) truth {
		if p.Location.City == "" {
			return maybe
		}
		return away(p)
	}
	out := pick(g, " but not in ", " not in ", ", not ", " except ", " excluding ", " outside ", " outside of ")
	return n.plural + " in " + the(country) + out + other.Location.City, all(now(n.is), lives(inCountry(country)), known)
}

// notAt excludes one or two employers of people who would otherwise be correct.
func (g *gen) notAt(p *person, n noun) (string, personIs) {
	same1 := func(o *person) bool {
		return o != p && o.main() != nil && o.Location.Country == p.Location.Country && n.is(o.main()) == yes
	}
	o, ok := g.someone(same1)
	if !ok {
		return "", nil
	}
	where := g.country(p)
	a := same(o.main().company)
	subject := all(now(n.is), where.is, never(now(at(a))))
	text := n.plural + " in " + where.text +
		pick(g, " not at ", " but not at ", " who don't work at ", " not working for ", " except at ") +
		g.firmName(o.main().company)
	if b, ok := g.someone(same1, func(b *person) bool { return b.main().company != o.main().company }); ok && g.odds(40) {
		return text + " or " + g.firmName(b.main().company), all(subject, never(now(at(same(b.main().company)))))
	}
	return text, subject
}

// notIn excludes one or two places of an area.
func (g *gen) notIn(n noun) (string, personIs) {
	lands := map[string][]string{
		"Europe": {"Germany", "France", "the UK", "Spain", "Poland"}, "DACH": {"Germany", "Switzerland", "Austria"},
		"the Nordics": {"Sweden", "Denmark", "Finland"}, "APAC": {"India", "China", "Japan", "Australia"},
		"LATAM":          {"Brazil", "Mexico", "Argentina"},
		"Southeast Asia": {"Singapore", "Indonesia"},
	}
	areas := []string{"Europe", "DACH", "the Nordics", "APAC", "LATAM", "Southeast Asia"}
	area := pick(g, areas...)
	in, _ := g.named(area)
	i := g.Perm(len(lands[area]))
	a, b := lands[area][i[0]], lands[area][i[1]]
	out := pick(g, " outside ", " except ", " excluding ", " but not ", ", not in ", " other than ")
	without := func(land string) personIs {
		if in, ok := g.named(land); ok {
			return never(lives(in))
		}
		return never(lives(inCountry(land)))
	}
	if out == " other than " {
		out = " in countries other than "
	}
	is := all(now(n.is), lives(in), without(a))
	if g.odds(50) {
		return n.plural + " in " + area + out + a + pick(g, " or ", " and ") + b, all(is, without(b))
	}
	return n.plural + " in " + area + out + a, is
}

// named finds an area by name.
func (g *gen) named(name string) (in func(kith.Location) truth, ok bool) {
	for _, a := range g.tables.areas {
		if a.name == name {
			return a.is, true
		}
	}
	return nil, false
}

// notRole: people at Acme who are not recruiters.
func (g *gen) notRole(p *person, n noun) (string, personIs) {
	j := p.main()
	here := at(same(j.company))
	text := "people at " + g.firmName(j.company) + pick(g, " who are not ", " who aren't ", " except ", " other than ") +
		n.plural
	if g.odds(50) {
		// Not everyone else at the company may be of that kind.
		return text, all(now(here), never(now(all(here, n.is))))
	}
	function := "marketing"
	if works(function)(j) == yes {
		function = "sales"
	}
	return "people at " + g.firmName(j.company) + " not in " + function,
		all(now(here), never(now(all(here, works(function)))))
}

// notIndustry: engineers in Spain not in banking.
func (g *gen) notIndustry(p *person, n noun) (string, personIs) {
	o, ok := g.someone(func(o *person) bool {
		return o.main() != nil && o.Location.Country == p.Location.Country && n.is(o.main()) == yes
	})
	if !ok {
		return "", nil
	}
	kind, ok := g.drawIndustry(o.main().company)
	if !ok {
		return "", nil
	}
	where := g.country(p)
	return n.plural + " in " + where.text + pick(g, " not working at ", " but not at ", " not at ") + kind.plural,
		all(now(n.is), where.is, never(now(all(at(kind.is)))))
}

// neverAt: accountants in Spain who have never worked at Acme.
func (g *gen) neverAt(p *person, n noun) (string, personIs) {
	where := g.country(p)
	o, ok := g.someone(hasPast, func(o *person) bool {
		return o.main() != nil && o.Location.Country == p.Location.Country && n.is(o.main()) == yes
	})
	if !ok {
		return "", nil
	}
	old := g.former(o)
	return n.plural + " in " + where.text +
		pick(g, " who never worked at ", " who have never worked at ", " who have never worked for ") +
		g.firmName(old.company), all(now(n.is), where.is, never(ever(at(same(old.company)))))
}

// alternatives: designers in Berlin or Munich, CTOs and VPs of Engineering.
func alternatives(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	q, k, m, ok := g.employee(func(q *person) bool { return q.Location != p.Location })
	if !ok || n.plural == m.plural {
		return "", nil
	}
	a, b := lives(inCity(p.Location.City)), lives(inCity(q.Location.City))
	or := pick(g, " or ", " or ", " and ")
	switch g.IntN(8) {
	case 0, 1:
		return n.plural + " in " + p.Location.City + or + q.Location.City, all(now(n.is), anyOf(a, b))
	case 2, 3:
		where := g.place(p)
		return n.plural + pick(g, " and ", " or ", " & ") + m.plural + " in " + where.text,
			all(anyOf(now(n.is), now(m.is)), where.is)
	case 4:
		return n.plural + " at " + g.firmName(j.company) + pick(g, " or ", " or ", " and ") + g.firmName(k.company),
			now(all(n.is, anyOf(at(same(j.company)), at(same(k.company)))))
	case 5:
		c, ok := g.someone(hasCity)
		if !ok {
			return "", nil
		}
		return n.plural + " in " + p.Location.City + ", " + q.Location.City + " or " + c.Location.City,
			all(now(n.is), anyOf(a, b, lives(inCity(c.Location.City))))
	case 6:
		return n.plural + " in " + the(p.Location.Country) + or + the(q.Location.Country),
			all(now(n.is), anyOf(lives(inCountry(p.Location.Country)), lives(inCountry(q.Location.Country))))
	}
	return n.plural + " in " + p.Location.City + " at " + g.firmName(j.company),
		all(a, now(all(n.is, at(same(j.company)))))
}

// both: people who worked at both Acme and Globex.
func both(g *gen) (string, personIs) {
	p, ok := g.someone(func(p *person) bool { return len(p.stays) > 1 && p.stays[0].company != p.stays[1].company })
	if !ok {
		return "", nil
	}
	a, b := p.stays[0].company, p.stays[1].company
	is := all(ever(at(same(a))), ever(at(same(b))))
	return pick(g, "people who worked at both ", "people who have worked at both ", "who has worked at both ") +
		g.firmName(a) + " and " + g.firmName(b), is
}
