package cue_test

import (
	"slices"
	"testing"

	"kith/query/prompt/rules/cue"
)

func TestFind(t *testing.T) {
	tests := map[string][]cue.Cue{
		"in":                {cue.In},
		"used to":           {cue.Past},
		"ex":                {cue.Past},
		"who used to":       {cue.Past},
		"worked with":       {cue.WorkedWith},
		"alumni of":         {cue.Alumni},
		"alumni":            {cue.Alumnus},
		"not at":            {cue.NotAt},
		"or":                {cue.Or},
		"previous job":      {cue.PreviousJob},
		"headquartered in":  {cue.Seat},
		"same school as":    {cue.SameSchool},
		"moved from":        {cue.Moved},
		"graduated from":    {cue.Studied},
		"who runs":          {cue.Leads},
		"backend engineers": nil,
		"":                  nil,
	}
	for phrase, want := range tests {
		if got := cue.Find(phrase); !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %q, want %q", phrase, got, want)
		}
	}
}

// Some phrases say several things; the likeliest comes first.
func TestFindAmbiguous(t *testing.T) {
	for phrase, want := range map[string]cue.Cue{"left": cue.Left, "for": cue.For, "by": cue.By} {
		got := cue.Find(phrase)
		if len(got) == 0 || got[0] != want {
			t.Errorf("Find(%q) = %q, want %q first", phrase, got, want)
		}
	}
}
