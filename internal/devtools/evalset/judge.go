package evalset

// judgements are patterns for judgements, which order people and exclude none; %s is the subject.
func judgements() []string {
	return []string{
		"rising stars among %s", "rising %s", "experienced %s", "well-connected %s", "the best %s", "top %s", "loyal %s",
		"talented %s", "great %s",
		"job hopping %s", "strong %s", "seasoned %s", "up-and-coming %s", "most experienced %s", "high-performing %s",
		"promising %s", "outstanding %s",
		"long-tenured %s", "%s who are rising stars", "%s who are job hoppers",
	}
}

// judged: rising stars among product managers in Berlin. All of them are correct, in some order.
func judged(g *gen) (string, personIs) {
	p, _, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	where := g.place(p)
	return fill(pick(g, judgements()...), n.plural+" in "+where.text), all(now(n.is), where.is)
}

// judgedAt: the best engineers at Acme.
func judgedAt(g *gen) (string, personIs) {
	_, j, n, ok := g.employee()
	if !ok {
		return "", nil
	}
	return fill(pick(g, judgements()[:14]...), n.plural+" at "+g.firmName(j.company)), now(all(n.is, at(same(j.company))))
}

// serial: serial founders in Berlin.
func serial(g *gen) (string, personIs) {
	p, _, ok := g.worker(func(p *person) bool { return p.main().title.levels["founder"] == yes })
	if !ok {
		return "", nil
	}
	where := g.place(p)
	return "serial " + pick(g, "founders", "entrepreneurs") + " in " + where.text, all(now(level("founder")), where.is)
}
