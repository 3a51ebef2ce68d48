package taxonomy

import "strings"

// Meaning is a degree or a function with its spellings in prompts.
type Meaning struct {
	// Values are alternatives of its filter.
	Values []string
	// Spellings that end in "~" need a cue or a capital.
	Spellings []string
}

// spellings splits a list: "-" before a spelling means only in records, "+" only in prompts.
func spellings(list string) (inRecords, inPrompts []string) {
	for s := range strings.SplitSeq(list, "; ") {
		s, onlyRecords := strings.CutPrefix(s, "-")
		s, onlyPrompts := strings.CutPrefix(s, "+")
		if !onlyPrompts {
			inRecords = append(inRecords, strings.TrimSuffix(s, "~"))
		}
		if !onlyRecords {
			inPrompts = append(inPrompts, s)
		}
	}
	return inRecords, inPrompts
}
