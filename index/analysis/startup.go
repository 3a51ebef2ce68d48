package analysis

import (
	"slices"

	"kith"
	"kith/query"
)

// What makes a startup.
const (
	// startupStaff is how many people it has fewer than while its funding is
	// early, and bootstrapStaff where no stage of funding is known.
	startupStaff   = 200
	bootstrapStaff = 50
)

// isStartup reports whether a company is a startup: its last round of funding
// is Pre-Seed to Series B and it has fewer than 200 people; where no stage is
// known, fewer than 50. The number of people must be known.
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

// isEarly reports whether a stage of funding is one up to Series B: Pre-Seed,
// Angel, Seed, Series A and B with their parts (A1, Series B-2) and what comes
// right before them (Pre-Series A).
func isEarly(stage []string) bool {
	switch stage[0] {
	case "preseed", "seed", "angel":
		return true
	case "series", "preseries":
		return len(stage) > 1 && stage[1] != "" && (stage[1][0] == 'a' || stage[1][0] == 'b')
	}
	return false
}

// stageTokens are the words of a stage of funding. What comes before another stage is
// one of its own: who asks for Seed or for Series A does not ask for Pre-Seed and
// Pre-Series A.
func stageTokens(stage string) []string {
	tokens := Tokens(stage)
	if i := slices.Index(tokens, "pre"); i >= 0 && i+1 < len(tokens) {
		tokens = slices.Replace(tokens, i, i+2, "pre"+tokens[i+1])
	}
	return tokens
}

// companyType fills a field with the words of a company's type, and the token that marks a
// startup for exactly those that are one, whatever the record calls them.
func (f fields) companyType(name query.Field, c kith.Company) {
	tokens := Tokens(c.Type)
	if slices.Contains(tokens, query.Startup) {
		tokens = slices.DeleteFunc(tokens, func(t string) bool { return t == query.Startup })
	}
	f.words(name, tokens)
	if isStartup(c) {
		f.words(name, startupType())
	}
}

func startupType() []string { return []string{query.Startup} }
