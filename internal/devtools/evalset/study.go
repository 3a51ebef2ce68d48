package evalset

import (
	"slices"
	"strconv"
	"strings"

	"kith"
)

// degrees maps the names of degrees in prompts to those in records.
func degrees() map[string][]string {
	return map[string][]string{
		"phd": {"PhD", "Ph.D.", "Doctor of Philosophy"},
		"mba": {"MBA", "Master of Business Administration", "Executive MBA"},
		"master": {
			"MSc", "Master of Science", "M.S.", "Master's degree", "MA", "Master of Arts", "LLM", "Master of Laws",
			"MBA?", "Master of Business Administration?", "Executive MBA?",
		},
		"bachelor": {
			"BSc", "Bachelor of Science", "B.S.", "Bachelor's degree", "BEng", "B.Tech", "Bachelor of Technology", "BE", "BA",
			"Bachelor of Arts",
			"BBA", "Bachelor of Business Administration", "LLB", "Bachelor of Laws",
		},
	}
}

// studied holds for people with an education entry that passes all tests.
func studied(tests ...func(e kith.Education) truth) personIs {
	return func(p *person) truth {
		t := no
		for _, e := range p.EducationHistory {
			one := yes
			for _, test := range tests {
				one = min(one, test(e))
			}
			t = max(t, one)
		}
		return t
	}
}

func degreeIs(kind string) func(e kith.Education) truth {
	return func(e kith.Education) truth {
		if slices.Contains(degrees()[kind], e.Degree) {
			return yes
		}
		return min(maybe, when(slices.Contains(degrees()[kind], e.Degree+"?")))
	}
}

func degree(kind string) personIs { return studied(degreeIs(kind)) }

func schoolIs(name string) func(e kith.Education) truth {
	return func(e kith.Education) truth {
		if e.Institute == name {
			return yes
		}
		words := strings.Fields(plain(e.Institute))
		if slices.ContainsFunc(strings.Fields(plain(name)), func(w string) bool { return !slices.Contains(words, w) }) {
			return no
		}
		return maybe
	}
}

func fieldIs(name string) func(e kith.Education) truth {
	return func(e kith.Education) truth {
		if e.FieldOfStudy == name {
			return yes
		}
		return min(maybe, when(strings.Contains(e.FieldOfStudy, name)))
	}
}

// schoolName returns a name that people use for a school.
func (g *gen) schoolName(school string) string {
	var names []string
	for _, s := range g.tables.schools {
		if s[1] == school {
			names = append(names, s[0])
		}
	}
	if len(names) == 0 || g.odds(35) {
		return school
	}
	return pick(g, names...)
}

// degreeWords returns the words for a degree in prompts, with articles.
func degreeWords(kind string) (words []string) {
	switch kind {
	case "phd":
		return []string{"a PhD", "a Ph.D.", "a doctorate"}
	case "mba":
		return []string{"an MBA"}
	case "master":
		return []string{"a master's degree", "a master's"}
	}
	return []string{"a bachelor's degree"}
}

// education: Stanford graduates in Berlin, designers with an MBA from INSEAD.
func education(g *gen) (string, personIs) {
	p, _, n, ok := g.employee(func(p *person) bool { return len(p.EducationHistory) > 0 })
	if !ok {
		return "", nil
	}
	e := pick(g, p.EducationHistory...)
	school := g.schoolName(e.Institute)
	there := studied(schoolIs(e.Institute))
	where := g.place(p)
	if strings.Contains(school, ",") {
		return "", nil
	}
	switch g.IntN(6) {
	case 0:
		return school + pick(g, " alumni in ", " graduates in ", " grads in ") + where.text, all(there, where.is)
	case 1:
		return n.plural + " who " + pick(g, "studied at ", "went to ", "graduated from ") + school, all(now(n.is), there)
	case 2:
		return pick(g, "alumni of ", "graduates of ", "people who studied at ") + school + " in " + where.text,
			all(there, where.is)
	case 3:
		return n.plural + " from " + school, all(now(n.is), there)
	}
	return g.withDegree(p, n, e, school)
}

// withDegree: designers with an MBA from INSEAD, people with a PhD in physics.
func (g *gen) withDegree(p *person, n noun, e kith.Education, school string) (string, personIs) {
	where := g.place(p)
	for _, kind := range []string{"phd", "mba", "master", "bachelor"} {
		if degreeIs(kind)(e) != yes {
			continue
		}
		words := pick(g, degreeWords(kind)...)
		switch g.IntN(4) {
		case 0:
			return n.plural + " with " + words + " from " + school,
				all(now(n.is), studied(schoolIs(e.Institute), degreeIs(kind)))
		case 1:
			return n.plural + " with " + words + " in " + where.text, all(now(n.is), degree(kind), where.is)
		case 2:
			if e.FieldOfStudy == "" {
				return "", nil
			}
			return "people with " + words + " in " + strings.ToLower(e.FieldOfStudy) + " in " + where.text,
				all(studied(fieldIs(e.FieldOfStudy), degreeIs(kind)), where.is)
		}
		return n.plural + " " + g.in(where) + " who have " + words, all(now(n.is), degree(kind), where.is)
	}
	return "", nil
}

// fields: people who studied physics in Berlin; graduates since 2015.
func fields(g *gen) (string, personIs) {
	p, _, n, ok := g.employee(func(p *person) bool {
		return len(p.EducationHistory) > 0 && p.EducationHistory[0].FieldOfStudy != "" && p.EducationHistory[0].EndDate != ""
	})
	if !ok {
		return "", nil
	}
	e := p.EducationHistory[0]
	if g.odds(60) {
		return n.plural + " who studied " + pick(g, e.FieldOfStudy, strings.ToLower(e.FieldOfStudy)),
			all(now(n.is), studied(fieldIs(e.FieldOfStudy)))
	}
	after := func(e2 kith.Education) truth { return when(e2.EndDate >= e.EndDate && e2.EndDate != "") }
	school := g.schoolName(e.Institute)
	if strings.Contains(school, ",") {
		return "", nil
	}
	year, err := strconv.Atoi(e.EndDate)
	if err != nil {
		return "", nil
	}
	return "people who graduated from " + school + " after " + strconv.Itoa(year-1), studied(schoolIs(e.Institute), after)
}
