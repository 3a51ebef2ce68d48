package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// unknownScore is what a word without a meaning is worth: a reading must be
// better to be taken.
const unknownScore = 1

// score rates a reading by its prior, its length and what stands beside it. A
// reading of several words is worth more than its words one by one.
func (l *Lattice) score(s Span, prior float64) float64 {
	n := float64(s.Len())
	more := 2.5
	if s.Sense.ByRule || s.Is(Name, Named) {
		more = 1.2
	}
	group := s.Group()
	if s.Type == lexicon.Cue {
		group = GroupOther
	}
	score := n*(0.5+0.5*prior) + more*(n-1) + l.byCue(s) + l.byName(s, group) + l.byLanguage(s) + l.byGroup(s, group) + l.byExperience(s, group)
	score -= choose(group != GroupOther && s.Len() == 1 && l.namesTime(s.From), 8, 0) // for the June issue
	return score + fits(l.leftCue(s.From), group) + l.right(s.To, group) + l.written(s, group)
}

// byCue rates a cue by what stands behind it.
func (l *Lattice) byCue(s Span) (score float64) {
	if s.Type != lexicon.Cue {
		return 0
	}
	if s.To < len(l.Tokens) && l.Tokens[s.To].Tight() && isPreposition(cue.Cue(s.Sense.Name)) {
		score -= 3 // in-house
	}
	score += choose(s.Sense.Name == string(cue.Soft) && l.agrees(s.From), 4, 0) - choose(l.isOffice(s), 6, 0)
	if l.key(s.From, s.To) == "heads" && (l.apart(s.To) || slices.ContainsFunc(cue.Find(l.Tokens[s.To].Norm), isPreposition)) {
		score -= 3 // game studio heads in Montreal
	}
	return score
}

// byName rates what is named, by hyphens and titles of courtesy.
func (l *Lattice) byName(s Span, group Group) (score float64) {
	if (group == GroupCompany || group == GroupPlace || group == GroupName) && l.cutsHyphen(s) {
		score -= 2
	}
	if group != GroupName {
		return score
	}
	score -= choose(l.smallAmong(s), 5, 0)
	score += choose(s.From > 0 && isHonorific(l.Tokens[s.From-1].Norm), 5, 0)
	score -= choose(l.leftCue(s.From) == cue.Of && l.letters.mixed && !l.Tokens[s.From].Capital(), 5, 0) // managers of dog parks
	score -= choose(l.Tokens[s.From].Tight() && len(cue.Find(l.Tokens[s.From-1].Norm)) == 0, 3, 0)
	return score - choose(s.From > 0 && l.Tokens[s.From-1].Norm == "from" && l.leftCue(s.From) == cue.Studied, 4, 0) // who graduated from Osgoode Hall
}

// longMessage is from how many words on names have capitals, where any word has one.
const longMessage = 12

// smallAmong reports whether words are all without a capital in a message that has some: have
// done concert halls before.
func (l *Lattice) smallAmong(s Span) bool {
	return l.letters.mixed && len(l.Tokens) >= longMessage && s.Len() > 1 && !slices.ContainsFunc(l.Tokens[s.From:s.To], token.Token.Capital)
}

// byLanguage rates a word that is a language as well as a nationality.
func (l *Lattice) byLanguage(s Span) float64 {
	c, spoken := l.leftCue(s.From), l.spoken(s.From, s.To)
	switch s.Type {
	case lexicon.Nationality: // a keynote in English
		return choose(spoken || (c == cue.In || c == cue.With) && l.apart(s.To), -6, 0)
	case lexicon.Language: // with English; sales, Toronto, German
		score := choose(spoken || c == cue.With && l.apart(s.To), 5, 0)
		return score + choose(l.standsAlone(s.From, s.To) || l.aboutLanguages() || l.demanded(s.To) || l.closes(s.From, s.To), 5, 0)
	}
	return 0
}

