package taxonomy

import (
	"slices"
	"strings"

	"kith/query/tokenizer"
)

// Degree returns the words of a degree in normal form (MSc → master science), without `of`, `in` and similar.
func Degree(degree string) []string {
	var buf [16]Word
	out := Texts(wordForms().degrees.apply(nil, cutWords(buf[:0], tokenizer.Fold(degree))))
	if kept := slices.DeleteFunc(slices.Clone(out), func(w string) bool { return w == "in" }); len(kept) > 0 {
		return kept
	}
	return out
}

// PromptDegrees lists the degrees that prompts name. Do not change it.
func PromptDegrees() []Meaning { return wordForms().promptDegrees }

// readDegrees reads lines of three columns, separated by tabs: name, values of the filter, and spellings.
func readDegrees(lines []string) (expander, []Meaning) {
	var entries []string
	var prompts []Meaning
	for _, line := range lines {
		cols := strings.Split(line, "\t")
		name, values := cols[0], cols[1]
		inRecords, inPrompts := spellings(withoutDots(cols[2]))
		entries = append(entries, strings.Join(append(inRecords, name), ";")+"\t"+name)
		if strings.Contains(name, " of ") {
			inPrompts = append(inPrompts, name)
		}
		if values != "-" {
			prompts = append(prompts, Meaning{Values: strings.Split(values, "; "), Spellings: inPrompts})
		}
	}
	return newExpander(entries), prompts
}

// withoutDots adds each spelling with dots without them.
func withoutDots(list string) string {
	for s := range strings.SplitSeq(list, "; ") {
		if strings.Contains(s, ".") {
			list += "; " + strings.ReplaceAll(s, ".", "")
		}
	}
	return list
}
