package taxonomy

import (
	"slices"
	"strings"

	"kith/query/tokenizer"
)

// Functions lists the functions of positions. The caller may modify the slice.
//
// Security, sales and support engineers belong to those functions, data and machine learning engineers to data and to
// engineering. A position without a field of work has no function.
func Functions() []string {
	return []string{
		"engineering", "product", "design", "data", "marketing", "sales", "customer_success", "operations", "finance",
		"people_hr", "legal", "security", "trust_safety", "research", "support",
		"it", "project_management", "consulting", "communications", "supply_chain", "manufacturing", "quality",
		"healthcare", "education", "administration", "general_management", "real_estate", "media", "policy",
		"hospitality",
	}
}

// Function returns the first function that a job title names, or "" for none.
func Function(title string) string {
	if fs := FunctionsOf(title); len(fs) > 0 {
		return fs[0]
	}
	return ""
}

// FunctionsOf returns every function of a job title, in the order of the title. Within one position the noun decides
// (an engineering recruiter is in people_hr); without such a noun the longest field name does.
func FunctionsOf(title string) []string { return FunctionsIn(TitleWords(title)) }

// PromptFunctions lists the names of functions that mean everyone in them in prompts. Do not change it.
func PromptFunctions() []Meaning { return wordForms().promptFunctions }

// FunctionsIn is [FunctionsOf] for the words of a title, as [TitleWords] returns them.
func FunctionsIn(words []Word) []string { return wordForms().functions.of(words) }

// functionTable finds the names of functions in normal forms, by their first word.
type functionTable map[string][]functionName

type functionName struct {
	rest      []string
	functions []string
	// noun is true for a word for a person; it takes precedence over the name of a field.
	noun bool
	// across is true for a name with an ampersand, which may contain "and"; other names end there.
	across bool
}

// readFunctions reads lines of three columns, separated by tabs: functions ("-" for names without one), the kind of the
// names, and names separated by semicolons.
func readFunctions(titles expander, lines []string) (t functionTable, prompts []Meaning) {
	t = functionTable{}
	for _, line := range lines {
		cols := strings.Split(line, "\t")
		functions := strings.Fields(strings.TrimPrefix(cols[0], "-"))
		inTitles, inPrompts := spellings(cols[2])
		if cols[1] == "team" {
			prompts = append(prompts, Meaning{Values: functions, Spellings: inPrompts})
		}
		for _, name := range inTitles {
			ws := Texts(titles.apply(nil, cutWords(nil, tokenizer.Fold(name))))
			t[ws[0]] = append(t[ws[0]], functionName{
				rest: ws[1:], functions: functions, noun: cols[1] == "noun", across: strings.Contains(name, "&"),
			})
		}
	}
	for _, list := range t {
		slices.SortStableFunc(list, func(a, b functionName) int { return len(b.rest) - len(a.rest) })
	}
	return t, prompts
}

// of collects the functions of all positions of a title. If one has a noun, those without are ignored: in "Engineer,
// Payments Marketing" the second part is what the engineer works on.
func (t functionTable) of(ws []Word) []string {
	var nouns, fields []string
	for len(ws) > 0 {
		var best functionName
		best, ws = t.position(ws)
		if best.noun {
			nouns = tokenizer.AppendNew(nouns, best.functions)
		} else {
			fields = tokenizer.AppendNew(fields, best.functions)
		}
	}
	if len(nouns) > 0 {
		return nouns
	}
	return fields
}

// position returns the deciding name of the first position of ws, and the words after that position. A name with an
// ampersand may span "and".
func (t functionTable) position(ws []Word) (best functionName, rest []Word) {
	for i := 0; i < len(ws); {
		if i > 0 && ws[i].apart {
			return best, ws[i:]
		}
		if ws[i].Text == "to" && i > 0 && best.noun {
			return best, nil // an assistant to the marketing director
		}
		name, n := t.longest(ws[i:])
		if n == 0 {
			i++
			continue
		}
		if len(name.functions) == 0 {
			i += n
			continue
		}
		if best.functions == nil || name.noun && !best.noun ||
			name.noun == best.noun && (name.noun || len(name.rest) > len(best.rest)) {
			best = name
		}
		i += n
	}
	return best, nil
}

// longest returns the longest name at the start of ws, and the number of words it covers, fillers included.
func (t functionTable) longest(ws []Word) (functionName, int) {
	for _, name := range t[ws[0].Text] {
		if n := name.covers(ws); n > 0 {
			return name, n
		}
	}
	return functionName{}, 0
}

func (f functionName) covers(ws []Word) int {
	n := 1
	for _, w := range f.rest {
		for n < len(ws) && isFiller(ws[n].Text) {
			n++
		}
		if n >= len(ws) || ws[n].Text != w || ws[n].apart && !f.across {
			return 0
		}
		n++
	}
	return n
}
