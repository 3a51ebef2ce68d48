// Package prompt turns the text of a search into a plan: what is asked, in
// terms of the filters of the API. Planning is pure and deterministic. A prompt
// is never an error and never means everyone.
package prompt

import (
	"context"

	"kith/query"
)

// Mode is how a prompt is to be understood, or was.
type Mode string

// The modes. Auto is for asking only: a plan has one of the others.
const (
	Auto    Mode = "auto"
	Lookup  Mode = "lookup"  // one particular person
	Simple  Mode = "simple"  // everything asked is a filter
	Complex Mode = "complex" // needs several searches or a judgement
)

// Planner makes a plan of a prompt of 1 to kith.MaxPromptLength code points.
// An error is for what the planner depends on; no text is one. A planner is
// safe for concurrent use, and the same text and mode give the same plan.
type Planner interface {
	Plan(ctx context.Context, text string, mode Mode) (Plan, error)
}

// Plan is what a prompt was understood to ask. All filters must hold.
type Plan struct {
	// Mode is the mode that the plan is executed in.
	Mode Mode
	// Filters have each a name of their own.
	Filters []Filter
	// Nothing is true for a prompt that has no word in it: no one matches.
	Nothing bool
	// Criteria are soft wishes, Steps the searches of a complex plan, Ignored
	// the words of the prompt that say nothing, Notes remarks for the caller.
	Criteria, Steps, Ignored, Notes []string
}

// Filter is one filter that a prompt was understood to ask for.
type Filter struct {
	Name query.FilterName
	// Value is in the filter grammar: as a filter of a request it asks the same.
	Value string
	// Text is the part of the prompt that the filter comes from, and Span where
	// it stands: from and to, in Unicode code points.
	Text string
	Span [2]int
	// Excluded is true where the filter says what must not be.
	Excluded bool
}

// Values returns the filters as a request gives them.
func (p Plan) Values() query.Filters {
	values := make(query.Filters, len(p.Filters))
	for _, f := range p.Filters {
		values[f.Name] = f.Value
	}
	return values
}
