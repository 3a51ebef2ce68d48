package quantity_test

import (
	"fmt"
	"testing"

	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
)

func TestReadQuantities(t *testing.T) {
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
		{"last year", "plain 0 (0)"},
		{"last month", "ago <=1 months (2)"},
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
		{"10 000 employees", "size 10000 open (3)"},
		{"1\u2009200\u2009000+ employees", "size 1200000+ (4)"},
		{"5 1000 employees", "plain 5 open (1)"},
		{"150 municipal employees", "size 150 open (3)"},
		{"200 full-time staff", "size 200 open (4)"},
		{"300 permanent workers", "size 300 open (3)"},
		{"10 regular years", "plain 10 open (1)"},
		{"staff of about 60", "size 48-72 (4)"},
		{"a staff of 60", "size 60 open (4)"},
		{"a team of 12", "size 12 open (4)"},
		{"workforce of 500", "size 500 open (3)"},
		{"employs 300", "size 300 open (2)"},
		{"employing 100 to 200 people", "size 100-200 (5)"},
		{"headcount. 60", "plain 0 (0)"},
		{"over 500 staff", "size >500 (3)"},
		{"headcount above 200", "size >200 (3)"},
		{"min. 200 employees", "size 200+ (3)"},
		{"between 50 and at most 200 employees", "size 50-200 (7)"},
		{"more than 500 but fewer than 100 employees", "size 501+, -501+ (8)"},
		{"a dozen employees", "size 12 open (3)"},
		{"half a dozen employees", "size 6 open (4)"},
		{"several hundred employees", "plain 0 (0)"},
		{"hundred employees", "plain 0 (0)"},
		{"fewer than a hundred staff", "size <100 (5)"},
		{"twenty-five years", "years 25 open (3)"},
		{"two hundred and fifty people", "size 250 open (5)"},
		{"between one hundred and two hundred people", "size 100-200 (7)"},
		{"three hundred thousand people", "size 300000 open (4)"},
		{"twenty years or so", "years 16-24 (4)"},
		{"50 or so people", "size 40-60 (4)"},
		{"about a year", "years 1 (3)"},
		{"three years or longer", "years 3+ (4)"},
		{"three or more years", "years 3+ (4)"},
		{"five-plus years", "years 5+ (3)"},
		{"15+ yrs", "years 15+ (2)"},
		{"at most three of them", "plain <=3 (5)"},
		{"since January", "date 0+ January to January (2)"},
		{"since last spring", "date 0+ March to May (3)"},
		{"the end of 2023", "date 2023 October to December open (4)"},
		{"early 2023", "date 2023 January to March open (2)"},
		{"the end of March 2023", "date 2023 March to March open (5)"},
		{"before the end of 2023", "date <=2023 October to December (5)"},
		{"after the beginning of 2023", "date 2023+ January to March (5)"},
		{"late 50 employees", "plain 0 (0)"},
		{"January 2021 to the end of 2023", "date 2021-2023 January to December (7)"},
		{"between January 2021 and the end of 2023", "date 2021-2023 January to December (8)"},
		{"2010, 2011 or 2012", "date 2010-2012 (4)"},
		{"2010 or 2011", "date 2010-2011 (3)"},
		{"2010, 2011", "date 2010 open (1)"},
		{"2010 or 2013", "date 2010 open (1)"},
		{"2010 or 2011 employees", "date 2010 open (1)"},
		{"the nineties", "date 1990-1999 (2)"},
		{"the 90s", "date 1990-1999 (2)"},
		{"nineties", "plain 0 (0)"},
		{"the early 1990s", "date 1990-1993 (3)"},
		{"mid 2010s", "date 2013-2016 (2)"},
		{"the late nineties", "date 1996-1999 (3)"},
		{"at the end of 2023", "date 2023 October to December open (5)"},
		{"two a hundred people", "size 200 open (4)"},
		{"1990s", "date 1990-1999 (1)"},
		{"2016-2018", "date 2016-2018 (2)"},
		{"2016 to 2018", "date 2016-2018 (3)"},
		{"1890–1920", "date 1890-1920 (2)"},
		{"1890-1920 employees", "size 1890-1920 (3)"},
		{"since 1850", "date 1850+ (2)"},
		{"in 1850", "date 1850 open (2)"},
		{"in 1850 people", "plain 0 (0)"},
		{"in 2015", "plain 0 (0)"},
		{"up to 1850", "plain <=1850 (3)"},
		{"from 1700 to 1800 employees", "size 1700-1800 (5)"},
		{"no earlier than 2015", "date 2015+ (4)"},
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

// FuzzRead reads any text. A quantity takes no more than the given tokens, and its numbers fit into a filter.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"between the end of 2023 and two hundred million million people", "1 000 000 000 000 000 years or so",
		"since last early '09 to mid 90s", "half a dozen of them, 2010, 2011 or 2012", "dos o mil o más a ein jahre",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tokens := token.Split(text)
		q, n := quantity.Read(tokens)
		if n < 0 || n > len(tokens) {
			t.Errorf("%d of %d tokens", n, len(tokens))
		}
		if limit := int64(12e12); q.A < 0 || q.B < 0 || q.A > limit || q.B > limit {
			t.Errorf("%d and %d", q.A, q.B)
		}
	})
}
