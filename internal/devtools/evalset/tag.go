package evalset

import (
	"slices"
	"strings"
)

// rolesInPlaces: backend engineers in Berlin.
func rolesInPlaces(g *gen) (string, personIs) {
	p, _, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	where := g.place(p)
	text := pick(g, n.plural+" "+g.in(where), n.plural+" in "+where.text, n.singular+" in "+where.text,
		where.text+" "+n.plural)
	return text, all(now(n.is), where.is)
}

// regions: product managers in the Nordics.
func regions(g *gen) (string, personIs) {
	p, _, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	where := g.area(p)
	return n.plural + " " + g.in(where), all(now(n.is), where.is)
}

// functionNames are the names of functions in prompts.
func functionNames() map[string][]string {
	return map[string][]string{
		"engineering": {"engineering people", "people in engineering", "the engineering team"},
		"product":     {"product people", "people in product", "the product team"},
		"design":      {"design people", "people in design", "the design team"},
		"data":        {"data people", "the data team"},
		"marketing": {
			"marketing people", "people in marketing", "marketers", "the marketing team",
			"people who work in marketing",
		},
		"sales":     {"sales people", "people in sales", "the sales team", "salespeople", "people who work in sales"},
		"finance":   {"finance people", "people in finance", "the finance team"},
		"people_hr": {"HR people", "people in HR", "the HR team", "human resources people"},
		"legal":     {"legal people", "the legal team", "people in legal"},
		"security":  {"security people", "the security team"},
		"support":   {"the customer support team", "customer support people"},
		"customer_success": {
			"customer success people", "people in customer success", "the customer success team",
		},
		"operations": {"operations people", "people in operations", "the operations team"},
	}
}

// functions: marketing people in Berlin, the finance team at Acme.
func functions(g *gen) (string, personIs) {
	p, j, ok := g.worker()
	if !ok {
		return "", nil
	}
	for name, sure := range j.title.functions {
		words := functionNames()[name]
		if sure != yes || len(words) == 0 || len(j.title.functions) > 1 {
			continue
		}
		subject := pick(g, words...)
		if g.odds(50) {
			return subject + " at " + g.firmName(j.company), now(all(works(name), at(same(j.company))))
		}
		where := g.place(p)
		if strings.HasPrefix(subject, "the ") {
			subject = words[0]
		}
		return subject + " in " + where.text, all(now(works(name)), where.is)
	}
	return "", nil
}

// seniorities: senior data scientists in Spain, directors at Acme.
func seniorities(g *gen) (string, personIs) {
	if g.odds(45) {
		return levels(g)
	}
	p, j, ok := g.worker()
	if !ok {
		return "", nil
	}
	n, ok := g.role(j)
	if !ok {
		return "", nil
	}
	for _, word := range []string{"senior", "junior", "staff", "principal", "lead"} {
		if narrowed(word)(j) != yes {
			continue
		}
		where := g.place(p)
		spelled := word
		if word == "senior" {
			spelled = pick(g, "senior", "senior", "Sr.", "sr")
		}
		return spelled + " " + n.plural + " in " + where.text, all(now(all(n.is, narrowed(word))), where.is)
	}
	return "", nil
}

// levels: C-level people in Sweden, VPs at Acme.
func levels(g *gen) (string, personIs) {
	p, j, ok := g.worker()
	if !ok {
		return "", nil
	}
	names := map[string][]string{
		"cxo":     {"C-level people", "C-level executives", "C-suite executives", "chief officers"},
		"founder": {"founders", "founders and co-founders", "people who are founders"},
		"vp":      {"VPs", "vice presidents"}, "director": {"directors"}, "intern": {"interns"},
	}
	for level1, sure := range j.title.levels {
		words := names[level1]
		if sure != yes || len(words) == 0 || len(j.title.levels) > 1 {
			continue
		}
		is := level(level1)
		if level1 == "cxo" {
			// Some readers include founders with a chief's title.
			is = anyOf(is, func(j *job) truth { return min(maybe, j.title.levels["founder"]) })
		}
		if g.odds(50) {
			return pick(g, words...) + " at " + g.firmName(j.company), now(all(is, at(same(j.company))))
		}
		where := g.place(p)
		return pick(g, words...) + " " + g.in(where), all(now(is), where.is)
	}
	return "", nil
}

// heads: head of marketing at Acme, who runs sales in Spain.
func heads(g *gen) (string, personIs) {
	p, j, ok := g.worker()
	if !ok {
		return "", nil
	}
	words := map[string]string{
		"engineering": "engineering", "marketing": "marketing", "sales": "sales",
		"product": "product", "finance": "finance", "design": "design", "data": "data", "legal": "legal",
		"security": "security", "operations": "operations",
	}
	for name, sure := range j.title.functions {
		if sure != yes || words[name] == "" || directorUp()(j) != yes {
			continue
		}
		is := all(works(name), directorUp())
		if g.odds(50) {
			return pick(g, "head of ", "heads of ", "who runs ", "who leads ") + words[name] + " at " + g.firmName(j.company),
				now(all(is, at(same(j.company))))
		}
		where := g.place(p)
		return pick(g, "heads of ", "people who lead ", "people who run ") + words[name] + " in " + where.text,
			all(now(is), where.is)
	}
	return "", nil
}

// atCompanies: accountants at Acme, who works at Acme.
func atCompanies(g *gen) (string, personIs) {
	_, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	firm := g.firmName(j.company)
	here := at(same(j.company))
	switch g.IntN(8) {
	case 0:
		return pick(g, "who works at ", "people at ", "people who work for ", "everyone at ", "employees of ") + firm,
			now(here)
	case 1:
		return n.plural + " working for " + firm, now(all(n.is, here))
	case 2:
		return n.singular + " @ " + firm, now(all(n.is, here))
	case 3:
		return firm + "'s " + n.plural, now(all(n.is, here))
	case 4:
		if j.company.Domain == "" {
			return "", nil
		}
		return n.plural + " at " + j.company.Domain,
			now(all(n.is, func(j2 *job) truth { return when(j2.company == j.company) }))
	}
	return n.plural + " at " + firm, now(all(n.is, here))
}

// knows holds for people who list a skill. It is open for people whose text mentions it.
func knows(skill string) personIs {
	skill = plain(skill)
	parts := strings.Fields(skill)
	return func(p *person) truth {
		switch {
		case slices.ContainsFunc(p.Skills, func(s string) bool { return plain(s) == skill }):
			return yes
		case slices.ContainsFunc(parts, func(w string) bool { return !strings.Contains(p.text, w) }):
			return no
		}
		return maybe
	}
}

// skills: people who know Kubernetes in Berlin.
func skills(g *gen) (string, personIs) {
	p, _, n, ok := g.employee(func(p *person) bool { return len(p.Skills) > 1 })
	if !ok {
		return "", nil
	}
	a := pick(g, p.Skills...)
	where := g.place(p)
	switch g.IntN(5) {
	case 0:
		return "people who know " + a + " in " + where.text, all(knows(a), where.is)
	case 1:
		return n.plural + " with " + a + " skills in " + where.text, all(now(n.is), knows(a), where.is)
	case 2:
		return n.plural + " skilled in " + a + " " + g.in(where), all(now(n.is), knows(a), where.is)
	case 3:
		b := pick(g, p.Skills...)
		if a == b {
			return "", nil
		}
		return n.plural + " who know " + a + " and " + b, all(now(n.is), anyOf(knows(a), knows(b)))
	}
	return n.plural + " experienced with " + a + " in " + where.text, all(now(n.is), knows(a), where.is)
}
