package analysis_test

import (
	"slices"
	"testing"

	"kith"
	"kith/query"
	"kith/query/analysis"
)

// numberOf is the number in a field of a person, and whether it is known.
func numberOf(t *testing.T, p kith.Person, f query.Field) (int64, bool) {
	t.Helper()
	v, known := document(t, p).Fields.Numbers[f]
	return v, known
}

// In each field, the better person has the higher number.
func TestJudgementsRankTheBetterPersonFirst(t *testing.T) {
	big := career(t, "Engineer @ Big 2010-01..")
	big.WorkHistory[0].Company.EmployeeCount = 100000
	schooled := career(t, "Engineer @ A 2010-01..")
	schooled.EducationHistory = []kith.Education{{Institute: "MIT"}}
	chief := career(t, "Engineer @ A 2010-01..2014-12", "CTO @ B 2015-01..")
	for _, tt := range []struct {
		name          string
		field         query.Field
		better, worse kith.Person
	}{
		{
			"faster", query.Rising, career(t, "Intern @ A 2015-01..2015-12", "Director @ A 2020-01.."),
			career(t, "Intern @ A 2010-01..2015-12", "Director @ A 2020-01.."),
		},
		{
			"higher", query.Rising, career(t, "Analyst @ A 2015-01..2019-12", "VP Sales @ A 2020-01.."),
			career(t, "Analyst @ A 2015-01..2019-12", "Senior Analyst @ A 2020-01.."),
		},
		{
			"later", query.Rising, career(t, "Analyst @ A 2018-01..2021-12", "VP Sales @ A 2022-01.."),
			career(t, "Analyst @ A 1998-01..2001-12", "VP Sales @ A 2002-01.."),
		},
		{
			"climbed at all", query.Rising, career(t, "Analyst @ A 2000-01..2019-12", "Senior Analyst @ B 2020-01.."),
			career(t, "VP @ A 2018-01..2019-12", "Analyst @ B 2020-01.."),
		},
		{"earlier", query.Experienced, career(t, "Analyst @ A 2000-01..2005-01"), career(t, "Analyst @ A 2001-01..")},
		{"stays longer", query.Loyal, career(t, "Analyst @ A 2010-01.."), career(t, "Analyst @ A 2012-01..")},
		{
			"stayed longer before", query.Loyal, career(t, "Analyst @ B 2000-01..2009-12", "Analyst @ A 2012-01.."),
			career(t, "Analyst @ B 2007-01..2009-12", "Analyst @ A 2012-01.."),
		},
		{
			"promoted", query.Loyal, career(t, "Analyst @ A 2005-01..2009-12", "Senior Analyst @ A 2010-01.."),
			career(t, "Analyst @ B 2008-01..2009-12", "Senior Analyst @ A 2010-01.."),
		},
		{"larger employer", query.Connected, big, career(t, "Engineer @ Big 2010-01..")},
		{
			"more employers", query.Connected, career(t, "A @ A 2000-01..2004-12", "B @ B 2005-01..2009-12",
				"C @ C 2010-01.."),
			career(t, "A @ A 2000-01..2009-12", "C @ C 2010-01.."),
		},
		{"school", query.Connected, schooled, career(t, "Engineer @ A 2010-01..")},
		{
			"two companies", query.Founded, career(t, "Founder @ A 2000-01..2004-12", "Co-Founder @ B 2005-01.."),
			career(t, "Founder @ A 2000-01..2004-12", "Founder & CEO @ A 2008-01.."),
		},
		{
			"more changes", query.Hops, career(t, "A @ A 2015-01..2015-12", "B @ B 2016-01..2016-12",
				"C @ C 2017-01.."),
			career(t, "A @ A 2010-01..2015-12", "B @ B 2016-01..2019-12", "C @ C 2020-01.."),
		},
		{"higher job", query.Standing, chief, career(t, "Engineer @ A 2010-01..2014-12", "Engineer @ B 2015-01..")},
		{"larger company", query.Standing, big, career(t, "Engineer @ Big 2010-01..")},
		{"complete", query.Standing, schooled, career(t, "Engineer @ A 2010-01..")},
	} {
		better, known := numberOf(t, tt.better, tt.field)
		worse, known2 := numberOf(t, tt.worse, tt.field)
		if !known || !known2 || better <= worse {
			t.Errorf("%s: %s is %d for the better and %d for the worse person (known: %t, %t)",
				tt.name, tt.field, better, worse, known, known2)
		}
	}
}

