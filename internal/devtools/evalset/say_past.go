package evalset

// pasts: ex-Acme recruiters, people who used to work at Acme.
func pasts(g *gen) (string, personIs) {
	p, _, n, ok := g.employee(hasPast)
	if !ok {
		return "", nil
	}
	old := g.former(p)
	firm := g.firmName(old.company)
	gone := left(same(old.company))
	// Some readers include people who had the role when they left, and have another now.
	subject := anyOf(now(n.is), func(p *person) truth { return min(maybe, once(all(n.is, at(same(old.company))))(p)) })
	switch g.IntN(9) {
	case 0:
		return "ex-" + firm + " " + n.plural, all(subject, gone)
	case 1:
		return "people who used to work at " + firm, gone
	case 2:
		return pick(g, "former employees of ", "people formerly at ", "people who left ", "former ") + firm +
			pick(g, "", "", " people"), gone
	case 3:
		return firm + " alumni", gone
	case 4:
		return n.plural + " who used to work " + pick(g, "at ", "for ") + firm, all(subject, gone)
	case 5:
		return n.plural + pick(g, " formerly at ", ", ex-") + firm, all(subject, gone)
	case 6:
		return firm + " alumni in " + p.Location.City, all(gone, lives(inCity(p.Location.City)))
	case 7:
		return n.plural + " who left " + firm, all(subject, gone)
	}
	return n.plural + " previously at " + firm, all(subject, orEnded(gone, old.company))
}

// orEnded also leaves open people who ended a job at a company but are there again or
// still: "previously at" does not say that they are gone.
func orEnded(gone personIs, c *company) personIs {
	ended := once(at(same(c)))
	return anyOf(gone, func(p *person) truth { return min(maybe, ended(p)) })
}

// evers: people who have worked at Acme.
func evers(g *gen) (string, personIs) {
	p, _, n, ok := g.employee(hasPast)
	if !ok {
		return "", nil
	}
	old := g.former(p)
	firm, there := g.firmName(old.company), ever(at(same(old.company)))
	switch g.IntN(4) {
	case 0:
		return "people who have worked at " + firm, there
	case 1:
		return n.plural + " who worked at " + firm, all(now(n.is), there)
	case 2:
		return "anyone who has ever worked for " + firm, there
	}
	return n.plural + " who have worked at " + firm, all(now(n.is), there)
}

// changes: recruiters at Acme who used to be account managers.
func changes(g *gen) (string, personIs) {
	p, j, n, ok := g.employee(hasPast)
	if !ok {
		return "", nil
	}
	old := g.former(p)
	firm := g.firmName(j.company)
	here := all(n.is, at(same(j.company)))
	switch g.IntN(5) {
	case 0:
		return "ex-" + g.firmName(old.company) + " people now at " + firm,
			all(left(same(old.company)), now(at(same(j.company))))
	case 1:
		return n.plural + " who used to work at " + g.firmName(old.company) + ", now at " + firm,
			all(left(same(old.company)), now(here))
	case 2:
		where := g.place(p)
		return "people who left " + g.firmName(old.company) + " and now live in " + where.text,
			all(left(same(old.company)), where.is)
	}
	before, ok := g.anyRole(old)
	if !ok || n.is(old) != no || before.is(j) != no {
		return "", nil
	}
	wasNot := all(once(before.is), never(now(before.is)))
	was := anyOf(wasNot, func(p *person) truth { return min(maybe, once(before.is)(p)) })
	where := g.place(p)
	if g.odds(50) {
		return n.plural + " in " + where.text + " who used to be " + before.plural, all(now(n.is), where.is, was)
	}
	return "former " + before.plural + " who are now " + n.plural, all(now(n.is), was)
}

// previous: people whose previous job was at Acme.
func previous(g *gen) (string, personIs) {
	p, j, ok := g.worker(hasPast)
	if !ok {
		return "", nil
	}
	last, sure := p.before(j.stay)
	if !sure {
		return "", nil
	}
	target := same(last.company)
	is := func(p *person) truth {
		t := no
		for _, s := range p.stays {
			if !s.current {
				continue
			}
			last, sure := p.before(s)
			switch {
			case last == nil:
			case sure && len(p.currentStays()) == 1:
				t = max(t, target(last.company))
			default:
				t = max(t, min(maybe, target(last.company)))
			}
		}
		return t
	}
	firm := g.firmName(last.company)
	if g.odds(30) {
		return "people who were at " + firm + " in their previous job", is
	}
	return pick(g, "people whose previous job was at ", "people whose last job was at ") + firm, is
}

func (p *person) currentStays() []*stay {
	var out []*stay
	for _, s := range p.stays {
		if s.current {
			out = append(out, s)
		}
	}
	return out
}

// leavers: people who left Acme in the last 2 years.
func leavers(g *gen) (string, personIs) {
	p, ok := g.someone(hasPast)
	if !ok {
		return "", nil
	}
	old := g.former(p)
	years := 1 + g.yearsSince(old.end.last)
	if years > 8 {
		return "", nil
	}
	is := all(once(all(at(same(old.company)), g.endedWithin(years))), never(now(at(same(old.company)))))
	return "people who left " + g.firmName(old.company) + " in the last " + number("%d years", years), is
}
