package demo

import (
	"slices"
	"strings"
)

// titleSkills are skills of titles with one of some beginnings of words.
type titleSkills struct{ words, skills []string }

func readTitleSkills(t *tables) error {
	return lines("skills.tsv", 2, func(c []string) error {
		row := titleSkills{skills: strings.Split(c[1], "; ")}
		for word := range strings.SplitSeq(c[0], ";") {
			row.words = append(row.words, " "+strings.TrimLeft(word, " "))
		}
		t.titleSkills = append(t.titleSkills, row)
		return nil
	})
}

// skillsOf returns the skills of a title, those of the rows in order.
func (t *tables) skillsOf(title string) []string {
	title = " " + strings.ToLower(title) + " "
	var out []string
	for _, row := range t.titleSkills {
		if slices.ContainsFunc(row.words, func(w string) bool { return strings.Contains(title, w) }) {
			out = append(out, missingIn(out, row.skills)...)
		}
	}
	return out
}

// skills draws the person's skills: those of the title, then some of the function, sometimes one of an employer's
// industry, and languages.
func (c *career) skills() []string {
	if c.luck.in1000(100) {
		return nil
	}
	title := c.trade
	last := c.last()
	if last != nil {
		title = last.title + " " + title
	}
	special := c.tables.skillsOf(title)
	skills := some(c.luck, special[:min(len(special), 14)], c.luck.between(6, 10))
	more := c.luck.between(2, 5)
	switch {
	case len(special) == 0:
		more += 5
	case !c.work.everywhere: // whose trades differ
		more = c.luck.below(2)
	}
	skills = append(skills, missingIn(skills, some(c.luck, c.work.skills, more))...)
	if last != nil && c.luck.in1000(350) {
		keyword := of(c.luck, c.industryOf(last.company).keywords)
		skills = append(skills, missingIn(skills, []string{strings.ToUpper(keyword[:1]) + keyword[1:]})...)
	}
	return append(skills, missingIn(skills, c.languages())...)
}

// languages draws the languages that the person states: the own and English, more rarely another one.
func (c *career) languages() []string {
	if !c.luck.in1000(550) {
		return nil
	}
	out := []string{c.language}
	if c.language != english {
		out = append(out, english)
	}
	if c.luck.in1000(300) {
		if other := of(c.luck, c.tables.cultures[:8]).language; !slices.Contains(out, other) {
			out = append(out, other)
		}
	}
	if len(out) == 1 && out[0] == english {
		return nil
	}
	return out
}

const english = "English"

// missingIn returns the values that are not in have.
func missingIn(have, values []string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return slices.Contains(have, v) })
}