func TestJudgementsNeedEvidence(t *testing.T) {
	for field, people := range map[query.Field][]kith.Person{
		query.Rising: {
			career(t), career(t, "A @ A 2010-01.."), career(t, "A @ A 2010-01..2011-01"),
			career(t, "A @ A 2010-01..2011-01", "B @ B ?.."),
		},
		query.Experienced: {career(t), career(t, "A @ A ?..")},
		query.Loyal:       {career(t), career(t, "A @ A 2010-01..2011-01"), career(t, "A @ A ?..")},
		query.Connected:   {career(t)},
		query.Founded:     {career(t), career(t, "Founding Engineer @ A 2010-01..")},
		query.Hops: {
			career(t), career(t, "A @ A 2010-01..2011-01", "B @ B 2012-01.."),
			career(t, "A @ A 2010-01..", "B @ B 2012-01..2013-01", "C @ C 2014-01..2015-01"),
		},
		query.Standing: {career(t), career(t, "A @ A 2010-01..2011-01")},
	} {
		for i, p := range people {
			if v, known := numberOf(t, p, field); known {
				t.Errorf("person %d: %s is %d", i, field, v)
			}
		}
	}
}

// The threshold of a judgement is in its formula.
func TestJudgementsHoldFromTheirThreshold(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    kith.Person
		want bool
	}{
		{"rising", career(t, "Junior Analyst @ A 2018-01..2019-12", "Director @ B 2022-01.."), true},
		{"rising", career(t, "Analyst @ A 2000-01..2009-12", "Manager @ B 2010-01.."), false},
		{"experienced", career(t, "A @ A 2015-06.."), true},
		{"experienced", career(t, "A @ A 2015-07.."), false},
		{"loyal", career(t, "A @ A 2015-06.."), true},
		{"loyal", career(t, "A @ A 2015-07.."), false},
		{"loyal", career(t, "A @ B 2010-01..2014-12", "B @ A 2020-01.."), true},
		{"founded", career(t, "Founder @ B 2010-01..2014-12", "Founder @ A 2020-01.."), true},
		{"founded", career(t, "Founder @ B 2010-01..2014-12"), false},
		{"hops", career(t, "A @ A 2015-01..2015-12", "B @ B 2016-01..2016-12", "C @ C 2017-01.."), true},
		{"hops", career(t, "A @ A 2005-01..2009-12", "B @ B 2010-01..2016-12", "C @ C 2017-01.."), false},
	} {
		i := slices.IndexFunc(analysis.Judgements(), func(j analysis.Judgement) bool { return j.Name == tt.name })
		if i < 0 {
			t.Fatalf("no judgement %q", tt.name)
		}
		j := analysis.Judgements()[i]
		v, known := numberOf(t, tt.p, j.Field)
		if got := known && v >= j.AtLeast(now()); got != tt.want {
			t.Errorf("%s of %v: %t (%d, from %d on)", tt.name, tt.p.WorkHistory, got, v, j.AtLeast(now()))
		}
	}
}

func TestEveryJudgementIsComplete(t *testing.T) {
	var fields []query.Field
	for _, j := range analysis.Judgements() {
		fields = append(fields, j.Field)
		if j.Name == "" || j.Formula == "" {
			t.Errorf("%+v is not complete", j)
		}
	}
	if !slices.Equal(fields, query.Judgements()) {
		t.Errorf("the judgements use the fields %v, want %v", fields, query.Judgements())
	}
}
