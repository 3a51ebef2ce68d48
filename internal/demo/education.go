package demo

import (
	"slices"
	"strconv"
	"strings"

	"kith"
)

// education draws a person's studies before, and rarely during, the career; nil for about a fifth.
func (c *career) education() []kith.Education {
	usual := c.work.study
	if c.luck.in1000(usual.none) {
		return nil
	}
	var all []kith.Education
	field := of(c.luck, c.work.fields)
	end := c.begin.year() - c.luck.below(2)
	if c.luck.in1000(usual.doctor) {
		all = append(all, c.degree(c.work.doctors, field, end-c.luck.between(3, 5), end))
		end -= 5
	}
	if c.luck.in1000(usual.master) || len(all) > 0 && usual.master > 0 {
		length := c.luck.between(1, 2)
		all = append(all, c.degree(c.work.masters, field, end-length, end))
		end -= length
	}
	all = append(all, c.degree(c.bachelor(), field, end-c.luck.between(3, 4), end))
	if year := c.begin.year() + c.luck.between(4, 10); year+2 <= c.now.year() && c.luck.in1000(usual.mba) {
		mba := c.degree([]string{"MBA", "MBA", "Master of Business Administration", "Executive MBA"},
			"Business Administration", year, year+2)
		if c.luck.in1000(600) {
			mba.Institute = of(c.luck, c.tables.words["mba"])
		}
		all = append([]kith.Education{mba}, all...)
	}
	return all
}

// bachelor returns the names of the first degree in the person's country.
func (c *career) bachelor() []string {
	if names := c.work.local[c.tables.countries[c.tables.cities[c.home].country].name]; len(names) > 0 {
		return names
	}
	return c.work.bachelors
}

// degree returns one entry; sometimes a part is missing.
func (c *career) degree(names []string, field string, from, to int) kith.Education {
	e := kith.Education{Institute: c.school(), Degree: of(c.luck, names), FieldOfStudy: field}
	if c.luck.in1000(870) {
		e.StartDate, e.EndDate = strconv.Itoa(from), strconv.Itoa(to)
	}
	if isVocational(e.Degree) {
		e.Institute = c.tables.cities[c.home].name + " Technical College"
	}
	if c.luck.in1000(60) {
		e.FieldOfStudy = ""
	}
	if c.luck.in1000(50) {
		e.Degree = ""
	}
	return e
}

// isVocational reports whether universities do not give a degree.
func isVocational(degree string) bool {
	return slices.ContainsFunc([]string{"Apprenticeship", "Vocational", "Trade Certificate", "Certificate", "Academy"},
		func(word string) bool { return strings.Contains(degree, word) })
}

func (c *career) school() string {
	home := &c.tables.countries[c.tables.cities[c.home].country]
	if len(home.schools) > 0 && c.luck.in1000(760) {
		return home.schools[home.school.spin(c.luck)]
	}
	return c.tables.schools[c.tables.school.spin(c.luck)]
}
