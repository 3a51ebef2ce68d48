package evalset

import (
	"strings"

	"kith/query/prompt"
)

// families returns all kinds of prompts, and how many of each a full set has.
func families() []family {
	return append(append(lookups(), simples()...), complexes()...)
}

func lookups() []family {
	return []family{
		{"lookup/name", prompt.Lookup, 30, names, false},
		{"lookup/name and employer", prompt.Lookup, 28, namesAt, false},
		{"lookup/name and title", prompt.Lookup, 16, namesWith, false},
		{"lookup/name and place", prompt.Lookup, 16, namesIn, false},
		{"lookup/address", prompt.Lookup, 14, addresses, false},
		{"lookup/e-mail", prompt.Lookup, 6, mails, false},
		{"lookup/nickname", prompt.Lookup, 12, nicknames, false},
		{"lookup/initials", prompt.Lookup, 12, initials, false},
		{"lookup/swapped", prompt.Lookup, 12, swapped, false},
		{"lookup/partial", prompt.Lookup, 14, partials, false},
		{"lookup/misspelt", prompt.Lookup, 12, misspelt, false},
	}
}

func simples() []family {
	return []family{
		{"simple/role and place", prompt.Simple, 60, rolesInPlaces, false},
		{"simple/region", prompt.Simple, 36, regions, false},
		{"simple/function", prompt.Simple, 30, functions, false},
		{"simple/seniority", prompt.Simple, 44, seniorities, false},
		{"simple/head of", prompt.Simple, 24, heads, false},
		{"simple/company", prompt.Simple, 36, atCompanies, false},
		{"simple/skill", prompt.Simple, 30, skills, false},
		{"simple/past", prompt.Simple, 44, pasts, false},
		{"simple/ever", prompt.Simple, 16, evers, false},
		{"simple/then and now", prompt.Simple, 28, changes, false},
		{"simple/previous job", "", 12, previous, false},
		{"simple/left lately", prompt.Simple, 10, leavers, false},
		{"simple/negation", prompt.Simple, 60, negations, false},
		{"simple/alternatives", prompt.Simple, 48, alternatives, false},
		{"simple/both", "", 10, both, false},
		{"simple/headcount", prompt.Simple, 36, headcounts, false},
		{"simple/experience", prompt.Simple, 24, experiences, false},
		{"simple/tenure", prompt.Simple, 24, tenures, false},
		{"simple/founded", prompt.Simple, 18, foundings, false},
		{"simple/industry", prompt.Simple, 40, industries, false},
		{"simple/startup", prompt.Simple, 18, startups, false},
		{"simple/stage and type", prompt.Simple, 18, kinds, false},
		{"simple/seat", prompt.Simple, 28, seats, false},
		{"simple/past company kind", prompt.Simple, 14, pastFirms, false},
		{"simple/education", prompt.Simple, 50, education, false},
		{"simple/field of study", prompt.Simple, 16, fields, false},
		{"simple/terse", prompt.Simple, 36, terse, false},
		{"simple/verbose", prompt.Simple, 40, verbose, false},
		{"simple/typo", prompt.Simple, 32, typos, false},
		{"simple/case and marks", prompt.Simple, 30, marksAndCase, false},
		{"simple/ambiguous", prompt.Simple, 36, ambiguous, false},
		{"simple/unknown", "", 20, unknowns, true},
		{"simple/combined", prompt.Simple, 36, combined, false},
	}
}

func complexes() []family {
	return []family{
		{"complex/worked with", prompt.Complex, 28, workedWith, false},
		{"complex/colleagues", prompt.Complex, 24, colleagues, false},
		{"complex/officer", prompt.Complex, 18, officers, false},
		{"complex/founded by", prompt.Complex, 14, foundersOf, false},
		{"complex/moved", prompt.Complex, 30, moves, false},
		{"complex/same school", prompt.Complex, 18, schoolmates, false},
		{"complex/came back", prompt.Complex, 12, returners, false},
		{"complex/judgement", prompt.Complex, 36, judged, false},
		{"complex/judgement at", prompt.Complex, 14, judgedAt, false},
		{"complex/serial", prompt.Complex, 8, serial, false},
	}
}

// fill puts a text into a pattern.
func fill(pattern, text string) string { return strings.Replace(pattern, "%s", text, 1) }
