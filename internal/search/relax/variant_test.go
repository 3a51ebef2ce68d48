package relax_test

import (
	"fmt"
	"strings"
	"testing"

	"kith/index/analysis"
	"kith/index/semantic"
	"kith/internal/search/relax"
	"kith/query"
)

// near is a table of near terms.
func near(_ query.FilterName, phrase string) []semantic.Neighbour {
	term := func(text string, similarity float64) semantic.Neighbour {
		return semantic.Neighbour{Term: semantic.Term{Term: analysis.Term{Text: text}}, Similarity: similarity}
	}
	switch phrase {
	case "growth hacker":
		return []semantic.Neighbour{
			term("growth hacker intern", 0.95), term("growth marketer", 0.83),
			term("marketing manager", 0.7),
		}
	case "kubernetes":
		return []semantic.Neighbour{term("container orchestration", 0.75)}
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

func TestVariants(t *testing.T) {
	for _, c := range []struct {
		name   string
		sets   []query.Filters
		beside bool
		want   []string
	}{
		{
			name: "near terms first, then what the title does; a title alone is not given up",
			sets: []query.Filters{{query.FilterPosition: "growth hacker"}},
			want: []string{
				`7 [position: growth hacker → growth marketer 0.83] position: growth marketer`,
				`13 [position: growth hacker → marketing manager 0.70] position: marketing manager`,
				`1030 [position: growth hacker → function: marketing] function: marketing`,
			},
		},
		{
			name: "a place widens by steps, and is given up last",
			sets: []query.Filters{{query.FilterFunction: "engineering", query.FilterCity: "Munich"}},
			want: []string{
				`105 [city: Munich → Munich Metropolitan Area; Upper Bavaria] function: engineering + metro: "Munich Metropolitan Area", "Upper Bavaria"`,
				`115 [city: Munich → Bavaria, Germany] function: engineering + state: "Bavaria, Germany"`,
				`125 [city: Munich → Germany] function: engineering + country: "Germany"`,
				`135 [city: Munich → DACH] function: engineering + region: "DACH"`,
				`170 [city: Munich → nothing] function: engineering`,
			},
		},
		{
			name: "names and what must not be stay",
			sets: []query.Filters{{
				query.FilterCompany: "Acme", query.FilterSchool: "MIT",
				query.FilterSeniority: "-intern, director",
			}},
			want: []string{
				`115 [seniority: director → manager, director, vp] company: Acme; seniority: -intern; school: MIT + seniority: manager, director, vp`,
				`1050 [seniority: director → nothing] company: Acme; seniority: -intern; school: MIT`,
			},
		},
		{
			name: "ranges by half",
			sets: []query.Filters{{
				query.FilterFunction: "sales", query.FilterCompanySize: "1,000-5,000",
			}},
			want: []string{
				"110 [companySize: 1000-5000 → 500-7500] function: sales + companySize: 500-7500",
				"145 [companySize: 1000-5000 → nothing] function: sales",
			},
		},
		{
			name: "years, of a length and of the calendar",
			sets: []query.Filters{
				{query.FilterSchool: "MIT", query.FilterExperienceYears: ">10 years"},
				{query.FilterGraduationYear: "2010-2020"},
			},
			want: []string{
				"110 [experienceYears: >10 years → >=5] school: MIT + graduationYear: 2010-2020 + experienceYears: >=5",
				"110 [graduationYear: 2010-2020 → 2005-2025] experienceYears: >10 years; school: MIT + graduationYear: 2005-2025",
				"145 [experienceYears: >10 years → nothing] school: MIT + graduationYear: 2010-2020",
				"145 [graduationYear: 2010-2020 → nothing] experienceYears: >10 years; school: MIT",
				"220 [experienceYears: >10 years → >=5 | graduationYear: 2010-2020 → 2005-2025] school: MIT + experienceYears: " +
					">=5 + graduationYear: 2005-2025",
				"255 [experienceYears: >10 years → >=5 | graduationYear: 2010-2020 → nothing] school: MIT + experienceYears: >=5",
				"255 [experienceYears: >10 years → nothing | graduationYear: 2010-2020 → 2005-2025] school: MIT + " +
					"graduationYear: 2005-2025",
				"290 [experienceYears: >10 years → nothing | graduationYear: 2010-2020 → nothing] school: MIT",
			},
		},
		{
			name: "each thing that is required is one; two changes come last",
			sets: []query.Filters{{query.FilterSkills: "+kubernetes, +Go"}},
			want: []string{
				"11 [skills: +kubernetes → container orchestration 0.75] skills: +Go + skills: container orchestration",
				"155 [skills: +kubernetes → nothing] skills: +Go",
				"155 [skills: +Go → nothing] skills: +kubernetes",
				"266 [skills: +kubernetes → container orchestration 0.75 | skills: +Go → nothing] skills: container orchestration",
			},
		},
		{
			name: "a level is enough where nothing says more",
			sets: []query.Filters{{query.FilterSeniority: "founder", query.FilterCity: "Nairobi"}},
			want: []string{
				`105 [city: Nairobi → Greater Nairobi] seniority: founder + metro: "Greater Nairobi"`,
				`115 [city: Nairobi → Nairobi County, Kenya] seniority: founder + state: "Nairobi County, Kenya"`,
				`115 [seniority: founder → cxo, founder, partner] city: Nairobi + seniority: cxo, founder, partner`,
				`125 [city: Nairobi → Kenya] seniority: founder + country: "Kenya"`,
				`135 [city: Nairobi → East Africa] seniority: founder + region: "East Africa"`,
				`170 [city: Nairobi → nothing] seniority: founder`,
				`250 [city: Nairobi → East Africa | seniority: founder → cxo, founder, partner] region: "East Africa" + seniority: cxo, founder, partner`,
				`285 [city: Nairobi → nothing | seniority: founder → cxo, founder, partner] seniority: cxo, founder, partner`,
			},
		},
		{
			name: "the last resort gives up skills before what people do",
			sets: []query.Filters{{
				query.FilterPosition: "court interpreter", query.FilterCountry: "Germany",
				query.FilterSkills: "+German, +Polish",
			}},
			want: []string{
				`135 [country: Germany → DACH] position: court interpreter; skills: +German, +Polish + region: "DACH"`,
				`155 [skills: +German → nothing] country: Germany; position: court interpreter; skills: +Polish`,
				`155 [skills: +Polish → nothing] country: Germany; position: court interpreter; skills: +German`,
				`170 [country: Germany → nothing] position: court interpreter; skills: +German, +Polish`,
				`290 [country: Germany → DACH | skills: +German → nothing] position: court interpreter; skills: +Polish + region: "DACH"`,
				`290 [country: Germany → DACH | skills: +Polish → nothing] position: court interpreter; skills: +German + region: "DACH"`,
				`310 [skills: +German → nothing | skills: +Polish → nothing] country: Germany; position: court interpreter`,
				`325 [country: Germany → nothing | skills: +German → nothing] position: court interpreter; skills: +Polish`,
				`325 [country: Germany → nothing | skills: +Polish → nothing] position: court interpreter; skills: +German`,
				`480 [country: Germany → nothing | skills: +German → nothing | skills: +Polish → nothing] position: court interpreter`,
				`1030 [position: court interpreter → function: communications] country: Germany; skills: +German, +Polish + function: communications`,
				`1065 [country: Germany → DACH | position: court interpreter → function: communications] skills: +German, +Polish + region: "DACH" + function: communications`,
				`1085 [position: court interpreter → function: communications | skills: +German → nothing] country: Germany; skills: +Polish + function: communications`,
				`1085 [position: court interpreter → function: communications | skills: +Polish → nothing] country: Germany; skills: +German + function: communications`,
				`1210 [country: Germany → nothing | skills: +German → nothing | skills: +Polish → nothing | position: court interpreter → function: communications] function: communications`,
			},
		},
		{
			name: "names of one thing of which some are of no function",
			sets: []query.Filters{{query.FilterPosition: "harbormaster, \"harbor pilot\""}},
			want: []string{
				`1030 [position: harbormaster, "harbor pilot" → function: supply_chain] function: supply_chain`,
			},
		},
		{name: "a name alone", sets: []query.Filters{{query.FilterPersonName: "Jane Doe"}}},
		{name: "a place alone", sets: []query.Filters{{query.FilterCountry: "Germany"}}},
		{
			name: "a place beside something else", beside: true, sets: []query.Filters{{query.FilterCountry: "Germany"}},
			want: []string{
				`135 [country: Germany → DACH] region: "DACH"`,
				`170 [country: Germany → nothing] `,
			},
		},
		{name: "nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, v := range relax.Variants(c.sets, c.beside, near) {
				got = append(got, text(v))
			}
			if a, b := strings.Join(got, "\n"), strings.Join(c.want, "\n"); a != b {
				t.Errorf("got\n%s\nwant\n%s", a, b)
			}
		})
	}
}

// However much is asked, the variants are few, in order, and each asks for something that can be compiled.
func TestVariantsOfMuch(t *testing.T) {
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
		if i > 0 && v.Cost < all[i-1].Cost {
			t.Errorf("variant %d costs less than the one before: %s", i, text(v))
		}
		if v.Sets[0][query.FilterCompany] != "-Acme" {
			t.Errorf("what must not be was changed: %s", text(v))
		}
	}
}
