package taxonomy

import "slices"

// The levels of seniority, lowest first. Most positions have none: an Engineer or a Product Manager ranks between
// entry and senior.
const (
	LevelIntern   = "intern"
	LevelEntry    = "entry"
	LevelSenior   = "senior"
	LevelLead     = "lead"
	LevelManager  = "manager"
	LevelDirector = "director"
	LevelVP       = "vp"
	LevelCXO      = "cxo"
	LevelFounder  = "founder"
	LevelPartner  = "partner"
)

// Seniorities lists the levels, lowest first. The caller may modify the slice.
func Seniorities() []string {
	return []string{
		LevelIntern, LevelEntry, LevelSenior, LevelLead, LevelManager,
		LevelDirector, LevelVP, LevelCXO, LevelFounder, LevelPartner,
	}
}

// Levels returns every level of a job title from director up, highest first; otherwise its one lower level, or nothing.
//
//   - founder: founder and co-founder, but not a founding engineer or the assistant of a founder.
//   - cxo: a chief … officer, by any name or abbreviation, a chief executive, a president and a general counsel, but
//     not a chief of staff, architect or scientist.
//   - partner: holders of a share: partner (not business, talent or channel partner), owner, proprietor.
//   - vp: vice presidents of all grades.
//   - director: director, including managing and creative director, but not of photography or funerals; head of;
//     chief of staff, of police, of fire; the deputy of a chief officer; school principal, superintendent of
//     schools, dean.
//   - manager: managers of people: manager and supervisor, vice principal. A manager of a thing has no level:
//     product, program, project, account, community, brand, content, customer success and similar.
//   - lead: lead, team leader, principal, staff (of engineers and other experts), distinguished, fellow, chief
//     without officer.
//   - senior: senior.
//   - entry: junior, graduate, entry level, trainee, associate, but not in private equity, clinical or postdoctoral
//     research.
//   - intern: intern, working student.
//
// Words after "to", "for" and "office of" describe another person's position.
func Levels(title string) []string { return LevelsIn(TitleWords(title)) }

// LevelsIn is [Levels] for the words of a title, as [TitleWords] returns them.
func LevelsIn(ws []Word) []string {
	var found [8]string
	levels := found[:0]
	if isChiefOfficer(ws) {
		levels = append(levels, LevelCXO)
	}
	for start := 0; start < len(ws); {
		end := start + 1
		for end < len(ws) && !ws[end].apart {
			end++
		}
		if l := levelOf(own(ws[start:end])); l != "" && !slices.Contains(levels, l) && len(levels) < cap(levels) {
			levels = append(levels, l)
		}
		if i := other(ws[start:end]); i >= 0 && i+1 < end-start {
			break // the rest of the title belongs to the other person
		}
		start = end
	}
	return highest(levels)
}

// highest sorts levels, and keeps only the highest of those below director. Among those, intern wins: an intern stays
// one whatever team the title names.
func highest(levels []string) []string {
	if len(levels) == 0 {
		return nil
	}
	slices.SortFunc(levels, func(a, b string) int { return height(b) - height(a) })
	keep := 1
	for keep < len(levels) && height(levels[keep]) >= height(LevelDirector) {
		keep++
	}
	if slices.Contains(levels, LevelIntern) && height(levels[0]) < height(LevelDirector) {
		return []string{LevelIntern}
	}
	return slices.Clone(levels[:keep])
}

// height orders the levels. Founder ranks highest, so a founder who is also chief executive counts as a founder first.
func height(level string) int {
	switch level {
	case LevelFounder:
		return 10
	case LevelCXO:
		return 9
	case LevelPartner:
		return 8
	}
	return slices.Index(Seniorities(), level) + 1
}

// own removes the part of a title about another person: "assistant to the CEO".
func own(ws []Word) []Word {
	switch i := other(ws); {
	case i > 0:
		return ws[:i]
	case i == 0 && ws[0].Text == "office" && len(ws) > 1 && ws[1].Text == "of": // Engineer, Office of the CTO
		return nil
	}
	return ws
}

// other returns the start of another person's position, or -1. An office that somebody manages is not one.
func other(ws []Word) int {
	for i, w := range ws {
		managed := w.Text == "office" && i+1 < len(ws) &&
			oneOf(ws[i+1].Text, "manager", "director", "supervisor", "lead", "leader", "administrator", "assistant",
				"coordinator")
		if isOther(w) && !managed {
			return i
		}
	}
	return -1
}

func isOther(w Word) bool {
	return w.Text == "to" || w.Text == "for" || w.Text == "office" || w.Text == "supporting" || w.Text == "reporting"
}

// isChiefOfficer finds "chief … officer" with up to five words between, which "and" may join.
func isChiefOfficer(ws []Word) bool {
	for i, w := range ws {
		if isOther(w) && i > 0 {
			return false
		}
		if w.Text != "chief" {
			continue
		}
		for j := i + 1; j < len(ws) && j <= i+6; j++ {
			switch ws[j].Text {
			case "petty", "warrant", "to", "of":
				return false
			case "officer":
				isDeputy := oneOf(position{ws}.at(i-1), "deputy", "assistant", "associate")
				return !isAide(ws[len(ws)-1].Text) && !isDeputy
			}
		}
	}
	return false
}

// levelOf is the level of one position.
func levelOf(ws []Word) string {
	p := position{ws: ws}
	switch {
	case len(ws) == 0:
		return ""
	case p.intern():
		return LevelIntern
	case isAide(p.last()):
		return p.junior()
	case p.has("founder", "fundador", "fundadora", "fondateur", "fondatrice", "grunder", "grunderin"):
		return LevelFounder
	case p.partner():
		return LevelPartner
	case p.executive(), p.generalCounsel():
		return LevelCXO
	case p.after("vice", "president"):
		return LevelVP
	case p.president():
		return LevelCXO
	case p.director():
		return LevelDirector
	case p.manager():
		return LevelManager
	}
	return p.junior()
}

// isAide lists words that may follow another person's position: "CEO assistant".
func isAide(w string) bool {
	return oneOf(w, "assistant", "secretary", "aide", "associate", "coordinator", "receptionist", "club")
}
