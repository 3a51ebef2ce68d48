package loader_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
)

// nothing stores neither relationships nor sequences.
type nothing struct{}

func (nothing) PutRelations(_ context.Context, relations []loader.Relation) ([]loader.Related, error) {
	return make([]loader.Related, len(relations)), nil
}

func (nothing) PutSequence(context.Context, loader.Sequence) (loader.Related, error) {
	return loader.Related{}, nil
}

// A reason names the expected type of a member of any type.
func TestReasonsNameTheExpectedType(t *testing.T) {
	related, planned := `{"app":"a","external_user_id":"u","identifier":"x",`,
		`{"app":"a","external_user_id":"u","name":"n","leads":[{"social_url":"x",`
	for _, c := range []struct {
		kind         record.Kind
		line, reason string
	}{
		{record.Relationships, related + `"score":"5"}`, "score: must be a number, not a string"},
		{record.Relationships, related + `"score":1e999}`, "score: is too large a number"},
		{record.Relationships, related + `"types":5}`, "types: must be an array, not a number"},
		{
			record.Sequences, planned + `"next_followup_at":"2020"}]}`,
			"leads[0].next_followup_at: is not a time such as 2026-03-01T12:00:00Z",
		},
		{record.Sequences, planned + `"next_followup_at":2020}]}`, "leads[0].next_followup_at: must be a time, not a number"},
		{
			record.Sequences, planned + `"selected_introducers":[{"is_direct":"yes"}]}]}`,
			"leads[0].selected_introducers[0].is_direct: must be a boolean, not a string",
		},
		{
			record.Companies, `{"name":"Acme","domain":"not a domain"}`,
			`domain: is not a domain such as acme.example: "not a domain"`,
		},
	} {
		load := loader.New(recordtest.NewStore())
		load.Relations, load.Sequences = nothing{}, nothing{}
		path := filepath.Join(t.TempDir(), "r")
		_, err := load.File(t.Context(), "-", loader.Options{Kind: c.kind, Rejects: path, Stdin: strings.NewReader(c.line)})
		check(t, err)
		if got := readRejects(t, path); len(got) != 1 || got[0].Reason != c.reason {
			t.Errorf("%s is rejected as %+v, not %q", c.line, got, c.reason)
		}
	}
}
