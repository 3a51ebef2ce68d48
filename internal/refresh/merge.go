package refresh

import (
	"cmp"
	"slices"
	"strings"

	"kith"
	"kith/index/analysis"
	"kith/index/load"
)

// Merge makes one person of what is stored and what is fresh. Of each field the
// newer of the two counts, unless it is absent there; of data of one day the
// greater text. Jobs, education and skills are united, and nothing of them is
// lost; see [spans] for what makes two entries one.
//
// Merging the same again changes nothing, and people of one day may be merged
// in any order. What is stored and newer than what is fresh is not overwritten.
// Companies are told apart by their ids.
func Merge(stored, fresh load.Dated) load.Dated {
	m := mixer{older: stored, newer: fresh}
	switch stored.AsOf.Compare(fresh.AsOf) {
	case 1:
		m.older, m.newer = fresh, stored
	case 0:
		m.tie = true
	}
	return load.Dated{Person: m.person(), AsOf: m.newer.AsOf}
}

// mixer merges two people; tie says that neither is the newer.
type mixer struct {
	older, newer load.Dated
	tie          bool
}

func (m mixer) person() kith.Person {
	a, b := m.older.Person, m.newer.Person
	p := kith.Person{
		ID:        max(a.ID, b.ID),
		FirstName: m.text(a.FirstName, b.FirstName), LastName: m.text(a.LastName, b.LastName), FullName: m.text(a.FullName, b.FullName),
		SocialURL: m.text(a.SocialURL, b.SocialURL), Headline: m.text(a.Headline, b.Headline), AboutMe: m.text(a.AboutMe, b.AboutMe),
		Location: m.location(a.Location, b.Location), ImageURL: m.text(a.ImageURL, b.ImageURL), Email: m.text(a.Email, b.Email),
		Skills: m.skills(a.Skills, b.Skills), EducationHistory: m.education(a.EducationHistory, b.EducationHistory),
	}
	p.WorkRelevant, p.WorkHistory = m.jobs(a, b)
	return p
}

// text is one field: the newer where it is there.
func (m mixer) text(older, newer string) string {
	if newer == "" || m.tie {
		return max(older, newer)
	}
	return newer
}

// location is one field: a city of one record in the country of another would
// be nowhere.
func (m mixer) location(older, newer kith.Location) kith.Location {
	whole := func(l kith.Location) string { return l.Country + "\x00" + l.State + "\x00" + l.City }
	if newer.IsZero() || m.tie && whole(older) > whole(newer) {
		return older
	}
	return newer
}

// skills unites two lists, in the order of the alphabet.
func (m mixer) skills(older, newer []string) []string {
	byKey := map[string]string{}
	for _, s := range older {
		byKey[wordsKey(s)] = max(byKey[wordsKey(s)], s)
	}
	own := map[string]string{}
	for _, s := range newer {
		own[wordsKey(s)] = max(own[wordsKey(s)], s)
	}
	for key, s := range own {
		byKey[key] = m.text(byKey[key], s)
	}
	var out []string
	for _, s := range byKey {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(wordsKey(a), wordsKey(b)), cmp.Compare(a, b)) })
	return out
}

// wordsKey is what makes two titles, institutes or skills the same: their
// folded words. A text without any is compared as it is.
func wordsKey(s string) string {
	if key := strings.Join(analysis.Tokens(s), " "); key != "" {
		return key
	}
	return strings.TrimSpace(s)
}

// education unites two lists.
func (m mixer) education(older, newer []kith.Education) []kith.Education {
	var a, b spans
	for _, e := range older {
		a = append(a, educationSpan(e))
	}
	for _, e := range newer {
		b = append(b, educationSpan(e))
	}
	var out []kith.Education
	for _, s := range m.unite(a, b) {
		out = append(out, kith.Education{Institute: s.text, Degree: s.labels[0], FieldOfStudy: s.labels[1], StartDate: s.start, EndDate: s.end})
	}
	return out
}

func educationSpan(e kith.Education) span {
	return span{
		key: wordsKey(e.Institute), text: e.Institute, labels: [2]string{e.Degree, e.FieldOfStudy},
		start: e.StartDate, end: e.EndDate, openEnd: true,
	}
}

// unite joins two lists.
func (m mixer) unite(older, newer spans) spans {
	if m.tie {
		return append(older, newer...).normal()
	}
	return newer.normal().over(older.normal())
}
