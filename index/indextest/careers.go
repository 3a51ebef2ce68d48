package indextest

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"kith"
	"kith/index"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// CareerCase is a career in terms of filters and the people a query with it finds among the
// people of testdata/careers.yaml.
type CareerCase struct {
	Name   string
	Career analysis.Career
	// Says is the career in words; empty where the case does not tell.
	Says string
	// and and or are joined with the career, which not negates.
	and, or query.Query
	not     bool
	Want    []int64
}

// Checked returns the index over an engine that checks people for timelines by these documents.
func Checked(e index.Searcher, docs ...indexed.Document) *index.Index {
	byID := make(map[int64]indexed.Document, len(docs))
	for _, d := range docs {
		byID[d.ID] = d
	}
	return index.New(e).Checking(func(ctx context.Context, people []int64,
		timelines []query.Timeline) (map[int64][]bool, error,
	) {
		answers := make(map[int64][]bool, len(people))
		for _, id := range people {
			answers[id] = kith.Each(timelines, func(t query.Timeline) bool { return indexed.Match(byID[id], t) })
		}
		return answers, ctx.Err()
	})
}

// set takes a line of a case: "form" names a function of package analysis with its numbers and filters, "step",
// "every" and "employers" are written out, with flags before the filters.
func (c *CareerCase) set(key, value string) (err error) {
	switch key {
	case "case":
		c.Name = value
	case "of":
		c.Career.Of = query.Jobs
	case "atleast":
		c.Career.AtLeast, err = strconv.Atoi(value)
	case "says":
		c.Says = value
	case "not":
		c.not = true
	case "and":
		c.and, err = Parse(value)
	case "or":
		c.or, err = Parse(value)
	case "form":
		c.Career, err = careerForm(value)
	case "step", "every", "employers":
		err = c.part(key, value)
	case "want":
		c.Want, err = people(value)
	default:
		err = fmt.Errorf("no such key")
	}
	return err
}

// part reads "FLAGS | FILTERS" of a spell.
func (c *CareerCase) part(key, value string) error {
	flags, text, _ := strings.Cut(value, "|")
	filters, err := parseFilters(text)
	if err != nil {
		return err
	}
	var s query.Step
	var least, most *int64
	for flag := range strings.FieldsSeq(flags) {
		name, bounds, _ := strings.Cut(flag, "=")
		from, to, _ := strings.Cut(bounds, "..") // "3..5", "3.." and "..5"
		low, high, err := parseBounds(from, to, "")
		if err != nil {
			return fmt.Errorf("%s: %w", flag, err)
		}
		switch name {
		case "count":
			least, most = low, high
		case "months":
			s.Months = query.Months{Min: low, Max: high}
		case "gap":
			s.Gap = query.Months{Min: low, Max: high}
		default:
			if err := setFlag(&s, name); err != nil {
				return err
			}
		}
	}
	switch key {
	case "step":
		c.Career.Steps = append(c.Career.Steps, analysis.CareerStep{Filters: filters, Step: s})
	case "every":
		c.Career.Every = &analysis.CareerSpell{Filters: filters, Spell: s.Spell}
	default:
		count := query.SpellCount{Spell: s.Spell, Min: least, Max: most}
		c.Career.Employers = append(c.Career.Employers, analysis.EmployerCount{Filters: filters, SpellCount: count})
	}
	return nil
}

func setFlag(s *query.Step, name string) error {
	switch name {
	case "first":
		s.First = true
	case "held":
		s.Status = query.Held
	case "ended":
		s.Status = query.Ended
	case "next":
		s.Order = query.Next
	case "anytime":
		s.Order = query.Anytime
	case "same":
		s.Employer = query.SameEmployer
	case "other":
		s.Employer = query.OtherEmployer
	default:
		return fmt.Errorf("no flag %s", name)
	}
	return nil
}

