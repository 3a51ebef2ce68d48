package refresh_test

import (
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/record"
	"kith/internal/record/refresh"
)

func day(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }

// drawPerson draws few values, so that records often agree.
func drawPerson(t *rapid.T, label string) kith.Person {
	text := func(field string, values ...string) string {
		return rapid.SampledFrom(append(values, "")).Draw(t, label+field)
	}
	date := func(field string) string {
		return text(field, "2019", "2019-03", "2019-03-04", "2019-07", "2020-01", "2021")
	}
	p := kith.Person{
		ID: 1, FullName: text("name", "Ann B", "Ann C"), Headline: text("headline", "CTO", "Engineer"),
		Email:     text("email", "a@x.example"),
		SocialURL: "https://social.example/in/ann",
		Location:  kith.Location{City: text("city", "Berlin", "Oslo"), Country: text("country", "Germany")},
	}
	p.Skills = rapid.SliceOfN(rapid.SampledFrom([]string{"Go", "go", "SQL", "C++"}), 0, 3).Draw(t, label+"skills")
	job := func(i int) kith.Job {
		f := fmt.Sprintf("job%d", i)
		j := kith.Job{
			Title:   text(f+"title", "CTO", "cto", "Engineer"),
			Company: kith.Company{ID: int64(rapid.IntRange(0, 2).Draw(t, label+f+"company"))},
		}
		if s := date(f + "start"); s != "" {
			j.StartDate = &s
		}
		if s := text(f+"end", "2021-05", "2022", "2023-01"); s != "" {
			j.EndDate = &s
		}
		return j
	}
	for i := range rapid.IntRange(0, 3).Draw(t, label+"jobs") {
		p.WorkHistory = append(p.WorkHistory, job(i))
	}
	if rapid.Bool().Draw(t, label+"relevant") {
		j := job(9)
		p.WorkRelevant = &j
	}
	for i := range rapid.IntRange(0, 3).Draw(t, label+"schools") {
		f := fmt.Sprintf("school%d", i)
		p.EducationHistory = append(p.EducationHistory, kith.Education{
			Institute: text(f, "TU", "MIT"), Degree: text(f+"degree", "BSc", "MSc"), FieldOfStudy: text(f+"field",
				"CS"),
			StartDate: date(f + "start"), EndDate: text(f+"end", "2022", "2023-01"),
		})
	}
	return p
}

func draw(t *rapid.T, label string, when time.Time) record.Dated {
	return record.Dated{Person: drawPerson(t, label), AsOf: when}
}

func show(d record.Dated) string {
	text, _ := json.MarshalIndent(d, "", " ")
	return string(text)
}

func same(t *rapid.T, what string, a, b record.Dated) {
	if x, y := show(a), show(b); x != y {
		t.Fatalf("%s:\n%s\n%s", what, x, y)
	}
}

func TestMergeIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a", day(rapid.IntRange(1, 3).Draw(t, "dayA"))),
			draw(t, "b", day(rapid.IntRange(1, 3).Draw(t, "dayB")))
		m := refresh.Merge(a, b)
		same(t, "with itself", refresh.Merge(m, m), m)
		same(t, "the fresh one again", refresh.Merge(m, b), m)
	})
}

// Records of any days, with any members missing, give the same person in every order, however often they are merged.
func TestMergeDoesNotDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []record.Dated
		for i := range rapid.IntRange(2, 4).Draw(t, "records") {
			label := fmt.Sprintf("%d ", i)
			records = append(records, draw(t, label, day(rapid.IntRange(1, 3).Draw(t, label+"day"))))
		}
		first := mergeAll(records)
		for order := range permutations(len(records)) {
			again := make([]record.Dated, len(records))
			for i, j := range order {
				again[i] = records[j]
			}
			same(t, fmt.Sprint("in the order ", order), mergeAll(again), first)
		}
		same(t, "in halves", refresh.Merge(mergeAll(records[1:]), records[0]), first)
		same(t, "all of them again", mergeAll(append([]record.Dated{first}, records...)), first)
	})
}

// mergeAll merges records in order, starting from none.
func mergeAll(records []record.Dated) record.Dated {
	var m record.Dated
	for _, r := range records {
		m = refresh.Merge(m, r)
	}
	return m
}

// permutations returns all orders of n elements.
func permutations(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		var extend func(order []int) bool
		extend = func(order []int) bool {
			if len(order) == n {
				return yield(order)
			}
			for i := range n {
				if !slices.Contains(order, i) && !extend(append(slices.Clone(order), i)) {
					return false
				}
			}
			return true
		}
		extend(nil)
	}
}

