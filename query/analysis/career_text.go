package analysis

import (
	"fmt"
	"strings"

	"kith/query"
)

// Describe describes the career in words, for the notes of an answer: "at BMW for at least 3 years, then at Tesla".
func (c Career) Describe() string {
	var parts []string
	steps := ""
	for i, s := range c.Steps {
		if i > 0 {
			steps += stepGlue(s.Step)
		}
		steps += c.describeSpell(s.Filters, s.Spell)
	}
	if c.AtLeast > 0 && c.AtLeast < len(c.Steps) {
		steps = fmt.Sprintf("at least %d of: %s", c.AtLeast, steps)
	}
	if steps != "" {
		parts = append(parts, steps)
	}
	switch {
	case c.Every == nil:
	case len(c.Every.Filters) == 0 && c.Every.Spell == query.Spell{Status: query.Ended}:
		parts = append(parts, "no present job")
	default:
		parts = append(parts, "every one "+c.describeSpell(c.Every.Filters, c.Every.Spell))
	}
	for _, e := range c.Employers {
		says := describeCount(e.Min, e.Max, "employer", "employers")
		if len(e.Filters) > 0 || e.Spell != (query.Spell{}) {
			says += " with " + c.describeSpell(e.Filters, e.Spell)
		}
		parts = append(parts, says)
	}
	return strings.Join(parts, ", and ")
}

// stepGlue describes how a step relates to the one before.
func stepGlue(s query.Step) string {
	glue := ""
	switch s.Order {
	case query.Later:
		glue = ", then "
	case query.Next:
		glue = ", right after it "
	case query.Anytime:
		glue = ", "
	}
	switch s.Employer {
	case query.SameEmployer:
		glue += "at the same company "
	case query.OtherEmployer, query.AnyEmployer:
	}
	if s.Gap != (query.Months{}) {
		glue += "after " + describeCount(s.Gap.Min, s.Gap.Max, "month", "months") + " "
	}
	return glue
}

// describeSpell describes a job or a stay.
func (c Career) describeSpell(filters query.Filters, s query.Spell) string {
	var words []string
	if s.First {
		words = append(words, "first")
	}
	switch s.Status {
	case query.Held:
		words = append(words, "now")
	case query.Ended:
		words = append(words, "formerly")
	case query.AnyStatus:
	}
	words = append(words, c.describeJob(filters, s))
	if s.Months != (query.Months{}) {
		words = append(words, "for "+describeLength(s.Months))
	}
	return strings.Join(words, " ")
}

// describeJob describes the filters on a job: "engineer at Siemens (companySize: 1000+)".
func (c Career) describeJob(filters query.Filters, s query.Spell) string {
	if len(filters) == 0 {
		switch {
		case s.Where != nil:
			return "with " + query.String(s.Where)
		case c.Of == query.Jobs:
			return "any job"
		}
		return "any stay"
	}
	rest := query.Filters{}
	for name, value := range filters {
		if name != query.FilterPosition && name != query.FilterCompany {
			rest[name] = value
		}
	}
	var words []string
	if title := filters[query.FilterPosition]; title != "" {
		words = append(words, title)
	}
	if company := filters[query.FilterCompany]; company != "" {
		words = append(words, "at "+company)
	}
	if len(rest) > 0 {
		words = append(words, "("+rest.Text()+")")
	}
	return strings.Join(words, " ")
}

// describeLength describes a range of months, in years if both bounds are whole years.
func describeLength(m query.Months) string {
	whole := func(v *int64) bool { return v == nil || *v%12 == 0 }
	if !whole(m.Min) || !whole(m.Max) {
		return describeCount(m.Min, m.Max, "month", "months")
	}
	years := func(v *int64) *int64 {
		if v == nil {
			return nil
		}
		return new(*v / 12)
	}
	return describeCount(years(m.Min), years(m.Max), "year", "years")
}

// describeCount describes a range of counted things: "at least 3 years", "1 month".
func describeCount(least, most *int64, one, many string) string {
	noun := func(n int64) string {
		if n == 1 {
			return one
		}
		return many
	}
	switch {
	case least != nil && most != nil && *least == *most:
		return fmt.Sprintf("%d %s", *least, noun(*least))
	case least != nil && most != nil:
		return fmt.Sprintf("%d to %d %s", *least, *most, many)
	case least != nil:
		return fmt.Sprintf("at least %d %s", *least, noun(*least))
	case most != nil:
		return fmt.Sprintf("at most %d %s", *most, noun(*most))
	}
	return "any number of " + many
}