// parseFilters reads "NAME = VALUE; NAME = VALUE".
func parseFilters(text string) (query.Filters, error) {
	var filters query.Filters
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("filter %q is not NAME = VALUE", part)
		}
		if filters == nil {
			filters = query.Filters{}
		}
		filters[query.FilterName(strings.TrimSpace(name))] = strings.TrimSpace(value)
	}
	return filters, nil
}

// careerForm reads "NAME NUMBER… | FILTERS | FILTERS".
func careerForm(text string) (c analysis.Career, err error) {
	parts := strings.Split(text, "|")
	words := strings.Fields(parts[0])
	numbers := [2]int64{}
	for i, w := range words[1:] {
		if numbers[i], err = strconv.ParseInt(w, 10, 64); err != nil {
			return c, err
		}
	}
	jobs := make([]query.Filters, max(2, len(parts)-1))
	for i, part := range parts[1:] {
		if jobs[i], err = parseFilters(part); err != nil {
			return c, err
		}
	}
	n := numbers[0]
	forms := map[string]func() analysis.Career{
		"FirstJobAt":      func() analysis.Career { return analysis.FirstJobAt(jobs[0]) },
		"InTurn":          func() analysis.Career { return analysis.InTurn(n == 1, jobs...) },
		"MovedFrom":       func() analysis.Career { return analysis.MovedFrom(jobs[0], jobs[1]) },
		"StayedBefore":    func() analysis.Career { return analysis.StayedBefore(jobs[0], n, jobs[1]) },
		"LeftWithin":      func() analysis.Career { return analysis.LeftWithin(jobs[0], n) },
		"StayedFor":       func() analysis.Career { return analysis.StayedFor(jobs[0], n) },
		"OutOfWork":       analysis.OutOfWork,
		"NeverLongerThan": func() analysis.Career { return analysis.NeverLongerThan(n) },
		"CameBackTo":      func() analysis.Career { return analysis.CameBackTo(jobs[0], jobs[1]) },
		"PromotedFrom":    func() analysis.Career { return analysis.PromotedFrom(jobs[0], jobs[1]) },
		"OnlyEver":        func() analysis.Career { return analysis.OnlyEver(jobs[0]) },
		"EmployersOf": func() analysis.Career {
			return analysis.EmployersOf(jobs[0], orOpen(n),
				orOpen(numbers[1]))
		},
		"AtLeastOf":  func() analysis.Career { return analysis.AtLeastOf(int(n), jobs...) },
		"TookABreak": func() analysis.Career { return analysis.TookABreak(n) },
	}
	form, known := forms[words[0]]
	if !known {
		return c, fmt.Errorf("no form %s", words[0])
	}
	return form(), nil
}

func orOpen(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}

// query is what the case asks for.
func (c CareerCase) query(t testing.TB) query.Query {
	t.Helper()
	timeline, problems := c.Career.Compile(Today())
	if problems != nil {
		t.Fatal(problems)
	}
	var q query.Query = timeline
	if c.not {
		q = query.Not{Part: q}
	}
	if c.or != nil {
		q = query.Or{Parts: []query.Query{q, c.or}}
	}
	if c.and != nil {
		q = query.And{Parts: []query.Query{q, c.and}}
	}
	return q
}

func runCareers(t *testing.T, e Engine) {
	docs := worldDocuments(t, "careers")
	Store(t, e, index.People, docs...)
	ix := Checked(e, docs...)
	cases, err := readCases("testdata/careers.txt", (*CareerCase).set)
	expect.NoError(t, err)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			effort.Deadline(t)
			if says := c.Career.Describe(); c.Says != "" && says != c.Says {
				t.Errorf("says %q, want %q", says, c.Says)
			}
			q := c.query(t)
			plan := aCase{stages: []query.Query{q}, want: [][]int64{meaning(t, docs, q, c.Want)}}
			plan.checkWalks(t, ix, 3, 1000)
			plan.checkCounts(t, ix)
		})
	}
}
