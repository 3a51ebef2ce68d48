package evalset

import (
	"slices"
	"strconv"
)

// unique draws a person whose name no other person has, not even approximately.
func (g *gen) unique(wishes ...func(p *person) bool) (*person, bool) {
	return g.someone(append([]func(*person) bool{latin, func(p *person) bool {
		if len(g.byName[p.first+" "+p.last]) > 1 {
			return false
		}
		is := g.namedAs(p.FirstName, p.LastName)
		return !slices.ContainsFunc(g.byLast[p.last], func(o *person) bool { return o != p && is(o) != no })
	}}, wishes...)...)
}

// together holds for people who worked at the same company at the same time as who, during one of the jobs.
func together(who *person, jobs []*job) personIs {
	return func(p *person) truth {
		t := no
		if p == who {
			return t
		}
		for _, theirs := range jobs {
			for _, j := range p.jobs {
				if j.company == theirs.company {
					t = max(t, overlap(j, theirs))
				}
			}
		}
		return t
	}
}

// colleague holds for people who work at a company where who works now.
func colleague(who *person) personIs {
	return func(p *person) truth {
		if p == who {
			return no
		}
		for _, j := range p.jobs {
			if j.current && who.worksAt(j.company) {
				return yes
			}
		}
		return no
	}
}

func (p *person) jobsAt(c *company) []*job {
	var out []*job
	for _, j := range p.jobs {
		if j.company == c {
			out = append(out, j)
		}
	}
	return out
}

func (p *person) name() string { return p.FirstName + " " + p.LastName }

// workedWith: people who worked with Jane Doe at Acme.
func workedWith(g *gen) (string, personIs) {
	p, ok := g.unique(func(p *person) bool { return len(p.jobs) > 0 })
	if !ok {
		return "", nil
	}
	c := pick(g, p.jobs...).company
	switch g.IntN(4) {
	case 0:
		return pick(g, "people who worked with ", "people who have worked with ", "who has worked with ") + p.name(),
			together(p, p.jobs)
	case 1:
		where := p.Location.Country
		if where == "" {
			return "", nil
		}
		return "people in " + the(where) + " who worked with " + p.name() + " at " + g.firmName(c),
			all(lives(inCountry(where)), together(p, p.jobsAt(c)))
	}
	return pick(g, "people who worked with ", "who worked with ", "everyone who worked with ") + p.name() + " at " +
		g.firmName(c), together(p, p.jobsAt(c))
}

// colleagues: colleagues of Jane Doe; former colleagues of Jane Doe.
func colleagues(g *gen) (string, personIs) {
	p, ok := g.unique(hasJob)
	if !ok {
		return "", nil
	}
	if g.odds(40) {
		return pick(g, "colleagues of "+p.name(), "people who work with "+p.name(), "current colleagues of "+p.name()),
			colleague(p)
	}
	was := all(together(p, p.jobs), never(colleague(p)))
	if g.odds(50) {
		return "former colleagues of " + p.name(), was
	}
	o, ok := g.someone(hasCity, func(o *person) bool { return was(o) == yes })
	if !ok {
		return "", nil
	}
	return "former colleagues of " + p.name() + " now in " + o.Location.City, all(was, lives(inCity(o.Location.City)))
}

// officers: former colleagues of the CTO of Acme now in Berlin.
func officers(g *gen) (string, personIs) {
	_, j, ok := g.worker(func(p *person) bool {
		n, ok := g.chief(p.main())
		return ok && len(p.stays) > 1 && g.holders(p.main().company, n.is) == 1
	})
	if !ok {
		return "", nil
	}
	n, _ := g.chief(j)
	boss := n.singular + " of " + j.company.core
	was := all(together(j.who, j.who.jobs), never(colleague(j.who)))
	switch g.IntN(3) {
	case 0:
		return pick(g, "former colleagues of the ", "ex-colleagues of the ") + boss, was
	case 1:
		return "people who worked with the " + boss, together(j.who, j.who.jobs)
	}
	o, ok := g.someone(hasCity, func(o *person) bool { return was(o) == yes })
	if !ok {
		return "", nil
	}
	return "former colleagues of the " + boss + " now in " + o.Location.City, all(was, lives(inCity(o.Location.City)))
}

// holders returns how many people certainly or possibly have such a job at a company or at one with a similar name.
func (g *gen) holders(c *company, is jobIs) int {
	n := 0
	is = all(is, at(same(c)))
	for other := range c.alike {
		for _, p := range other.staff {
			if now(is)(p) != no {
				n++
			}
		}
	}
	return n
}

