package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/frame"
)

// introduction asks for people who can introduce the asker to those of the first step.
func (t *teller) introduction() value {
	to := t.everyone()
	if len(to) == 0 {
		return nil
	}
	return value{{network: &networkAsk{degrees: []int{1}, strength: true, to: to}, spans: t.spans()}}
}

// everyone returns the facts of all steps.
func (t *teller) everyone() (out value) {
	for _, b := range t.steps {
		out = append(out, b.facts()...)
	}
	return out
}

// relation requires a relation to the people of the steps.
func (t *teller) relation() value {
	who, jobs := t.everyone(), value{}
	if t.says("CAREER_BREAK") {
		return t.make("break", nil, nil)
	}
	if len(who) == 0 {
		return nil
	}
	kind, ok := t.relationKind()
	if !ok {
		return nil
	}
	named := slices.ContainsFunc(who, func(f fact) bool { return f.name == query.FilterPersonName })
	if named && kind != prompt.SameSchool && kind != prompt.Like && kind != prompt.Knows {
		for i, f := range who {
			if f.name == query.FilterCompany && f.when == unsaid && !f.not {
				who[i].when = anyTime
				jobs = append(jobs, f)
			}
		}
	}
	span := who.allSpans()
	r := &relation{kind: kind, who: who, jobs: jobs, span: [2]int{span[0][0], span[len(span)-1][1]}}
	out := value{{relate: r, spans: t.spans()}}
	if kind == prompt.Knows && t.says("MUTUAL") {
		out = append(out, fact{network: &networkAsk{degrees: []int{1}}, spans: t.spans()})
	}
	return out
}

// relationKind returns the relation that the cues say.
func (t *teller) relationKind() (prompt.RelationKind, bool) {
	switch t.how {
	case frame.Knows:
		return prompt.Knows, true
	case frame.StudiedWith:
		return prompt.SameSchool, true
	case frame.WorkedWith:
		switch {
		case t.says("EXCOLLEAGUE", "EXCOLLEAGUES"):
			return prompt.FormerColleague, true
		case t.says("SAMECOMPANY"):
			return prompt.AtTheirCompany, true
		}
		return prompt.WorkedWith, true
	}
	switch {
	case t.says("FOUNDED_BY", "FOUNDED_IT", "COFOUNDERS"):
		return prompt.AtCompanyFounded, true
	case t.says("ALIKE"):
		return prompt.Like, true
	case t.says("SAMECOMPANY", "THEIR_NOW", "WHOSE"):
		return prompt.AtTheirCompany, true
	case t.says("THEIR_PAST"):
		return prompt.AtTheirPastCompany, true
	}
	return "", false
}

// network returns the facts of the asker's network.
func (s *resolver) network() (out value) {
	ask := &networkAsk{}
	var spans [][2]int
	for _, m := range s.marks {
		switch {
		case m.Kind != frame.Network:
			continue
		case m.Optional:
			s.ignored = append(s.ignored, [2]int{m.from, m.to})
			continue
		case m.Not:
			out = append(out, noteOf("no search leaves out the people of your network", [][2]int{{m.from, m.to}}))
			continue
		}
		for _, d := range degreesOf(m.Reach) {
			if !slices.Contains(ask.degrees, d) {
				ask.degrees = append(ask.degrees, d)
			}
		}
		spans = append(spans, [2]int{m.from, m.to})
	}
	if len(spans) == 0 {
		return out
	}
	slices.Sort(ask.degrees)
	s.networkWords(ask)
	return append(out, fact{network: ask, spans: spans})
}

// degreesOf returns the degrees of a part of the network.
func degreesOf(r frame.Reach) []int {
	switch r {
	case frame.FriendsOf:
		return []int{2}
	case frame.WholeNetwork:
		return []int{1, 2}
	}
	return []int{1}
}

// networkWords adds what phrases about the network say besides the degree: the order by strength, and the last contact.
func (s *resolver) networkWords(ask *networkAsk) {
	for from := range s.words {
		for to := from + 1; to <= s.words; to++ {
			for _, e := range s.cells[cell{s.networkSym, from, to}] {
				if len(e.val) != 1 || e.val[0].network == nil || e.val[0].network.to != nil || !s.isOfNetwork(from,
					to) {
					continue
				}
				n := e.val[0].network
				ask.strength = ask.strength || n.strength
				if n.since != nil && ask.since == nil {
					ask.since, ask.recent, ask.email = n.since, n.recent, n.email
				}
				s.use(e)
			}
		}
	}
}

// isInNetwork reports whether the words of a mark are part of a phrase about the network: my strongest contacts.
func (s *resolver) isInNetwork(m marked) (found bool) {
	isNetwork := func(i int) bool { return i >= 0 && s.marks[i].Kind == frame.Network }
	s.each(m, []string{"Network"}, func(e *edge) {
		found = found || s.isOfNetwork(e.from, e.to) && slices.ContainsFunc(s.owner[e.from:e.to], isNetwork)
	})
	return found
}

// isOfNetwork reports whether a span has words of no mark other than of the network, its order and the last contact.
func (s *resolver) isOfNetwork(from, to int) bool {
	kinds := []frame.Kind{frame.Network, frame.When, frame.Judgement}
	return s.allows(from, to, func(_ int, of marked) bool { return slices.Contains(kinds, of.Kind) })
}
