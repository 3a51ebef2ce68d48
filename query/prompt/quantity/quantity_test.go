package quantity_test

import (
	"fmt"
	"testing"

	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
)

func TestRead(t *testing.T) {
	tests := []struct{ text, want string }{
		{"fewer than 50 employees", "size <50 (4)"},
		{"200-500 employees", "size 200-500 (3)"},
		{"10+ years of experience", "years 10+ experience (4)"},
		{"at least five years experience", "years 5+ experience (5)"},
		{"between 10 and 50 people", "size 10-50 (5)"},
		{"1k to 5k staff", "size 1000-5000 (4)"},
		{"1-5k people", "size 1000-5000 (3)"},
		{">1,000 employees", "size >1000 (2)"},
		{"10 years old", "years 10 old open (3)"},
		{"3 to 5 yrs of professional experience", "years 3-5 experience (7)"},
		{"10 or more years of experience", "years 10+ experience (6)"},
		{"500 employees or more", "size 500+ (4)"},
		{"20 people or fewer", "size <=20 (4)"},
		{"less than 2 years or more than 10 years", "years <2 (4)"},
		{"50 employees or fewer than 10", "size 50 open (2)"},
		{"8 yoe", "years 8 experience open (2)"},
		{"18 months", "years 18 months open (2)"},
		{"in the last 2 years", "ago <=2 (5)"},
		{"half a year", "years 6 months open (3)"},
		{"a year and a half", "years 18 months open (5)"},
		{"one and a half years", "years 18 months open (5)"},
		{"two years ago", "ago 1-2 (3)"},
		{"more than 5 years ago", "ago >5 (5)"},
		{"less than 6 months ago", "ago <=6 months (5)"},
		{"3 weeks ago", "ago <=1 months (3)"},
		{"in the past year", "ago <=1 (4)"},
		{"within the last six months", "ago <=6 months (5)"},
		{"last few years", "ago <=3 (3)"},
		{"in the last 90 days", "ago <=3 months (5)"},
		{"in the past two weeks", "ago <=1 months (5)"},
		{"last few weeks", "ago <=1 months (3)"},
		{"this month", "ago <=1 months (2)"},
		{"this quarter", "ago <=3 months (2)"},
		{"mindestens 5 Jahren Erfahrung", "years 5+ experience (4)"},
		{"plus de 10 ans d'expérience", "years >10 experience (5)"},
		{"más de 10 años de experiencia", "years >10 experience (6)"},
		{"weniger als zehn Mitarbeiter", "size <10 (4)"},
		{"zehn bis zwanzig Mitarbeiter", "size 10-20 (4)"},
		{"entre quatre et dix ans d'expérience", "years 4-10 experience (6)"},
		{"entre 10 et 50 salariés", "size 10-50 (5)"},
		{"tra 5 e 10 anni", "years 5-10 (5)"},
		{"tussen de 10 en 50 medewerkers", "size 10-50 (6)"},
		{"mais de cem funcionários", "size >100 (4)"},
		{"más de siete años de experiencia", "years >7 experience (6)"},
		{"minstens vijftien jaar ervaring", "years 15+ experience (4)"},
		{"dos o más años", "years 2+ (4)"},
		{"deux cents employés", "size 200 open (3)"},
		{"5 mil funcionários", "size 5000 open (3)"},
		{"dans les 5 dernières années", "ago <=5 (5)"},
		{"depuis mars 2020", "plain 0 (0)"},
		{"seit März 2020", "date 2020+ March to March (3)"},
		{"2015", "date 2015 open (1)"},
		{"between 2010 and 2015", "date 2010-2015 (4)"},
		{"after 2015", "date >2015 (2)"},
		{"March 2023", "date 2023 March to March open (2)"},
		{"since March 2022", "date 2022+ March to March (3)"},
		{"since March", "date 0+ March to March (2)"},
		{"Q1 2024", "date 2024 January to March open (2)"},
		{"from May 2019 to June 2021", "date 2019-2021 May to June (6)"},
		{"between March 2022 and June 2023", "date 2022-2023 March to June (6)"},
		{"between January and March 2023", "date 2023 January to March (5)"},
		{"between November and March 2023", "date 2022-2023 November to March (5)"},
		{"between 5 March and 9 June 2023", "date 2023 March to June (7)"},
		{"between 2020 and June 2023", "date 2020-2023 (5)"},
		{"between March and 50 employees", "plain 0 (0)"},
		{"the 1990s", "date 1990-1999 (2)"},
		{"2010s", "date 2010-2019 (1)"},
		{"1850s", "plain 0 (0)"},
		{"100s", "plain 0 (0)"},
		{"since 2020", "date 2020+ (2)"},
		{"before 2010", "date <2010 (2)"},
		{"from 2010 to 2015", "date 2010-2015 (4)"},
		{"2,015", "plain 2015 open (1)"},
		{"50-person", "size 40-60 open (2)"},
		{"$5M", "money 5000000 open (1)"},
		{"two hundred people", "size 200 open (3)"},
		{"up to 20 engineers", "plain <=20 (3)"},
		{"more than 5000000 million people", "size >100000000000 (5)"},
		{"about 900000 million employees", "size 80000000000-120000000000 (4)"},
		{"5000b employees", "size 100000000000 open (2)"},
		{"999999999999 million decades", "years 1000000000000 open (3)"},
		{"more than a", "plain 0 (0)"},
		{"50% of", "plain 0 (0)"},
		{"in Berlin", "plain 0 (0)"},
		{"once people", "plain 0 (0)"},
		{"UN employees", "plain 0 (0)"},
		{"due in 5 years", "plain 0 (0)"},
	}
	kinds := []string{"plain", "size", "years", "date", "ago", "money"}
	for _, tt := range tests {
		q, n := quantity.Read(token.Split(tt.text))
		got := kinds[q.Kind] + " " + q.Range()
		if q.First > 0 {
			got += fmt.Sprintf(" %s to %s", q.First, q.Last)
		}
		for _, flag := range []struct {
			set  bool
			word string
		}{{q.Months, "months"}, {q.Experience, "experience"}, {q.Old, "old"}, {q.Open, "open"}} {
			if flag.set {
				got += " " + flag.word
			}
		}
		got += fmt.Sprintf(" (%d)", n)
		if got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}
