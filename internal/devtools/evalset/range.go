package evalset

import "strconv"

// headcounts: accountants at companies with fewer than 50 employees.
func headcounts(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	words, is := g.sizes(j.company)
	if words == "" {
		return "", nil
	}
	where := g.place(p)
	firms := pick(g, " at companies ", " at companies ", " working at companies ", " in companies ")
	if g.odds(50) {
		return n.plural + " in " + where.text + firms + words, all(where.is, now(all(n.is, at(is))))
	}
	return n.plural + firms + words + " in " + where.text, all(now(all(n.is, at(is))), where.is)
}

// experiences: designers with 10+ years of experience.
func experiences(g *gen) (string, personIs) {
	p, _, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	years := g.yearsSince(p.jobs[0].start.first)
	where := g.place(p)
	subject := all(now(n.is), where.is)
	text := n.plural + " in " + where.text + " with "
	switch g.IntN(5) {
	case 0:
		low := max(years-g.IntN(4), 1)
		return text + strconv.Itoa(low) + pick(g, "+ years of experience", "+ years experience"),
			all(subject, g.experience(low, many))
	case 1:
		low := max(years-1-g.IntN(4), 1)
		return text + pick(g, "more than ", "over ") + strconv.Itoa(low) + " years of experience",
			all(subject, g.moreThan(low))
	case 2:
		return text + "at least " + strconv.Itoa(max(years, 1)) + " years of experience",
			all(subject, g.experience(max(years, 1), many))
	case 3:
		high := years + 1 + g.IntN(3)
		return text + pick(g, "less than ", "under ", "fewer than ") + strconv.Itoa(high) + " years of experience",
			all(subject, g.experience(0, high-1))
	}
	low := max(years-2, 1)
	return text + strconv.Itoa(low) + pick(g, "-", " to ") + strconv.Itoa(low+5) + " years of experience",
		all(subject, g.upTo(low, low+5))
}

// moreThan years: it is open for people with exactly that many full years, who have more
// in the strict sense, but not in the usual count.
func (w *world) moreThan(years int) personIs {
	sure, edge := w.experience(years+1, many), w.experience(years, years)
	return func(p *person) truth { return max(sure(p), min(maybe, edge(p))) }
}

// upTo leaves the last year of a range open: it may count when it has begun or when it is complete.
func (w *world) upTo(low, high int) personIs {
	sure, edge := w.experience(low, high-1), w.experience(high, high)
	return func(p *person) truth { return max(sure(p), min(maybe, edge(p))) }
}

// tenures: recruiters who joined Acme in the last 2 years.
func tenures(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	years := g.yearsSince(j.stay.start.first)
	firm, here := g.firmName(j.company), at(same(j.company))
	year := j.stay.start.first.Year()
	where := g.place(p)
	switch g.IntN(5) {
	case 0:
		high := years + 1
		return "people who joined " + firm + " in the last " + strconv.Itoa(high) + " years",
			now(all(here, g.tenure(0, high-1)))
	case 1:
		since := func(j *job) truth {
			switch {
			case !j.stay.current || j.stay.start.last.Year() < year:
				return no
			case j.stay.start.first.Year() >= year:
				return yes
			}
			return maybe
		}
		return "people who joined " + firm + " since " + strconv.Itoa(year), now(all(here, since))
	case 2:
		low := max(years, 1)
		return n.plural + " in " + where.text + " who have been at their company for " + pick(g, "at least ", "more than ") +
			strconv.Itoa(low) + " years", all(where.is, g.edge(n.is, low))
	case 3:
		high := max(years+1, 2)
		return n.plural + " in " + where.text + " who joined their company in the last " + strconv.Itoa(high) + " years",
			all(where.is, now(all(n.is, g.tenure(0, high-1))))
	}
	low := max(years, 1)
	return "people who have worked at " + firm + " for " + strconv.Itoa(low) + "+ years",
		now(all(here, g.tenure(low, many)))
}

// edge leaves open whether "more than" includes exactly that many years.
func (g *gen) edge(is jobIs, low int) personIs {
	sure, open := now(all(is, g.tenure(low+1, many))), now(all(is, g.tenure(low, low)))
	return func(p *person) truth { return max(sure(p), min(maybe, open(p))) }
}

// foundings: CTOs of companies founded after 2015.
func foundings(g *gen) (string, personIs) {
	p, j, n, ok := g.employee()
	year := 0
	if ok {
		year = j.company.FoundedYear
	}
	if year == 0 {
		return "", nil
	}
	where := g.place(p)
	var words string
	var is firmIs
	switch g.IntN(5) {
	case 0:
		words, is = "founded after "+strconv.Itoa(year-1), founded(year, 3000)
	case 1:
		words, is = "founded before "+strconv.Itoa(year+1), founded(0, year)
	case 2:
		words, is = "founded in "+strconv.Itoa(year), founded(year, year)
	case 3:
		words, is = "founded since "+strconv.Itoa(year), founded(year, 3000)
	default:
		words, is = "founded between "+strconv.Itoa(year-2)+" and "+strconv.Itoa(year+2), founded(year-2, year+2)
	}
	return n.plural + " in " + where.text + " at companies " + words, all(where.is, now(all(n.is, at(is))))
}