// For each field, the newest record that has it counts.
func TestMergeTakesTheNewestOfEachField(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var records []record.Dated
		for i := range rapid.IntRange(1, 5).Draw(t, "records") {
			label := fmt.Sprintf("%d ", i)
			records = append(records, draw(t, label, day(rapid.IntRange(1, 4).Draw(t, label+"day"))))
		}
		m := mergeAll(records).Person
		for name, get := range map[string]func(p kith.Person) string{
			"full_name": func(p kith.Person) string { return p.FullName },
			"headline":  func(p kith.Person) string { return p.Headline },
			"email":     func(p kith.Person) string { return p.Email },
			"location": func(p kith.Person) string {
				if p.Location.IsZero() {
					return ""
				}
				return p.Location.Country + "/" + p.Location.City
			},
		} {
			want, when := "", time.Time{}
			for _, r := range records {
				text := get(r.Person)
				if text != "" && (r.AsOf.After(when) || r.AsOf.Equal(when) && text > want) {
					want, when = text, r.AsOf
				}
			}
			if got := get(m); got != want {
				t.Fatalf("%s is %q, want %q of %s", name, got, want, when)
			}
		}
	})
}

func TestMergeOfPartialRecords(t *testing.T) {
	march := record.Dated{Person: kith.Person{ID: 1, FullName: "Ann B", AboutMe: "March"}, AsOf: day(3)}
	february := record.Dated{Person: kith.Person{ID: 1, FullName: "Ann", Headline: "February"}, AsOf: day(2)}
	january := record.Dated{
		Person: kith.Person{ID: 1, Headline: "January", AboutMe: "January", Email: "a@x.example"},
		AsOf:   day(1),
	}
	m := refresh.Merge(refresh.Merge(january, march), february)
	want := kith.Person{ID: 1, FullName: "Ann B", AboutMe: "March", Headline: "February", Email: "a@x.example"}
	if !reflect.DeepEqual(m.Person, want) || !m.AsOf.Equal(day(3)) {
		t.Errorf("got %s", show(m))
	}
}

// A held job may be missing from one record and return in a newer one: the person never left it. A
// record in between may give the end of another job.
func TestMergeLearnsLaterWhenAJobEnded(t *testing.T) {
	work := func(title string, start string, when int) record.Dated {
		j := kith.Job{Title: title, Company: kith.Company{ID: 1}, StartDate: &start}
		return record.Dated{Person: kith.Person{ID: 1, WorkRelevant: &j}, AsOf: day(when)}
	}
	engineer, lead, cto := work("Engineer", "2019", 1), work("Lead", "2021", 3), work("CTO", "2024", 5)
	m := refresh.Merge(engineer, cto)
	if got := career(m.Person); got != "*CTO 1 2024..; Engineer 1 2019..2024" {
		t.Errorf("without the lead: %s", got)
	}
	m = refresh.Merge(m, lead)
	if got := career(m.Person); got != "*CTO 1 2024..; Lead 1 2021..2024; Engineer 1 2019..2021" {
		t.Errorf("with the lead: %s", got)
	}
	m = refresh.Merge(m, work("Engineer", "2019-02", 7))
	if got := career(m.Person); got != "*Engineer 1 2019-02..; CTO 1 2024..2026-01-05; Lead 1 2021..2024" {
		t.Errorf("once they are an engineer again: %s", got)
	}
}

// The day on which a job was first given as the present one counts even if nothing else is of that day.
func TestMergeRemembersTheDayOfThePresentJob(t *testing.T) {
	engineer, cto := kith.Job{Title: "Engineer"}, kith.Job{Title: "CTO"}
	given := func(job kith.Job, when time.Time) record.Dated {
		return record.Dated{Person: kith.Person{ID: 1, WorkRelevant: &job}, AsOf: when}
	}
	listed := record.Dated{Person: kith.Person{ID: 1, WorkHistory: []kith.Job{cto, engineer}}, AsOf: day(3)}
	records := []record.Dated{given(cto, day(1)), given(cto, day(2)), listed, given(engineer, day(2).Add(12*time.Hour))}
	for order := range permutations(len(records)) {
		var m record.Dated
		for _, i := range order {
			m = refresh.Merge(m, records[i])
		}
		if got := m.Person.WorkRelevant; got == nil || got.Title != "Engineer" {
			t.Errorf("in the order %v: %s", order, career(m.Person))
		}
	}
}

// A damaged or foreign trail counts as none.
func TestMergeIgnoresADamagedTrail(t *testing.T) {
	whole := record.Dated{Person: kith.Person{ID: 1, FullName: "Ann"}, AsOf: day(1)}
	for _, trail := range []string{
		"", "{", "[]", `{"days":[],"fields":{"headline":3}}`,
		`{"days":[],"relevant":{"job":-1,"day":0}}`, `{"jobs":[{"first":0,"last":9}]}`,
	} {
		damaged := whole
		damaged.Trail = []byte(trail)
		if got := refresh.Merge(damaged, whole); got.Person.FullName != "Ann" || got.Trail != nil {
			t.Errorf("%q: %s", trail, show(got))
		}
	}
}

func TestMergeKeepsEveryJobSchoolAndField(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a", day(1)), draw(t, "b", day(rapid.IntRange(0, 2).Draw(t, "dayB")))
		m := refresh.Merge(a, b).Person
		for _, p := range []kith.Person{a.Person, b.Person} {
			keeps(t, m, p)
		}
	})
}

