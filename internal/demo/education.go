package demo

import (
	"strconv"

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
	all = append(all, c.degree(c.bachelor(), field, end-c.luck.between(c.work.first[0], c.work.first[1]), end))
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
	e := kith.Education{Degree: c.tables.degreeIn(c.luck, names, field), FieldOfStudy: field}
	e.Institute = c.tables.schoolFor(c.luck, c.home, e.Degree, field)
	if c.luck.in1000(870) {
		e.StartDate, e.EndDate = strconv.Itoa(from), strconv.Itoa(to)
	}
	if c.luck.in1000(60) {
		e.FieldOfStudy = ""
	}
	if c.luck.in1000(50) {
		e.Degree = ""
	}
	return e
}

// degreeIn draws a degree that is given in a field.
func (t *tables) degreeIn(d *dice, names []string, field string) string {
	degree := of(d, names)
	for range 8 {
		if fields := t.words[degree]; len(fields) == 0 || hasAny(field, fields...) {
			break
		}
		degree = of(d, names)
	}
	return degree
}
