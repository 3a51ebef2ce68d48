package relax_test

import (
	"fmt"
	"strings"
	"testing"

	"kith/index/semantic"
	"kith/internal/search/relax"
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
	for _, c := range []struct {
		name   string
		sets   []query.Filters
		beside bool
		want   []string
	}{
		{
			name: "an occupation widens to near terms, and is never dropped",
			sets: []query.Filters{{query.FilterPosition: "growth hacker"}},
			want: []string{
				`7 [position: growth hacker → growth marketer 0.83] position: "growth marketer"`,
				`13 [position: growth hacker → marketing manager 0.70] position: "marketing manager"`,
			},
		},
		{
			name: "a title with a level widens to its function at that level",
			sets: []query.Filters{{query.FilterPosition: "Head of Sales, sales director"}},
			want: []string{
				`1030 [position: Head of Sales, sales director → function: sales; seniority: director] ` +
					`seniority: director; function: sales`,
			},
		},
		{
			name: "at a named company a title widens to its function",
			sets: []query.Filters{{query.FilterPosition: "ux researcher", query.FilterCompany: "Acme"}},
			want: []string{
				`1030 [position: ux researcher → function: design] company: Acme + function: design`,
			},
		},
		{
			name: "a specialty is kept if only the title would be left",
			sets: []query.Filters{{query.FilterPosition: "nurse", query.FilterSkills: "Polish"}},
		},
		{
			name: "a specialty is dropped in about the same place, a place for the specialty",
			sets: []query.Filters{{
				query.FilterPosition: "nurse", query.FilterSkills: "Polish", query.FilterCountry: "Germany",
			}},
			want: []string{
				`250 [skills: Polish → nothing] country: Germany; position: nurse`,
				`135 [country: Germany → DACH] position: nurse; skills: Polish + region: "DACH"`,
				`385 [country: Germany → DACH | skills: Polish → nothing] position: nurse + region: "DACH"`,
				`140 [country: Germany → Europe] position: nurse; skills: Polish + region: "Europe"`,
				`150 [country: Germany → nothing] position: nurse; skills: Polish`,
			},
		},
		{
			name: "two specialties are never missing together",
			sets: []query.Filters{{
				query.FilterPosition: "nurse", query.FilterSkills: "Polish", query.FilterCompanyIndustry: "hospitals",
			}},
			want: []string{
				`250 [companyIndustry: hospitals → nothing] position: nurse; skills: Polish`,
				`250 [skills: Polish → nothing] position: nurse; companyIndustry: hospitals`,
			},
		},
		{
			name: "the business of a chief executive is kept",
			sets: []query.Filters{{
				query.FilterPosition: "chief executive officer", query.FilterCompanyIndustry: "textiles",
				query.FilterCountry: "Germany",
			}},
			want: []string{
				`135 [country: Germany → DACH] position: chief executive officer; companyIndustry: textiles ` +
					`+ region: "DACH"`,
				`140 [country: Germany → Europe] position: chief executive officer; companyIndustry: ` +
					`textiles + region: "Europe"`,
				`150 [country: Germany → nothing] position: chief executive officer; companyIndustry: textiles`,
			},
		},
		{
			name: "product manager is an occupation, not a level",
			sets: []query.Filters{{
				query.FilterPosition: "product manager", query.FilterSkills: "Tekla", query.FilterCountry: "Germany",
			}},
			want: []string{
				`250 [skills: Tekla → nothing] country: Germany; position: product manager`,
				`135 [country: Germany → DACH] position: product manager; skills: Tekla + region: "DACH"`,
				`385 [country: Germany → DACH | skills: Tekla → nothing] position: product manager + region: "DACH"`,
				`140 [country: Germany → Europe] position: product manager; skills: Tekla + region: "Europe"`,
				`150 [country: Germany → nothing] position: product manager; skills: Tekla`,
			},
		},
		{
			name: "without an occupation a skill is kept",
			sets: []query.Filters{{query.FilterFunction: "engineering", query.FilterSkills: "Tekla"}},
		},
		{
			name: "a broader title costs more, a rank is no title",
			sets: []query.Filters{{query.FilterPosition: "pastry chef", query.FilterState: "Ohio"}},
			want: []string{
				`17 [position: pastry chef → patissier 0.60] state: Ohio + position: patissier`,
				`125 [state: Ohio → United States] position: pastry chef + country: "United States"`,
				`188 [position: pastry chef → chef 0.70] state: Ohio + position: chef`,
				`242 [position: pastry chef → patissier 0.60 | state: Ohio → United States] position: ` +
					`patissier + country: "United States"`,
				`313 [position: pastry chef → chef 0.70 | state: Ohio → United States] position: chef + ` +
					`country: "United States"`,
				`135 [state: Ohio → North America] position: pastry chef + region: "North America"`,
				`140 [state: Ohio → Americas] position: pastry chef + region: "Americas"`,
				`150 [state: Ohio → nothing] position: pastry chef`,
			},
		},
		{
			name: "beside an occupation a grade is dropped, a rank is not",
			sets: []query.Filters{
				{query.FilterPosition: "nurse", query.FilterSeniority: "senior"}, {query.FilterPastSeniority: "manager"},
			},
			want: []string{
				"115 [seniority: senior → entry, senior, lead] position: nurse + pastSeniority: manager + " +
					"seniority: entry, senior, lead",
				"115 [pastSeniority: manager → lead, manager, director] position: nurse; seniority: senior + " +
					"pastSeniority: lead, manager, director",
				"150 [seniority: senior → nothing] position: nurse + pastSeniority: manager",
				"230 [seniority: senior → entry, senior, lead | pastSeniority: manager → lead, manager, director] " +
					"position: nurse + seniority: entry, senior, lead + pastSeniority: lead, manager, director",
				"265 [seniority: senior → nothing | pastSeniority: manager → lead, manager, director] " +
					"position: nurse + pastSeniority: lead, manager, director",
			},
		},
		{
			name: "a place widens in steps, and is dropped last",
			sets: []query.Filters{{query.FilterFunction: "engineering", query.FilterCity: "Munich"}},
			want: []string{
				`105 [city: Munich → Munich Metropolitan Area; Upper Bavaria] function: engineering + metro: ` +
					`"Munich Metropolitan Area", "Upper Bavaria"`,
				`115 [city: Munich → Bavaria, Germany] function: engineering + state: "Bavaria, Germany"`,
				`125 [city: Munich → Germany] function: engineering + country: "Germany"`,
				`135 [city: Munich → DACH] function: engineering + region: "DACH"`,
				`140 [city: Munich → Europe] function: engineering + region: "Europe"`,
				`150 [city: Munich → nothing] function: engineering`,
			},
		},
		{
			name: "with another change, nearer places come first, too",
			sets: []query.Filters{{query.FilterPosition: "growth hacker", query.FilterCity: "Munich"}},
			want: []string{
				`7 [position: growth hacker → growth marketer 0.83] city: Munich + position: "growth marketer"`,
				`13 [position: growth hacker → marketing manager 0.70] city: Munich + position: "marketing manager"`,
				`105 [city: Munich → Munich Metropolitan Area; Upper Bavaria] position: growth hacker + ` +
					`metro: "Munich Metropolitan Area", "Upper Bavaria"`,
				`115 [city: Munich → Bavaria, Germany] position: growth hacker + state: "Bavaria, Germany"`,
				`125 [city: Munich → Germany] position: growth hacker + country: "Germany"`,
				`212 [city: Munich → Munich Metropolitan Area; Upper Bavaria | position: growth hacker → ` +
					`growth marketer 0.83] metro: "Munich Metropolitan Area", "Upper Bavaria" + position: "growth marketer"`,
				`222 [city: Munich → Bavaria, Germany | position: growth hacker → growth marketer 0.83] ` +
					`state: "Bavaria, Germany" + position: "growth marketer"`,
				`232 [city: Munich → Germany | position: growth hacker → growth marketer 0.83] country: ` +
					`"Germany" + position: "growth marketer"`,
				`135 [city: Munich → DACH] position: growth hacker + region: "DACH"`,
				`140 [city: Munich → Europe] position: growth hacker + region: "Europe"`,
				`150 [city: Munich → nothing] position: growth hacker`,
			},
		},
		{
			name: "without the other circumstances a place still widens step by step",
			sets: []query.Filters{{
				query.FilterPosition: "nurse", query.FilterCity: "Munich", query.FilterCompanySize: "50-200",
				query.FilterExperienceYears: "5+",
			}},
			want: []string{
				`105 [city: Munich → Munich Metropolitan Area; Upper Bavaria] position: nurse; companySize: ` +
					`50-200; experienceYears: 5+ + metro: "Munich Metropolitan Area", "Upper Bavaria"`,
				`110 [companySize: 50-200 → 25-300] city: Munich; position: nurse; experienceYears: 5+ + ` +
					`companySize: 25-300`,
				`110 [experienceYears: 5+ → >=2] city: Munich; position: nurse; companySize: 50-200 + ` +
					`experienceYears: >=2`,
				`115 [city: Munich → Bavaria, Germany] position: nurse; companySize: 50-200; ` +
					`experienceYears: 5+ + state: "Bavaria, Germany"`,
				`125 [city: Munich → Germany] position: nurse; companySize: 50-200; experienceYears: 5+ + ` +
					`country: "Germany"`,
				`145 [companySize: 50-200 → nothing] city: Munich; position: nurse; experienceYears: 5+`,
				`145 [experienceYears: 5+ → nothing] city: Munich; position: nurse; companySize: 50-200`,
				`220 [companySize: 50-200 → 25-300 | experienceYears: 5+ → >=2] city: Munich; position: ` +
					`nurse + companySize: 25-300 + experienceYears: >=2`,
				`235 [city: Munich → Germany | companySize: 50-200 → 25-300] position: nurse; ` +
					`experienceYears: 5+ + country: "Germany" + companySize: 25-300`,
				`235 [city: Munich → Germany | experienceYears: 5+ → >=2] position: nurse; companySize: ` +
					`50-200 + country: "Germany" + experienceYears: >=2`,
				`415 [city: Munich → Germany | companySize: 50-200 → nothing | experienceYears: 5+ → ` +
					`nothing] position: nurse + country: "Germany"`,
				`135 [city: Munich → DACH] position: nurse; companySize: 50-200; experienceYears: 5+ + ` +
					`region: "DACH"`,
				`245 [city: Munich → DACH | companySize: 50-200 → 25-300] position: nurse; experienceYears: ` +
					`5+ + region: "DACH" + companySize: 25-300`,
				`245 [city: Munich → DACH | experienceYears: 5+ → >=2] position: nurse; companySize: 50-200 ` +
					`+ region: "DACH" + experienceYears: >=2`,
				`425 [city: Munich → DACH | companySize: 50-200 → nothing | experienceYears: 5+ → nothing] ` +
					`position: nurse + region: "DACH"`,
				`140 [city: Munich → Europe] position: nurse; companySize: 50-200; experienceYears: 5+ + ` +
					`region: "Europe"`,
				`250 [city: Munich → Europe | companySize: 50-200 → 25-300] position: nurse; ` +
					`experienceYears: 5+ + region: "Europe" + companySize: 25-300`,
				`430 [city: Munich → Europe | companySize: 50-200 → nothing | experienceYears: 5+ → nothing] ` +
					`position: nurse + region: "Europe"`,
				`150 [city: Munich → nothing] position: nurse; companySize: 50-200; experienceYears: 5+`,
				`440 [city: Munich → nothing | companySize: 50-200 → nothing | experienceYears: 5+ → ` +
					`nothing] position: nurse`,
			},
		},
		{
			name: "names and exclusions are kept",
			sets: []query.Filters{{
				query.FilterCompany: "Acme", query.FilterSchool: "MIT", query.FilterSeniority: "-intern, director",
			}},
			want: []string{
				"115 [seniority: director → manager, director, vp] company: Acme; seniority: -intern; school: MIT + " +
					"seniority: manager, director, vp",
			},
		},
		{
			name: "ranges widen by half",
			sets: []query.Filters{{
				query.FilterFunction: "sales", query.FilterCompanySize: "1,000-5,000",
			}},
			want: []string{
				"110 [companySize: 1000-5000 → 500-7500] function: sales + companySize: 500-7500",
				"145 [companySize: 1000-5000 → nothing] function: sales",
			},
		},
		{
			name: "years as a length and as a date",
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
			name: "required values widen one by one",
			sets: []query.Filters{{query.FilterSkills: "+kubernetes, +Go"}},
			want: []string{
				`11 [skills: +kubernetes → container orchestration 0.75] skills: +Go + skills: "container orchestration"`,
			},
		},
		{
			name: "a level alone is kept; founders are not a level, and not any founder",
			sets: []query.Filters{{query.FilterSeniority: "founder", query.FilterCity: "Nairobi"}},
			want: []string{
				`105 [city: Nairobi → Greater Nairobi] seniority: founder + metro: "Greater Nairobi"`,
				`115 [city: Nairobi → Nairobi County, Kenya] seniority: founder + state: "Nairobi County, Kenya"`,
				`125 [city: Nairobi → Kenya] seniority: founder + country: "Kenya"`,
				`135 [city: Nairobi → East Africa] seniority: founder + region: "East Africa"`,
				`140 [city: Nairobi → Africa] seniority: founder + region: "Africa"`,
			},
		},
		{name: "a name alone", sets: []query.Filters{{query.FilterPersonName: "Jane Doe"}}},
		{name: "a place alone", sets: []query.Filters{{query.FilterCountry: "Germany"}}},
		{
			name: "a place beside something else", beside: true, sets: []query.Filters{{query.FilterCountry: "Germany"}},
			want: []string{
				`135 [country: Germany → DACH] region: "DACH"`,
				`140 [country: Germany → Europe] region: "Europe"`,
				`150 [country: Germany → nothing] `,
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

// However many conditions there are, the variants are few and ordered: by distance, then by cost.
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
		if before := all[max(0, i-1)]; farAway(v) < farAway(before) || farAway(v) == farAway(before) && v.Cost < before.Cost {
			t.Errorf("variant %d comes too late: %s", i, text(v))
		}
		if v.Sets[0][query.FilterCompany] != "-Acme" {
			t.Errorf("an exclusion was changed: %s", text(v))
		}
	}
}
