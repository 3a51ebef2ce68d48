package relax_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"kith/index/semantic"
	"kith/internal/search/relax"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
)

// near is a table of near terms.
func near(_ query.FilterName, phrase string) []semantic.Neighbour {
	term := func(text string, similarity float64) semantic.Neighbour {
		return semantic.Neighbour{Term: semantic.Term{Term: analysis.Term{Text: text}}, Similarity: similarity}
	}
	switch phrase {
	case "growth hacker":
		return []semantic.Neighbour{
			term("growth hacker intern", 0.95), term("growth marketer", 0.83), term("marketing manager", 0.7),
		}
	case "kubernetes":
		return []semantic.Neighbour{term("container orchestration", 0.75)}
	case "pastry chef":
		return []semantic.Neighbour{term("chef", 0.7), term("patissier", 0.6), term("manager", 0.6)}
	}
	return nil
}

func text(v relax.Variant) string {
	var sets, missing []string
	for _, set := range v.Sets {
		if len(set) > 0 {
			sets = append(sets, set.Text())
		}
	}
	for _, m := range v.Missing {
		instead := "nothing"
		if m.Instead != nil {
			instead = *m.Instead
		}
		if m.Similarity != nil {
			instead += fmt.Sprintf(" %.2f", *m.Similarity)
		}
		missing = append(missing, fmt.Sprintf("%s: %s → %s", m.Field, m.Value, instead))
	}
	return fmt.Sprintf("%d [%s] %s", v.Cost, strings.Join(missing, " | "), strings.Join(sets, " + "))
}

func TestVariantsRelaxConditions(t *testing.T) {
	data, err := os.ReadFile("testdata/variants.yaml")
	expect.NoError(t, err)
	var cases []struct {
		Name   string
		Sets   []query.Filters
		Beside bool
		Want   []string
	}
	expect.NoError(t, yaml.Unmarshal(data, &cases))
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var got []string
			for _, v := range relax.Variants(c.Sets, c.Beside, near) {
				got = append(got, text(v))
			}
			if a, b := strings.Join(got, "\n"), strings.Join(c.Want, "\n"); a != b {
				t.Errorf("got\n%s\nwant\n%s", a, b)
			}
		})
	}
}

// farAway is how far from Munich and Berlin the people of a variant may live.
func farAway(v relax.Variant) int {
	for _, m := range v.Missing {
		switch {
		case m.Field != query.FilterCity:
		case m.Instead == nil:
			return 3
		case *m.Instead == "Europe":
			return 2
		case *m.Instead == "DACH":
			return 1
		}
	}
	return 0
}

// However many conditions there are, the variants are few and ordered: by distance, then by cost, and broad ones last.
func TestVariantsOfManyConditionsAreBoundedAndOrdered(t *testing.T) {
	sets := []query.Filters{{
		query.FilterPosition: "senior growth hacker, designer", query.FilterCity: "Munich, Berlin",
		query.FilterSkills:    "kubernetes, +Go",
		query.FilterSeniority: "director", query.FilterCompanySize: "50-200", query.FilterExperienceYears: "5+",
		query.FilterCompanyIndustry: "software", query.FilterCompany: "-Acme",
	}}
	all := relax.Variants(sets, false, near)
	if len(all) != relax.MaxVariants {
		t.Errorf("%d variants, want %d", len(all), relax.MaxVariants)
	}
	for i, v := range all {
		before := all[max(0, i-1)]
		if nearer := farAway(v) - farAway(before); !v.Broad && nearer < 0 || (v.Broad || nearer == 0) &&
			v.Cost < before.Cost {
			t.Errorf("variant %d comes too late: %s", i, text(v))
		}
		if v.Sets[0][query.FilterCompany] != "-Acme" {
			t.Errorf("an exclusion was changed: %s", text(v))
		}
	}
}