// keeps checks that all jobs, schools, skills and fields of p are in m, possibly completed by later records.
func keeps(t *rapid.T, m, p kith.Person) {
	jobs := p.WorkHistory
	if p.WorkRelevant != nil {
		jobs = append(jobs, *p.WorkRelevant)
	}
	for _, j := range jobs {
		if !slices.ContainsFunc(m.WorkHistory, func(k kith.Job) bool {
			return j.Company.ID == k.Company.ID && strings.EqualFold(j.Title, k.Title) && near(j.StartDate, k.StartDate)
		}) {
			t.Fatalf("the merge lost the job %+v from %s", j, show(record.Dated{Person: m}))
		}
	}
	for _, e := range p.EducationHistory {
		if !slices.ContainsFunc(m.EducationHistory, func(f kith.Education) bool {
			return e.Institute == f.Institute && (e.Degree == "" || e.Degree == f.Degree) && near(&e.StartDate,
				&f.StartDate)
		}) {
			t.Fatalf("the merge lost the school %+v from %s", e, show(record.Dated{Person: m}))
		}
	}
	has := func(p kith.Person) []bool {
		return []bool{p.FullName != "", p.Headline != "", p.Email != "", !p.Location.IsZero(), len(p.Skills) > 0}
	}
	for i, kept := range has(m) {
		if !kept && has(p)[i] {
			t.Fatalf("the merge erased a field of %s in %s", show(record.Dated{Person: p}),
				show(record.Dated{Person: m}))
		}
	}
}

// near reports whether two dates may be the same day.
func near(a, b *string) bool {
	if a == nil || b == nil {
		return a == nil || *a == ""
	}
	return strings.HasPrefix(*a, *b) || strings.HasPrefix(*b, *a)
}

func text(s string) *string { return &s }

func TestMergeCases(t *testing.T) {
	job := func(title string, company int64, start, end string) kith.Job {
		j := kith.Job{Title: title, Company: kith.Company{ID: company}}
		if start != "" {
			j.StartDate = text(start)
		}
		if end != "" {
			j.EndDate = text(end)
		}
		return j
	}
	current := func(j kith.Job, rest ...kith.Job) kith.Person {
		return kith.Person{WorkRelevant: &j, WorkHistory: rest}
	}
	for _, c := range []struct {
		name          string
		stored, fresh kith.Person
		back          bool // the fresh record is older
		want          string
	}{
		{
			"a new job ends the old one", current(job("Engineer", 1, "2019-03", "")),
			current(job("CTO", 2, "2024-05-01", "")),
			false,
			"*CTO 2 2024-05-01..; Engineer 1 2019-03..2024-05-01",
		},
		{
			"an end is learnt", current(job("Engineer", 1, "2019-03", "")),
			current(job("CTO", 2, "", ""), job("Engineer", 1, "2019", "2024-04")), false,
			"*CTO 2 ..; Engineer 1 2019-03..2024-04",
		},
		{
			"two jobs at a time", current(job("CTO", 1, "2019", ""), job("Advisor", 2, "2020", "")),
			current(job("CTO", 1, "2019-02", ""), job("Advisor", 2, "2020", "")), false,
			"Advisor 2 2020..; *CTO 1 2019-02..",
		},
		{
			"two stays are two jobs", current(job("CTO", 1, "2024", ""), job("CTO", 1, "2012", "2015")),
			current(job("CTO", 1, "2024-02", "")), false, "*CTO 1 2024-02..; CTO 1 2012..2015",
		},
		{
			"no jobs say nothing", current(job("CTO", 1, "2024", "")),
			kith.Person{Headline: "x"},
			false,
			"*CTO 1 2024..",
		},
		{
			"what is older does not overwrite", current(job("CTO", 1, "2024", ""), job("Engineer", 1, "2019-02",
				"2024")),
			current(job("Engineer", 1, "2019", ""), job("Intern", 3, "2012", "2013")), true,
			"*CTO 1 2024..; Engineer 1 2019-02..2024; Intern 3 2012..2013",
		},
		{
			"a job without a day gets one", current(job("CTO", 1, "", "")), current(job("CTO", 1, "2020-02", "")),
			false,
			"*CTO 1 2020-02..",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			then := day(9)
			if c.back {
				then = day(1)
			}
			m := refresh.Merge(record.Dated{Person: c.stored, AsOf: day(5)}, record.Dated{Person: c.fresh, AsOf: then})
			if got := career(m.Person); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if m.AsOf != max5(then) {
				t.Errorf("the merged record is as of %s", m.AsOf)
			}
		})
	}
}

func max5(t time.Time) time.Time {
	if t.Before(day(5)) {
		return day(5)
	}
	return t
}

// career writes the jobs of a person, with a star at the relevant one.
func career(p kith.Person) string {
	var out []string
	for _, j := range p.WorkHistory {
		s := fmt.Sprintf("%s %d %s..%s", j.Title, j.Company.ID, deref(j.StartDate), deref(j.EndDate))
		if p.WorkRelevant != nil && fmt.Sprint(deref(p.WorkRelevant.StartDate),
			p.WorkRelevant.Title) == fmt.Sprint(deref(j.StartDate), j.Title) {
			s = "*" + s
		}
		out = append(out, s)
	}
	return strings.Join(out, "; ")
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
