package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// isCause reports whether an industry is one that words mean only as what a nonprofit works
// for: environmental charities dispose of no waste.
func isCause(s lexicon.Sense) bool {
	return s.Type == lexicon.Industry && strings.HasSuffix(s.Name, "_cause")
}

// nonprofitBegins reports whether a noun for nonprofits stands at a token.
func (l *Lattice) nonprofitBegins(at int) bool {
	return l.ahead(at, 3, func(_ int, senses []lexicon.Sense) bool {
		return slices.ContainsFunc(senses, func(s lexicon.Sense) bool { return s.Type == lexicon.CompanyKind && s.Name == "nonprofit" })
	})
}

// employsOne reports whether "at a" or the like stands before an abbreviation of companies
// that is the title of a chief as well: project managers at a CRO.
func (l *Lattice) employsOne(s Span) bool {
	if s.Type != lexicon.Industry || !s.Sense.NeedsCue || s.From < 3 || !l.Tokens[s.From-1].Article() {
		return false
	}
	at := s.From - 2
	return l.leftCue(s.From) == cue.At && (l.titleEnds(at) || strings.HasPrefix(l.Tokens[at-1].Norm, "work"))
}

// companiesFocus reports whether companies are said to focus on what stands at a token: startups
// focused on AI.
func (l *Lattice) companiesFocus(at int) bool {
	if at < 3 || l.Tokens[at-1].Norm != "on" || !strings.HasPrefix(l.Tokens[at-2].Norm, "focus") {
		return false
	}
	return l.endsAt(at-2, lexicon.MaxWords, func(s Span) bool { return s.Is(lexicon.CompanyKind, lexicon.CompanyWord) })
}

// behindRecruiters reports whether those whom agencies of staff employ or place stand shortly
// before a token: recruiters at agencies.
func (l *Lattice) behindRecruiters(at int) bool {
	for i := at - 1; i >= max(0, at-5) && !l.Tokens[i+1].Apart(); i-- {
		for _, begin := range []string{"recruiter", "headhunter", "nurse", "midwi"} {
			if strings.HasPrefix(l.Tokens[i].Norm, begin) {
				return true
			}
		}
	}
	return false
}

// isSeedOfPlants reports whether "seed" and no stage of funding is meant: at seed companies, in
// a prompt about farming.
func (l *Lattice) isSeedOfPlants(from, to int) bool {
	switch l.Tokens[to-1].Norm {
	case "seed":
		return l.ofFarming() && (to == len(l.Tokens) || !strings.HasPrefix(l.Tokens[to].Norm, "sta") && !strings.HasPrefix(l.Tokens[to].Norm, "round"))
	case "company", "companies", "firm", "firms", "business", "businesses":
		return to == from+2 && !l.Tokens[to-1].Tight() && l.ofFarming()
	}
	return false
}

// ofFarming reports whether a word of the prompt is about what grows on fields.
func (l *Lattice) ofFarming() bool {
	roots := farming()
	return slices.ContainsFunc(l.Tokens, func(t token.Token) bool {
		return slices.ContainsFunc(roots, func(root string) bool { return strings.HasPrefix(t.Norm, root) })
	})
}

// farming are the beginnings of words about what grows on fields.
func farming() []string {
	return []string{"agro", "agri", "agtech", "crop", "farm", "breed", "horticult", "soil", "grain", "fertili", "pesticid", "herbicid", "vegetable", "wheat", "maize", "corn", "soy", "potato", "irrigat", "germplasm", "greenhouse", "orchard", "arable"}
}

// agrees reports whether "OK" ends a sentence of its own that says who will do, too: Java developer
// in Prague. Freelancers OK.
func (l *Lattice) agrees(at int) bool {
	from := at
	for from > 0 && !l.Tokens[from].Stop() {
		from--
	}
	return l.Tokens[at].Norm == "ok" && from > 0 && l.titleEnds(at) && (at+1 == len(l.Tokens) || l.apart(at+1))
}

// ofChief reports whether who leads companies stands before "of" and a token: CEOs of toy makers.
func (l *Lattice) ofChief(at int) bool {
	if at > 0 && l.means(at-1, at, func(s Span) bool { return s.Type == lexicon.Nationality }) {
		at--
	}
	if at == 0 || l.Tokens[at-1].Norm != "of" {
		return false
	}
	return l.endsAt(at-1, 3, func(s Span) bool { return s.Is(lexicon.CRole, lexicon.Founder) })
}
