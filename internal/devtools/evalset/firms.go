package evalset

import "strconv"

// industries: product managers at fintechs in London.
func industries(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	kind, ok := g.drawIndustry(j.company)
	if !ok {
		return "", nil
	}
	is := all(n.is, at(kind.is))
	where := g.place(p)
	switch g.IntN(5) {
	case 0:
		return n.plural + " in " + kind.adjective + " in " + where.text, all(now(is), where.is)
	case 1:
		return kind.adjective + " " + n.plural + " in " + where.text, all(now(is), where.is)
	case 2:
		return n.plural + " working at " + kind.plural + " in " + where.text, all(now(is), where.is)
	}
	return n.plural + " at " + kind.plural + " in " + where.text, all(now(is), where.is)
}

// startups: engineers at startups in Berlin.
func startups(g *gen) (string, personIs) {
	p, j, n, ok := g.employee(func(p *person) bool { return startup(p.main().company) == yes })
	if !ok {
		return "", nil
	}
	where := g.place(p)
	kind, ok := g.drawIndustry(j.company)
	if ok && g.odds(40) {
		return n.plural + " at " + kind.adjective + " startups in " + where.text,
			all(now(all(n.is, at(all(startup, kind.is)))), where.is)
	}
	text := pick(g, n.plural+" at startups in "+where.text, n.plural+" in "+where.text+" working at startups",
		n.plural+" at a startup in "+where.text)
	return text, all(now(all(n.is, at(startup))), where.is)
}

// kinds: lawyers at public companies in Spain, CFOs of Series A companies.
func kinds(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	c := j.company
	where := g.place(p)
	switch {
	case c.stage != "" && c.stage != "IPO" && c.stage != "Private Equity":
		return n.plural + pick(g, " at ", " of ", " in ") + c.stage + " companies in " + where.text,
			all(now(all(n.is, at(staged(c.stage)))), where.is)
	case c.Type == "Public":
		listed := firmIs(func(c *company) truth { return max(when(c.Type == "Public"), min(maybe, when(c.stage == "IPO"))) })
		return n.plural + " at " + pick(g, "public companies", "publicly traded companies", "listed companies") + " in " +
			where.text, all(now(all(n.is, at(listed))), where.is)
	case c.Type == "Government":
		public := firmIs(func(c *company) truth {
			return max(when(c.Type == "Government"),
				min(maybe, firmIn([]string{"Government Administration", "k:government", "k:public sector"})(c)))
		})
		return n.plural + " at " + pick(g, "government agencies", "government organizations") + " in " + where.text,
			all(now(all(n.is, at(public))), where.is)
	}
	return "", nil
}

// seats: engineers at companies headquartered in Sweden, at Swedish companies.
func seats(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok || j.company.Location.Country == "" {
		return "", nil
	}
	country := j.company.Location.Country
	here := all(n.is, at(seat(inCountry(country))))
	switch g.IntN(5) {
	case 0, 1:
		for _, d := range g.tables.demonyms {
			if d[1] != country {
				continue
			}
			if kind, ok := g.drawIndustry(j.company); ok && g.odds(50) {
				return n.plural + " at " + d[0] + " " + kind.plural, now(all(here, at(kind.is)))
			}
			return n.plural + " at " + d[0] + " companies", now(here)
		}
	case 2:
		city := j.company.Location.City
		if city == "" || city == "San Jose" || city == "San José" {
			return "", nil
		}
		return n.plural + " at companies headquartered in " + city, now(all(n.is, at(seat(inCity(city)))))
	case 3:
		if p.Location.Country == country {
			return "", nil
		}
		return n.plural + " in " + the(p.Location.Country) + " at companies headquartered in " + the(country),
			all(lives(inCountry(p.Location.Country)), now(here))
	}
	return n.plural + " at companies " + pick(g, "headquartered in ", "based in ", "with headquarters in ") + the(country),
		now(here)
}

// pastFirms: designers who used to work at startups, now at public companies.
func pastFirms(g *gen) (string, personIs) {
	p, _, n, ok := g.employee(hasPast)
	if !ok {
		return "", nil
	}
	old := g.former(p)
	kind, ok := g.drawIndustry(old.company)
	if !ok {
		return "", nil
	}
	where := g.place(p)
	there := once(at(kind.is))
	// Some readers take "used to" to mean that they are at no such company now.
	out := func(p *person) truth {
		if now(at(kind.is))(p) != no {
			return min(maybe, there(p))
		}
		return there(p)
	}
	return n.plural + " in " + where.text + pick(g, " who used to work at ", " who previously worked at ") + kind.plural,
		all(now(n.is), where.is, out)
}

// combined: senior backend engineers in Berlin who used to work at Acme, now at fintechs with fewer than 200 employees.
func combined(g *gen) (string, personIs) {
	p, j, n, ok := g.employee(hasPast)
	if !ok {
		return "", nil
	}
	old := g.former(p)
	words, size := g.sizes(j.company)
	kind, ok := g.drawIndustry(j.company)
	if !ok || words == "" {
		return "", nil
	}
	where := g.place(p)
	years := g.yearsSince(p.jobs[0].start.first)
	switch g.IntN(4) {
	case 0:
		text := n.plural + " in " + where.text + " who used to work at " + g.firmName(old.company) + ", now at " +
			kind.plural + " " + words
		return text, all(where.is, left(same(old.company)), now(all(n.is, at(all(kind.is, size)))))
	case 1:
		text := n.plural + " in " + where.text + " with " + strconv.Itoa(max(years-2, 1)) + "+ years of experience at " +
			kind.plural
		return text, all(where.is, g.experience(max(years-2, 1), many), now(all(n.is, at(kind.is))))
	case 2:
		text := "ex-" + g.firmName(old.company) + " " + n.plural + " at " + kind.plural
		return text, all(left(same(old.company)), now(all(n.is, at(kind.is))))
	}
	text := n.plural + " at " + kind.plural + " " + words + " in " + where.text
	return text, all(where.is, now(all(n.is, at(all(kind.is, size)))))
}
