package query

import (
	"strconv"
	"strings"
)

// textTimeline writes a timeline as a list of its conditions.
func textTimeline(b *strings.Builder, t Timeline) {
	var parts []string
	if n := t.least(); n < len(t.Steps) {
		parts = append(parts, "at least "+strconv.Itoa(n)+" of the steps")
	}
	for i, s := range t.Steps {
		text := spellText(s.Spell, t.Of)
		if i > 0 {
			text = relationText(s) + text
		}
		parts = append(parts, text)
	}
	if t.Every != nil {
		parts = append(parts, "every one is "+spellText(*t.Every, t.Of))
	}
	for _, c := range t.Counts {
		parts = append(parts, "employers with "+spellText(c.Spell, t.Of)+": "+boundsText(c.Min, c.Max))
	}
	b.WriteString("a career of [" + strings.Join(parts, "; ") + "]")
}

func spellText(s Spell, of Unit) string {
	words := []string{"a"}
	switch {
	case s.First:
		words = []string{"the first"}
	case s.Status == Ended:
		words = []string{"an"}
	}
	switch s.Status {
	case Held:
		words = append(words, "held")
	case Ended:
		words = append(words, "ended")
	case AnyStatus:
	}
	words = append(words, [...]string{Stays: "stay", Jobs: "job"}[of])
	if s.Months != (Months{}) {
		words = append(words, "of "+boundsText(s.Months.Min, s.Months.Max)+" months")
	}
	if s.Where != nil {
		words = append(words, "with "+String(s.Where))
	}
	return strings.Join(words, " ")
}

// relationText describes the relation of a step to the one before.
func relationText(s Step) string {
	text := [...]string{Later: "then ", Next: "next ", Anytime: "and "}[s.Order]
	text += [...]string{
		AnyEmployer: "", SameEmployer: "at the same employer ", OtherEmployer: "at another employer ",
	}[s.Employer]
	if s.Gap != (Months{}) {
		text += "after " + boundsText(s.Gap.Min, s.Gap.Max) + " months "
	}
	return text
}

// boundsText writes a range: "3 to 5", "at least 3", "at most 5".
func boundsText(least, most *int64) string {
	switch {
	case least != nil && most != nil:
		return strconv.FormatInt(*least, 10) + " to " + strconv.FormatInt(*most, 10)
	case least != nil:
		return "at least " + strconv.FormatInt(*least, 10)
	case most != nil:
		return "at most " + strconv.FormatInt(*most, 10)
	}
	return "any number"
}
