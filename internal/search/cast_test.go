package search_test

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt"
)

// The people of these tests, one per line: id, name, jobs, schools. A job is "title @ company from-to". An unknown day
// is "?", and a held job has no end. A company without a number has no id. A \ continues a line.
const castText = `
1  | Jane Doe    | Engineer @ Acme#1 2015-03..2017-08; CTO @ Globex#2 2017-09..             | TU Munich, MIT
2  | Ann Both    | Engineer @ Acme#1 2016-01..2018-01; Engineer @ Globex#2 2018-02..        |
3  | Bob Before  | Engineer @ Acme#1 2014-01..2015-02; Engineer @ Initech#3 2016-01..       |
4  | Cid Month   | Engineer @ Acme#1 2014-01..2015-03; Designer @ Initech#3 2016-01..       | MIT
5  | Dee Still   | Engineer @ Acme#1 2010-01..                                              |
6  | Eve Undated | Engineer @ Acme#1 ?..                                                    |
7  | Fay Undated | Engineer @ Acme#1 ?..2016-01; Designer @ Initech#3 2016-02..             |
8  | Gus Gone    | Engineer @ Globex#2 2016-01..2017-08; Designer @ Initech#3 2018-02..     |
9  | Hal Month   | Engineer @ Globex#2 2016-01..2017-09; Designer @ Initech#3 2018-02..     |
10 | Jane Doe    | Founder @ Umbrella#4 2012-01..2014-12; Designer @ Initech#3 2019-01..    | Oxford
11 | Ivy Desk    | Engineer @ Initech#3 2020-01..                                           | Oxford
12 | Jay Brolly  | Engineer @ Umbrella#4 2020-01..                                          | TU Munich
13 | Janet Doe   | Engineer @ Umbrella#4 2013-01..2014-01; Engineer @ Smallco 2015-01..     | Nowhere College
14 | Kim Small   | Engineer @ Smallco 2016-01..                                             |
15 | Lou Idle    | -                                                                        | MIT
16 | Max Moved   | Engineer @ Acme#1 2011-01..2013-12; Engineer @ Globex#2 2014-01..2015-12; \
     Engineer @ Acme#1 2016-01..2017-01; Engineer @ Smallco 2018-01.. |
`

// cast reads castText.
func cast(t testing.TB) []kith.Person {
	t.Helper()
	var people []kith.Person
	for line := range strings.Lines(strings.TrimSpace(strings.ReplaceAll(castText, "\\\n", ""))) {
		cells := strings.Split(line, "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		id, err := strconv.ParseInt(cells[0], 10, 64)
		expect.NoError(t, err)
		p := kith.Person{ID: id, FullName: cells[1], SocialURL: fmt.Sprintf("https://social.example/in/cast-%d", id)}
		p.FirstName, p.LastName, _ = strings.Cut(cells[1], " ")
		for text := range strings.SplitSeq(cells[2], ";") {
			if text != "-" {
				p.WorkHistory = append(p.WorkHistory, castJob(t, strings.TrimSpace(text)))
			}
		}
		if n := len(p.WorkHistory); n > 0 && p.WorkHistory[n-1].Current() {
			p.WorkRelevant = &p.WorkHistory[n-1]
		}
		for school := range strings.SplitSeq(cells[3], ",") {
			if school = strings.TrimSpace(school); school != "" {
				p.EducationHistory = append(p.EducationHistory, kith.Education{Institute: school})
			}
		}
		people = append(people, p)
	}
	return people
}

func castJob(t testing.TB, text string) kith.Job {
	t.Helper()
	title, rest, ok := strings.Cut(text, " @ ")
	company, dates, ok2 := strings.Cut(rest, " ")
	from, to, ok3 := strings.Cut(dates, "..")
	if !ok || !ok2 || !ok3 {
		t.Fatalf("job %q", text)
	}
	job := kith.Job{Title: title}
	if from != "?" {
		job.StartDate = &from
	}
	if to != "" {
		job.EndDate = &to
	}
	name, id, _ := strings.Cut(company, "#")
	job.Company.Name = name
	if id != "" {
		var err error
		job.Company.ID, err = strconv.ParseInt(id, 10, 64)
		expect.NoError(t, err)
	}
	return job
}

// fixed returns the same plan for every prompt.
type fixed struct{ plan prompt.Plan }

func (f fixed) Plan(context.Context, kith.Viewer, string, prompt.Mode) (prompt.Plan, error) {
	return f.plan, nil
}

// planning returns a fixture whose planner always makes this plan.
func (f *fixture) planning(plan prompt.Plan) *fixture {
	if plan.Mode == "" {
		plan.Mode = prompt.Complex
	}
	cfg := f.config
	cfg.Planner = fixed{plan}
	return &fixture{Service: search.New(cfg), engine: f.engine, people: f.people, epoch: f.epoch, config: cfg}
}

// said is a source at the beginning of a prompt.
func said(text string) prompt.Source {
	return prompt.Source{Text: text, Span: [2]int{0, len(text)}}
}

// named is a step that looks for people by name and more filters.
func named(name string, further ...query.Filters) prompt.Step {
	s := prompt.Step{Source: said(name), Says: name, Filters: query.Filters{query.FilterPersonName: name}, Limit: 5}
	for _, filters := range further {
		maps.Copy(s.Filters, filters)
	}
	return s
}

// to is a relation to the people of the first step.
func to(kind prompt.RelationKind, change ...func(*prompt.Relation)) prompt.Relation {
	r := prompt.Relation{Source: said(string(kind)), Kind: kind}
	for _, f := range change {
		f(&r)
	}
	return r
}

func excluded(r *prompt.Relation) { r.Excluded = true }
func step(n int) func(*prompt.Relation) {
	return func(r *prompt.Relation) { r.Step = n }
}

func at(company string) func(*prompt.Relation) {
	return func(r *prompt.Relation) { r.Jobs = query.Filters{query.FilterCompany: company} }
}

func filter(name query.FilterName, value string) prompt.Filter {
	return prompt.Filter{Source: said(value), Name: name, Value: value}
}
