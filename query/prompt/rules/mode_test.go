package rules_test

import (
	"testing"

	"kith/query/prompt"
)

// A mode that was asked for is obeyed as far as it can be; else a note says why
// not.
func TestMode(t *testing.T) {
	planner := newPlanner(t)
	tests := []struct {
		text        string
		asked, want prompt.Mode
		note        bool
	}{
		{"engineers in Berlin", prompt.Auto, prompt.Simple, false},
		{"Jane Doe at Stripe", prompt.Auto, prompt.Lookup, false},
		{"jane.doe@stripe.com", prompt.Auto, prompt.Lookup, false},
		{"people who worked with Jane Doe", prompt.Auto, prompt.Complex, false},
		{"the best engineers in Berlin", prompt.Auto, prompt.Complex, false},
		{"people who moved from Google to Meta", prompt.Auto, prompt.Complex, false},
		{"engineers in Berlin", prompt.Simple, prompt.Simple, false},
		{"engineers in Berlin", prompt.Lookup, prompt.Lookup, false},
		{"engineers in Berlin", prompt.Complex, prompt.Simple, true},
		{"Jane Doe at Stripe", prompt.Simple, prompt.Simple, false},
		{"Jane Doe at Stripe", prompt.Complex, prompt.Lookup, true},
		{"people who worked with Jane Doe", prompt.Simple, prompt.Complex, true},
	}
	for _, tt := range tests {
		plan, err := planner.Plan(t.Context(), tt.text, tt.asked)
		if err != nil {
			t.Fatal(err)
		}
		if plan.Mode != tt.want || (len(plan.Notes) > 0) != tt.note {
			t.Errorf("%q in mode %s: mode %s, notes %q; want %s, a note: %t", tt.text, tt.asked, plan.Mode, plan.Notes, tt.want, tt.note)
		}
	}
}