// byGroup rates a reading by what only readings of its group have beside them.
func (l *Lattice) byGroup(s Span, group Group) (score float64) {
	switch group {
	case GroupPlace: // ex-Nokia engineers
		score -= choose(s.Type == lexicon.State && (l.isWorkerIn(s.From, s.To) || l.agrees(s.From)), 6, 0)
		score -= choose(l.behindEx(s.From) && s.Type == lexicon.City || l.isEmployer(s), 6, 0)
		score -= choose(s.Type == lexicon.Country && l.cutsAlias(s), 6, 0)                                                 // in the US Navy
		score -= choose(s.Type == lexicon.State && len(l.Tokens[s.From].Norm) == 2 && l.experienceAt(s.To), 6, 0)          // MRI and CT experience
		score += choose(l.experienceIn(s.From) && (s.Len() > 1 || l.endsAt(s.From-1, lexicon.MaxWords, isQuantity)), 4, 0) // in Latin America
	case GroupRole:
		score -= choose(s.Len() > 2 && l.cutsCompanies(s), 10, 0)
		score -= choose(s.Len() == 1 && l.isMastered(s.From, s.To), 3, 0)
		score -= choose(l.isStudied(s.From, s.To), 9, 0)
		score += choose(s.Type == lexicon.Seniority && l.key(s.From, s.To) == "graduate", 4, 0)
		score -= choose(s.To < len(l.Tokens) && l.key(s.From, s.To) == "associate" && l.Tokens[s.To].Norm == "degree", 9, 0)
	case GroupStudy:
		score += choose(l.experienceIn(s.From) && !l.means(s.From, s.To, ofWork), 4.5, 0)
		score -= choose(s.Type == lexicon.Degree && l.key(s.From, s.To) == "high school" && l.besideTitle(s.From, s.To), 12, 0)
		score += choose(l.behindDegree(s.From, "in", "of"), 3.5, 0)
		score += choose(l.isTaught(s.From), 3.5, 0)
		score += choose(s.Type == lexicon.Degree && (l.isHeld(s.From) || l.studyBehind(s.To)), 6, 0)
	case GroupCompany: // her LinkedIn
		score += choose(s.Type == lexicon.CompanyAlias && s.Len() > 1, 1.5, 0)
		score -= choose(l.isImperative(s), 6, 0) + choose(l.heldWith(s), 9, 0)
		score -= choose(s.From > 0 && l.Tokens[s.From-1].Possessive, 4, 0)
	case GroupSchool: // a PhD from Oxford, which is a city, too
		score -= choose(l.isGermanWith(s), 9, 0)
		score -= choose(l.isTown(s), 3, 0)
		score += choose(l.cameFrom(s), 4, 0)
		score += choose(l.behindDegree(s.From, "from", "at"), 4, 0)
	case GroupIndustry: // founders building AI tools
		score += choose(l.experienceIn(s.From), 3.5, 0)
		score -= choose(s.Len() == 1 && l.isVerb(s.From), 9, 0)
		score += choose(l.employs(s) || l.employsOne(s), 9, 0)
		score += choose(isCause(s.Sense), 4, 0) + choose(l.companiesFocus(s.From), 3, 0)
	}
	return score
}

// cutsCompanies reports whether a title ends within the name of a kind of companies:
// directors of private equity firms.
func (l *Lattice) cutsCompanies(s Span) bool {
	if !l.joined(s.From, s.To+1) {
		return false
	}
	industry := func(o lexicon.Sense) bool { return groupOf(o.Type) == GroupIndustry }
	for at := s.From + 1; at < s.To; at++ {
		if slices.ContainsFunc(l.lex.Senses(l.phrases.norms[at:s.To+1]), industry) {
			return true
		}
	}
	return false
}

// employs reports whether a title in the plural stands for the companies that such
// people have: CFOs at property managers, surveyors working for contractors.
func (l *Lattice) employs(s Span) bool {
	if s.From == 0 || !strings.HasSuffix(l.Tokens[s.To-1].Norm, "s") || !s.Sense.NeedsCue && !l.isRole(s.From, s.To) {
		return false
	}
	c := l.leftCue(s.From)
	if c == cue.From && s.From > 1 && strings.HasPrefix(l.Tokens[s.From-2].Norm, "com") { // who come from freight forwarders
		return true
	}
	return c == cue.At || l.worksFor(s.From) || s.Len() > 1 && l.isRole(s.From, s.To) && l.ofChief(s.From)
}

// besideTitle reports whether a title stands beside a span: high school teachers.
func (l *Lattice) besideTitle(from, to int) bool {
	return l.titleBegins(to) || from > 0 && l.titleEnds(from)
}

