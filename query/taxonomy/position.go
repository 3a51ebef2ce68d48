package taxonomy

import "slices"

// position is one position of a title, in normal form.
type position struct{ ws []Word }

func (p position) at(i int) string {
	if i < 0 || i >= len(p.ws) {
		return ""
	}
	return p.ws[i].Text
}

func (p position) last() string { return p.at(len(p.ws) - 1) }

// find returns the index of the first of the words, or -1.
func (p position) find(words ...string) int {
	for i := range p.ws {
		if oneOf(p.ws[i].Text, words...) {
			return i
		}
	}
	return -1
}

func (p position) has(words ...string) bool { return p.find(words...) >= 0 }

// after reports whether b directly follows a.
func (p position) after(a, b string) bool {
	for i := 1; i < len(p.ws); i++ {
		if p.ws[i].Text == b && p.ws[i-1].Text == a {
			return true
		}
	}
	return false
}

func oneOf(w string, words ...string) bool { return slices.Contains(words, w) }

func (p position) intern() bool {
	if i := p.find("intern", "internship", "praktikant", "praktikantin", "stagiaire", "stagista", "becario", "becaria",
		"coop", "werkstudent", "werkstudentin"); i >= 0 {
		return !oneOf(p.at(i+1), "program", "coordinator", "manager", "recruiter", "recruiting", "recruitment",
			"supervisor")
	}
	return p.after("working", "student") || p.after("summer", "analyst") || p.after("summer", "associate")
}

// partner reports a share in the firm; a word next to "partner" may mean another kind of partner.
func (p position) partner() bool {
	if i := p.find("partner"); i >= 0 {
		plain := oneOf(p.at(i+1), "", "at", "in", "of", "and", "emeritus")
		return plain && !oneOf(p.at(i-1), "business", "people", "talent", "channel", "finance", "customer", "learning",
			"technology",
			"client", "strategic", "delivery", "implementation", "solution", "success", "alliance", "recruitment",
			"acquisition", "sales",
			"development", "hr", "product", "marketing", "brand", "creative", "engineering", "legal", "commercial",
			"growth", "service", "engagement", "training", "media")
	}
	if p.has("proprietor") {
		return true
	}
	i := p.find("owner")
	return i >= 0 && !oneOf(p.at(i-1), "product", "process", "system", "service", "platform", "data", "risk", "feature",
		"application", "solution", "program", "project", "control", "technical", "api", "domain", "epic", "design")
}

func (p position) executive() bool {
	if p.after("chief", "executive") {
		return true
	}
	return p.has("cco", "cso", "cao", "cxo", "geschaftsfuhrer", "geschaftsfuhrerin", "geschaeftsfuehrer",
		"geschaeftsfuehrerin", "pdg") && len(p.ws) <= 4
}

func (p position) president() bool {
	i := p.find("president")
	return i >= 0 && !oneOf(p.at(i-1), "vice", "class", "student", "chapter", "club", "past", "former") &&
		!oneOf(p.at(i+1), "club")
}

// generalCounsel excludes associates and deputies of a general counsel.
func (p position) generalCounsel() bool {
	return p.after("general", "counsel") && !p.has("associate", "assistant", "deputy", "vice", "to")
}

func (p position) director() bool {
	if p.has("director", "directeur", "directrice", "direktor", "leiter", "leiterin", "diretor", "diretora",
		"directora") {
		return !p.after("funeral", "director") && !p.after("of", "photography") && !p.after("director", "photography")
	}
	if i := p.find("chief"); i >= 0 && p.at(i+1) == "of" && p.at(i+2) == "staff" {
		return true
	}
	if p.ofPolice() || p.ofSchool() {
		return true
	}
	if i := p.find("chief"); i > 0 && oneOf(p.at(i-1), "deputy", "associate", "assistant") && p.has("officer") {
		return true
	}
	i := p.find("head")
	return i >= 0 && !oneOf(p.at(i+1), "chef", "cook", "coach", "nurse", "teacher", "waiter", "waitress", "barista",
		"bartender", "gardener", "housekeeper", "baker", "butcher", "cashier", "lifeguard", "trainer", "instructor",
		"brewer", "pastry")
}

