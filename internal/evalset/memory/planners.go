package memory

import (
	"fmt"
	"time"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/planner"
	"kith/query/prompt/rules"
)

// The planners by name.
const (
	Rules   = "rules"
	Grammar = "grammar"
	Both    = "both" // what kith uses
)

// Planner makes a planner by its name.
func Planner(name string, words prompt.Vocabulary, clock func() time.Time) (prompt.Planner, error) {
	lex := lexicon.New()
	switch name {
	case Rules:
		return rules.New(lex, words).At(clock), nil
	case Grammar:
		return planner.New(lex, words).At(clock), nil
	case Both:
		return planner.NewHandover(planner.New(lex, words).At(clock), rules.New(lex, words).At(clock)), nil
	}
	return nil, fmt.Errorf("the planner must be %s, %s or %s (got %q)", Rules, Grammar, Both, name)
}