// isVerb reports whether "building" or "investing" says what people do, not in which
// industry: those whom it is said of stand before it, and no noun for companies behind.
func (l *Lattice) isVerb(at int) bool {
	if w := l.Tokens[at].Norm; w != "building" && w != "investing" || at == 0 || at+1 == len(l.Tokens) || l.apart(at) || l.apart(at+1) {
		return false
	}
	switch l.Tokens[at+1].Norm {
	case "companies", "company", "firms", "firm", "industry", "sector", "materials", "products", "contractors", "and", "or", "trades", "trade", "services":
		return false
	}
	return l.endsAt(at, lexicon.MaxWords, func(s Span) bool {
		return s.InGroup(GroupRole, GroupPlace, GroupIndustry, GroupCompany) || s.Type == lexicon.CompanyWord
	})
}

// experienceIn reports whether "experience in" or "background in" stands before a
// token: of an industry as well as of a skill.
func (l *Lattice) experienceIn(at int) bool {
	if at < 2 || l.Tokens[at-1].Norm != "in" {
		return false
	}
	return lexicon.IsExperience(l.Tokens[at-2].Norm)
}

func isQuantity(s Span) bool { return s.Type == Quantity }

// isPreposition reports whether a cue stands before a noun, which no hyphen
// joins to it.
func isPreposition(c cue.Cue) bool {
	switch c {
	case cue.In, cue.At, cue.For, cue.From, cue.Of, cue.With, cue.By, cue.As:
		return true
	}
	return false
}

// behindDegree reports whether a degree and one of some words stand before a
// token.
func (l *Lattice) behindDegree(at int, words ...string) bool {
	if at < 2 || !slices.Contains(words, l.Tokens[at-1].Norm) {
		return false
	}
	return l.endsAt(at-1, lexicon.MaxWords, func(s Span) bool { return s.Type == lexicon.Degree })
}

// hasCue reports whether the words beside a span, or its capitals, speak for a
// reading of a group.
func (l *Lattice) hasCue(from, to int, group Group) bool {
	if fits(l.leftCue(from), group) >= 1 || l.right(to, group) >= 1 {
		return true
	}
	// The first word may have a capital for being the first.
	if l.letters.mixed && l.capitals(from, to) && (from > 0 || l.Tokens[0].Shout()) {
		return true
	}
	if from == 0 {
		return false
	}
	listed := l.Tokens[from].Comma() || l.Tokens[from].Slash() || isJoin(l.Tokens[from-1].Norm)
	if group != GroupPlace && !listed {
		return false
	}
	return l.endsBefore(from, group, listed)
}

// endsBefore reports whether a reading of the group stands right before a token,
// but for a conjunction.
func (l *Lattice) endsBefore(at int, group Group, listed bool) bool {
	if listed && isJoin(l.Tokens[at-1].Norm) {
		at--
	}
	return l.endsAt(at, lexicon.MaxWords, func(s Span) bool {
		return s.Group() == group && s.Score > unknownScore*float64(s.Len())
	})
}

func isJoin(w string) bool {
	switch w {
	case "and", "or", "nor", "und", "oder", "ou", "et":
		return true
	}
	return false
}

func (l *Lattice) findLeftCue(at int) cue.Cue {
	for skipped := 0; at > 0 && skipped < 3; skipped++ {
		if t := l.Tokens[at]; t.Comma() || t.Stop() {
			return cue.None
		}
		for n := min(4, at); n > 0; n-- {
			if l.joined(at-n, at) && (n == 1 || !l.endsWords(at-n)) {
				if named := cue.Find(l.key(at-n, at)); len(named) > 0 && named[0] != cue.Both && !l.sought(at) {
					return named[0]
				}
			}
		}
		if !passedOver(l.Tokens[at-1].Norm) {
			return cue.None
		}
		at--
	}
	return cue.None
}

// sought reports whether "looking for" or the like ends before a token: who is looked for
// stands there, no employer.
func (l *Lattice) sought(at int) bool {
	if at < 2 || l.Tokens[at-1].Norm != "for" {
		return false
	}
	switch l.Tokens[at-2].Norm {
	case "looking", "look", "searching", "search", "hunting", "hunt":
		return true
	}
	return false
}

