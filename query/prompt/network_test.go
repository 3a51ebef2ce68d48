package prompt_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"kith/internal/test/expect"
	"kith/query/prompt"
)

// The plan shows its network, and cursors of a walk preserve it.
func TestNetworkIsPrintedAndSurvivesJSON(t *testing.T) {
	source := prompt.Source{Text: "people I know", Span: [2]int{0, 13}}
	for want, n := range map[string]prompt.Network{
		"degree 1":              {Source: source, Degrees: []int{1}},
		"degrees 1, 2":          {Source: source, Degrees: []int{1, 2}},
		"degree 1; by strength": {Source: source, Degrees: []int{1}, Order: prompt.ByStrength},
		"introducers of step 1": {Source: source, Degrees: []int{1}, IntroducersOf: new(int)},
		"degree 1; last contact before 2026-08-27": {
			Source: source, Degrees: []int{1}, LastContact: &prompt.LastContact{Before: "2026-08-27"},
		},
		"degree 1; last contact from 2026-10-01 before 2026-11-01 (email)": {
			Source: source, Degrees: []int{1},
			LastContact: &prompt.LastContact{
				After: "2026-10-01", Before: "2026-11-01", Channel: "email",
			},
		},
	} {
		plan := prompt.Plan{Mode: prompt.Simple, Network: &n}
		if got := plan.String(); got != "simple\nnetwork: "+want+"  ← \"people I know\"\n" {
			t.Errorf("got %q", got)
		}
		text, err := json.Marshal(plan)
		expect.NoError(t, err)
		var back prompt.Plan
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, plan) {
			t.Errorf("%v: %s was read as %+v", err, text, back)
		}
	}
}