// ofPolice reports the chief of a police or fire department.
func (p position) ofPolice() bool {
	i := p.find("chief")
	if i < 0 || p.has("deputy", "assistant", "vice", "battalion", "division") {
		return false
	}
	return oneOf(p.at(i-1), "police", "fire") || p.at(i+1) == "of" && oneOf(p.at(i+2), "police", "fire")
}

// ofSchool reports the head of a school, of schools or of a faculty.
func (p position) ofSchool() bool {
	if p.has("assistant", "associate", "vice", "deputy") {
		return false
	}
	return p.after("school", "principal") || p.after("school", "superintendent") ||
		p.has("superintendent") && p.last() == "school" || p.has("dean")
}

// manager reports a manager of people, not of a thing.
func (p position) manager() bool {
	if p.after("vice", "principal") || p.after("assistant", "principal") || p.after("deputy", "principal") {
		return true
	}
	if p.has("supervisor", "foreman", "superintendent", "teamleiter", "teamleiterin", "gerente") {
		return true
	}
	i := p.find("manager")
	return i >= 0 && (p.at(i-2) == "group" || p.at(i-1) == "group" || !managesThing(p.at(i-1)))
}

// managesThing lists things that a manager may manage without managing people.
func managesThing(w string) bool {
	switch w {
	case "product", "program", "project", "account", "community", "brand", "content", "media", "campaign", "success",
		"relationship", "category", "case", "portfolio", "release", "implementation", "onboarding", "event", "bid",
		"contract", "proposal", "grant", "partner", "partnership", "alliance", "channel", "property", "asset", "fund",
		"investment", "wealth", "vendor", "territory", "renewal", "launch", "configuration", "change", "incident",
		"problem", "knowledge", "record", "document", "engagement", "client", "seo", "crm", "influencer", "newsletter":
		return true
	}
	return false
}

// junior returns the level below manager, or "".
func (p position) junior() string {
	switch {
	case p.lead():
		return LevelLead
	case p.has("senior"):
		return LevelSenior
	case p.entry():
		return LevelEntry
	}
	return ""
}

func (p position) lead() bool {
	if p.has("leader", "distinguished", "principal") {
		return true
	}
	if i := p.find("lead"); i >= 0 &&
		!oneOf(p.at(i+1), "generation", "gen", "nurture", "nurturing", "qualification", "generator") {
		return true
	}
	if i := p.find("chief"); i >= 0 && i+1 < len(p.ws) &&
		!oneOf(p.at(i-1), "deputy", "assistant", "associate", "vice", "in") {
		return !oneOf(p.at(i+1), "petty", "warrant")
	}
	if i := p.find("fellow"); i >= 0 && !oneOf(p.at(i-1), "research", "postdoctoral", "postdoc", "doctoral", "clinical",
		"teaching", "visiting", "legal", "graduate", "summer") {
		return true
	}
	return p.staff()
}

// staff reports a grade of experts; nurses, accountants and writers on the staff are ordinary employees.
func (p position) staff() bool {
	i := p.find("staff")
	if i < 0 || i+1 >= len(p.ws) || oneOf(p.at(i-1), "of", "support", "medical", "office", "technical", "kitchen",
		"bar", "general") {
		return false
	}
	return !oneOf(p.at(i+1), "nurse", "accountant", "writer", "assistant", "attorney", "officer", "sergeant", "member",
		"therapist",
		"pharmacist", "physician", "auditor", "photographer", "reporter", "chaplain", "rn", "psychologist", "counsel",
		"manager", "development", "augmentation")
}

func (p position) entry() bool {
	if p.has("junior", "trainee", "apprentice", "fresher", "apprenti", "auszubildender") || p.after("entry", "level") {
		return true
	}
	if i := p.find("graduate"); i >= 0 {
		return !oneOf(p.at(i+1), "student", "recruiter", "recruitment", "school", "program", "researcher", "research",
			"teaching")
	}
	i := p.find("associate")
	if i > 1 && (oneOf(p.at(i-1), "equity", "capital") ||
		p.at(i-1) == "research" && oneOf(p.at(i-2), "clinical", "postdoctoral", "postdoc")) {
		return false
	}
	return i >= 0 && (i == 0 || i == len(p.ws)-1) &&
		!oneOf(p.at(i+1), "professor", "dean", "editor", "producer", "counsel", "general", "pastor", "principal",
			"justice",
			"provost", "head")
}