// endsWords reports whether a token is the last of a title of several words: the
// specialists of "IT specialists in Cyprus" are not those in something.
func (l *Lattice) endsWords(at int) bool {
	return l.endsAt(at+1, lexicon.MaxWords, func(s Span) bool { return s.Type == lexicon.Role && s.Len() > 1 })
}

func passedOver(w string) bool {
	switch w {
	case "the", "a", "an", "both", "any", "some", "another", "other", "big", "our", "their", "greater", "either", "like", "say", "companies", "company", "eg", "one", "several", "various", "many", "client", "employer", "competitor":
		return true
	}
	return false
}

// right rates a reading by the word behind it.
func (l *Lattice) right(at int, group Group) float64 {
	if at >= len(l.Tokens) || l.Tokens[at].Comma() || l.Tokens[at].Stop() {
		return 0
	}
	w := l.Tokens[at].Norm
	if group == GroupSchool || group == GroupPlace {
		if bonus, ok := l.ofGraduates(at); ok {
			return choose(group == GroupSchool, bonus, -bonus/2)
		}
	}
	if isJoin(w) && group == GroupSchool && l.alumniBehind(at+1) {
		return 4
	}
	if isAlumni(w) {
		return byAlumni(group, strings.HasPrefix(w, "grad"))
	}
	switch w {
	case "based", "headquartered":
		return pick(group, GroupPlace, 2.5)
	case "companies", "company", "startups", "startup", "firms", "firm", "industry", "sector", "space", "agencies", "businesses", "world", "vertical", "organizations", "providers", "vendors":
		switch group {
		case GroupIndustry:
			return 1.5
		case GroupPlace:
			return 0.5
		case GroupName:
			return -2
		}
	case "people", "team", "employees", "folks", "staff", "department", "org", "professionals", "teams", "leaders", "leadership", "decision", "executives", "execs":
		switch group {
		case GroupFunction:
			return 1
		case GroupCompany, GroupIndustry:
			return 0.5
		}
	case "skills", "skill", "experience", "knowledge", "certification", "certified", "qualified", "expertise":
		if group == GroupStudy {
			return -2
		}
		return pick(group, GroupSkill, 1.5)
	case "degree", "degrees", "diploma":
		switch group {
		case GroupStudy:
			return 3
		case GroupIndustry, GroupFunction:
			return -3
		}
	case "phd", "phds", "msc", "bsc", "required", "holders", "holder":
		return pick(group, GroupStudy, 3)
	case "background", "backgrounds":
		return pick(group, GroupFunction, 1) - pick(group, GroupStudy, 2) - pick(group, GroupSkill, 1)
	case "migration", "migrations", "rollout", "rollouts", "implementations", "upgrade", "upgrades": // an SAP migration
		return pick(group, GroupSkill, 2) + pick(group, GroupCompany, -4)
	case "area", "metro", "region":
		return pick(group, GroupPlace, 0.5)
	}
	return 0
}

// ofGraduates reports whether a degree, or what was studied and a word for
// graduates, begins at a token, and how much that speaks for a school before it:
// Oxford PPE graduates, Cambridge PhDs.
func (l *Lattice) ofGraduates(at int) (bonus float64, ok bool) {
	for n := 1; n <= 3 && l.joined(at, at+n); n++ {
		for _, s := range l.lex.Senses(l.phrases.norms[at : at+n]) {
			switch {
			case s.Type == lexicon.Degree && !s.NeedsCue:
				bonus, ok = 3, true
			case s.Type == lexicon.FieldOfStudy && l.joined(at, at+n+1) && isAlumni(l.Tokens[at+n].Norm), s.Type == lexicon.FieldOfStudy && isAlumni(l.Tokens[at+n-1].Norm):
				return 5, true
			}
		}
	}
	return bonus, ok
}

func isAlumni(w string) bool {
	switch w {
	case "alumni", "alumnus", "alumna", "alums", "alum", "alumnae", "graduates", "graduate", "grads", "grad":
		return true
	}
	return false
}

func pick(group, want Group, bonus float64) float64 {
	if group == want {
		return bonus
	}
	return 0
}

func choose(is bool, yes, no float64) float64 {
	if is {
		return yes
	}
	return no
}
