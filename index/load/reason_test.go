package load_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"kith/index/load"
)

// nothing stores neither relationships nor sequences.
type nothing struct{}

func (nothing) PutRelations(_ context.Context, relations []load.Relation) ([]load.Related, error) {
	return make([]load.Related, len(relations)), nil
}

func (nothing) PutSequence(context.Context, load.Sequence) (load.Related, error) {
	return load.Related{}, nil
}

// A reason names the expected type of a member of any type.
func TestReasonsNameTheExpectedType(t *testing.T) {
	related, planned := `{"app":"a","external_user_id":"u","identifier":"x",`,
		`{"app":"a","external_user_id":"u","name":"n","leads":[{"social_url":"x",`
	for _, c := range []struct {
		kind         load.Kind
		line, reason string
	}{
		{load.Relationships, related + `"score":"5"}`, "score: must be a number, not a string"},
		{load.Relationships, related + `"score":1e999}`, "score: is too large a number"},
		{load.Relationships, related + `"types":5}`, "types: must be an array, not a number"},
		{
			load.Sequences, planned + `"next_followup_at":"2020"}]}`,
			"leads[0].next_followup_at: is not a time such as 2026-03-01T12:00:00Z",
		},
		{load.Sequences, planned + `"next_followup_at":2020}]}`, "leads[0].next_followup_at: must be a time, not a number"},
		{
			load.Sequences, planned + `"selected_introducers":[{"is_direct":"yes"}]}]}`,
			"leads[0].selected_introducers[0].is_direct: must be a boolean, not a string",
		},
		{
			load.Companies, `{"name":"Acme","domain":"not a domain"}`,
			`domain: is not a domain such as acme.example: "not a domain"`,
		},
	} {
		loader := load.NewLoader(newStore())
		loader.Relations, loader.Sequences = nothing{}, nothing{}
		path := filepath.Join(t.TempDir(), "r")
		_, err := loader.File(t.Context(), "-", load.Options{Kind: c.kind, Rejects: path, Stdin: strings.NewReader(c.line)})
		check(t, err)
		if got := readRejects(t, path); len(got) != 1 || got[0].Reason != c.reason {
			t.Errorf("%s is rejected as %+v, not %q", c.line, got, c.reason)
		}
	}
}
