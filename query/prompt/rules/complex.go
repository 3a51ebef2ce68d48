package rules

import (
	"kith/query/prompt"
	"kith/query/prompt/rules/cue"
)

// step is a search within the search.
type step struct{}

// template reads a phrase that needs a search of its own.
func (p *parser) template(cue.Cue) bool { return false }

func (p *parser) addSteps(*prompt.Plan) {}