// foundersOf: engineers at the company Jane Doe founded.
func foundersOf(g *gen) (string, personIs) {
	p, ok := g.unique(func(p *person) bool { return len(p.foundings()) == 1 })
	if !ok {
		return "", nil
	}
	c := p.foundings()[0].company
	others := func(o *person) truth { return when(o != p) }
	here := func(j *job) truth { return when(j.company == c) }
	if g.odds(50) {
		for _, o := range c.staff {
			for _, j := range o.jobsAt(c) {
				if n, ok := g.role(j); ok && j.current && o != p {
					return n.plural + " at the company " + p.name() + " founded", all(others, now(all(n.is, here)))
				}
			}
		}
	}
	return pick(g, "people at the company "+p.name()+" founded",
			"people who work at the company that "+p.name()+" founded", "employees of the company founded by "+p.name()),
		all(others, now(here))
}

func (p *person) foundings() []*job {
	var out []*job
	for _, j := range p.jobs {
		if j.title.levels["founder"] == yes {
			out = append(out, j)
		}
	}
	return out
}

// moved holds for people who went directly from one kind of company to another, at most within years ago.
func (w *world) moved(from, to firmIs, within int) personIs {
	return func(p *person) truth {
		t := no
		for _, s := range p.stays {
			last, sure := p.before(s)
			if last == nil || last.company == s.company {
				continue
			}
			ok := min(from(last.company), to(s.company), w.between(s.start, 0, within-1))
			if !sure {
				ok = min(ok, maybe)
			}
			t = max(t, ok)
		}
		return t
	}
}

// moves: people who moved from Acme to Globex, to a startup in the last year.
func moves(g *gen) (string, personIs) {
	p, ok := g.someone(func(p *person) bool { return len(p.stays) > 1 })
	if !ok {
		return "", nil
	}
	to := p.stays[1+g.IntN(len(p.stays)-1)]
	from, sure := p.before(to)
	if !sure || from.company == to.company {
		return "", nil
	}
	verb := pick(g, "people who moved from ", "people who went from ", "who moved from ", "people who left ")
	then := " to "
	if verb == "people who left " {
		then = " for "
	}
	text := verb + g.firmName(from.company) + then
	if g.odds(40) {
		return text + g.firmName(to.company), g.moved(same(from.company), same(to.company), many)
	}
	years := 1 + g.yearsSince(to.start.last)
	if startup(to.company) == yes {
		if years < 6 && g.odds(60) {
			return text + "a startup in the last " + manyYears(years), g.moved(same(from.company), startup, years)
		}
		return text + "a startup", g.moved(same(from.company), startup, many)
	}
	kind, ok := g.drawIndustry(to.company)
	if !ok || g.odds(50) {
		return text + g.firmName(to.company), g.moved(same(from.company), same(to.company), many)
	}
	return "people who moved from " + g.firmName(from.company) + " to " + kind.plural,
		g.moved(same(from.company), kind.is, many)
}

func manyYears(n int) string {
	if n == 1 {
		return "year"
	}
	return strconv.Itoa(n) + " years"
}

// schoolmates: founders who went to the same school as the CEO of Acme.
func schoolmates(g *gen) (string, personIs) {
	who, ok := g.unique(hasJob, func(p *person) bool { return len(p.EducationHistory) > 0 })
	if !ok {
		return "", nil
	}
	mates := func(p *person) truth {
		for _, a := range p.EducationHistory {
			for _, b := range who.EducationHistory {
				if p != who && a.Institute == b.Institute {
					return yes
				}
			}
		}
		return no
	}
	target := who.name()
	if n, ok := g.chief(who.main()); ok && g.holders(who.main().company, n.is) == 1 {
		target = "the " + n.singular + " of " + who.main().company.core
	}
	_, _, n, ok := g.employee(func(p *person) bool { return mates(p) == yes })
	if !ok {
		return "", nil
	}
	same := pick(g, " who went to the same school as ", " who studied at the same university as ",
		" who attended the same school as ")
	if g.odds(30) {
		return "founders" + same + target, all(now(level("founder")), mates)
	}
	return n.plural + same + target, all(now(n.is), mates)
}

// returners: people who came back to Acme.
func returners(g *gen) (string, personIs) {
	twice := func(p *person, c *company) bool {
		n := 0
		for _, s := range p.stays {
			if s.company == c {
				n++
			}
		}
		return n > 1
	}
	p, ok := g.someone(func(p *person) bool { return len(p.stays) > 2 && twice(p, p.stays[0].company) })
	if !ok {
		return "", nil
	}
	c := p.stays[0].company
	return pick(g, "people who came back to ", "people who returned to ", "people who left and came back to ",
			"boomerang employees of ") + g.firmName(c), func(p *person) truth {
			t := no
			for _, s := range p.stays {
				if is := same(c)(s.company); is != no && twice(p, s.company) {
					t = max(t, is)
				}
			}
			return t
		}
}
