package demo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// schools are schools, and a wheel over them.
type schools struct {
	all   []school
	wheel wheel
}

func (s *schools) add(one school, weight uint64) {
	s.all = append(s.all, one)
	s.wheel.add(weight)
}

// school is a real school.
type school struct {
	name string
	// subjects are parts of the names of the fields that it teaches, empty for all.
	subjects []string
	// isCollege is true if it gives what is less than a degree, isPostgraduate if it gives no first degrees.
	isCollege, isPostgraduate bool
}

func readSchools(t *tables) error {
	return lines("schools.tsv", 4, func(c []string) error {
		i, err := t.findCountry(c[1])
		if err != nil {
			return err
		}
		weight, err := strconv.ParseUint(c[2], 10, 64)
		if err != nil {
			return err
		}
		kinds := strings.Fields(c[3])
		s := school{name: c[0]}
		for _, kind := range kinds {
			switch subjects, known := t.words[kind]; {
			case kind == "college":
				s.isCollege = true
			case kind == "postgraduate":
				s.isPostgraduate = true
			case known:
				s.subjects = append(s.subjects, subjects...)
			case kind != "all":
				return fmt.Errorf("unknown kind of school %q", kind)
			}
		}
		t.schools.add(s, weight)
		t.countries[i].schools.add(s, weight)
		return nil
	})
}

// gives reports whether the school gives a degree in a field.
func (s *school) gives(degree, field string) bool {
	if s.isCollege != isVocational(degree) || s.isPostgraduate && isFirst(degree) {
		return false
	}
	return len(s.subjects) == 0 || hasAny(field, s.subjects...)
}

// isVocational reports whether universities do not give a degree.
func isVocational(degree string) bool {
	return hasAny(degree, "Apprenticeship", "Vocational", "Certificate", "Academy", "Associate", "Diploma")
}

// isFirst reports whether a degree needs no other before it.
func isFirst(degree string) bool { return !hasAny(degree, "M", "PhD", "Ph.D.", "Doctor") }

func hasAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// schoolFor draws a school that gives a degree in a field, mostly of the country of a city.
func (t *tables) schoolFor(d *dice, city int, degree, field string) string {
	home := &t.countries[t.cities[city].country]
	for range 12 {
		from := &t.schools
		if len(home.schools.all) > 0 && d.in1000(760) {
			from = &home.schools
		}
		if s := from.all[from.wheel.spin(d)]; s.gives(degree, field) {
			return s.name
		}
	}
	if isVocational(degree) {
		return t.cities[city].name + " Technical College"
	}
	return "University of " + t.cities[city].name
}
