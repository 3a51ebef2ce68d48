package analysis

import (
	"slices"

	"kith"
	"kith/query"
	"kith/query/tokenizer"
)

// Limits of a startup.
const (
	// startupStaff is the upper limit of people, exclusive, with early funding; bootstrapStaff applies if the funding
	// stage is unknown.
	startupStaff   = 200
	bootstrapStaff = 50
)

// isStartup reports whether a company is a startup: fewer than 200 people and a last funding round from Pre-Seed to
// Series B, or fewer than 50 people if the stage is unknown. The number of people must be known.
func isStartup(c kith.Company) bool {
	if c.EmployeeCount <= 0 {
		return false
	}
	var stage []string
	if c.Funding != nil {
		stage = stageTokens(c.Funding.LastRoundStage)
	}
	if len(stage) == 0 || slices.Contains(stage, "unknown") || slices.Contains(stage, "undisclosed") {
		return c.EmployeeCount < bootstrapStaff
	}
	return c.EmployeeCount < startupStaff && isEarly(stage)
}

// isEarly reports whether a funding stage is at most Series B: Pre-Seed, Angel, Seed, Series A and B with their parts
// (A1, Series B-2) and the stages before them (Pre-Series A).
func isEarly(stage []string) bool {
	switch stage[0] {
	case "preseed", "seed", "angel":
		return true
	case "series", "preseries":
		return len(stage) > 1 && stage[1] != "" && (stage[1][0] == 'a' || stage[1][0] == 'b')
	}
	return false
}

// stageTokens returns the words of a funding stage. It joins "pre" to the next word, because a search for Seed or
// Series A does not mean Pre-Seed or Pre-Series A.
func stageTokens(stage string) []string {
	tokens := tokenizer.Tokens(stage)
	if i := slices.Index(tokens, "pre"); i >= 0 && i+1 < len(tokens) {
		tokens = slices.Replace(tokens, i, i+2, "pre"+tokens[i+1])
	}
	return tokens
}

// companyType fills a field with the words of a company's type. It adds the startup token if [isStartup] says so,
// whatever the record says.
func (f fields) companyType(name query.Field, c kith.Company) {
	tokens := tokenizer.Tokens(c.Type)
	if slices.Contains(tokens, query.Startup) {
		tokens = slices.DeleteFunc(tokens, func(t string) bool { return t == query.Startup })
	}
	f.words(name, tokens)
	if isStartup(c) {
		f.words(name, []string{query.Startup})
	}
}
