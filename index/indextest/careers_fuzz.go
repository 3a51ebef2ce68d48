package indextest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/taxonomy"
)

// How much FuzzCareers does in the long part: so many corpora, with so many plans on each.
const (
	careerCorpora = 20
	careerPlans   = 80
)

// FuzzCareers runs random plans with timelines over random careers and compares an
// engine with the oracle, page by page, as [Fuzz] does with plans that have none.
func FuzzCareers(t *testing.T, newEngine func(t *testing.T) Engine) {
	seed, corpora := effort.Seed(t), effort.Scaled(careerCorpora)
	e := newEngine(t)
	people := 0
	for c := range corpora {
		g := generator{rand.New(rand.NewPCG(seed, uint64(c)))}
		oracle := memindex.NewOracle()
		docs := g.careers(t)
		oracle.Put(docs...)
		swap(t, e, docs)
		ix := Checked(e, docs...)
		for p := range careerPlans {
			effort.Deadline(t)
			found, err := g.compareCareers(t, ix, oracle)
			if err != nil {
				t.Fatalf("seed %d, corpus %d, plan %d: %v", seed, c, p, err)
			}
			people += found
		}
	}
	t.Logf("%d plans found %d people", corpora*careerPlans, people)
}

func (g generator) compareCareers(t *testing.T, ix *index.Index, oracle *memindex.Oracle) (people int, err error) {
	s := index.Search{SortBy: pick(g, "", "", query.Experience), Limit: pick(g, 1+g.IntN(5), 5+g.IntN(40), 500)}
	for range 1 + g.IntN(2) {
		s.Stages = append(s.Stages, g.careerTree(2))
	}
	want, err := compareWalk(t, ix, s, oracle)
	any := index.Prepare(query.Or{Parts: s.Stages})
	if err == nil {
		var n int
		var more bool
		limit := g.IntN(20)
		if n, more, err = ix.Count(t.Context(), any, limit); err == nil && (limit == 0 || len(want) < limit) &&
			(n != len(want) || more) {
			err = fmt.Errorf("counted %d, more: %t; want %d", n, more, len(want))
		}
	}
	if err == nil && g.IntN(4) == 0 {
		err = compareFacets(t, ix, query.Or{Parts: s.Stages}, oracle, 1+g.IntN(5))
	}
	if err == nil {
		err = compareLoose(t, ix, s, want[:peopleBefore(want, 1)])
	}
	if err != nil {
		return 0, fmt.Errorf("%w\npages from %d, sorted by %q:\n%s", err, s.Limit, s.SortBy, formatPlan(s.Stages))
	}
	return len(want), nil
}

// careers are the documents of random people, who have few employers and titles.
func (g generator) careers(t *testing.T) []indexed.Document {
	t.Helper()
	docs := make([]indexed.Document, 40+g.IntN(100))
	for i := range docs {
		p := kith.Person{
			ID: int64(i + 1), FullName: "P", Location: kith.Location{Country: pick(g, "Germany", "France", "Spain")},
		}
		for range g.IntN(7) {
			p.WorkHistory = append(p.WorkHistory, g.job())
		}
		d, err := analysis.Person(p, g.Int64N(4), 1)
		expect.NoError(t, err)
		d.Record = fmt.Appendf(nil, `{"id":%d}`, d.ID)
		docs[i] = d
	}
	return docs
}

func (g generator) job() kith.Job {
	j := kith.Job{Title: pick(g, "Engineer", "Engineer", "Engineering Manager", "Founder", "Intern")}
	if n := g.IntN(6); n > 0 {
		j.Company = kith.Company{ID: int64(n), Name: string(rune('A'+n)) + "corp", Industry: pick(g, "Banking",
			"Retail")}
	}
	year := 2008 + g.IntN(12)
	if g.IntN(8) > 0 {
		j.StartDate = g.date(year)
	}
	if g.IntN(4) > 0 {
		j.EndDate = g.date(year + g.IntN(4))
	}
	return j
}

// date is a date of a year, as exact as it happens to be.
func (g generator) date(year int) *string {
	return new(pick(g, fmt.Sprint(year), fmt.Sprintf("%d-%02d", year, 1+g.IntN(12)),
		fmt.Sprintf("%d-%02d-%02d", year, 1+g.IntN(12), 1+g.IntN(28))))
}

// careerTree makes a random query, most of them with timelines.
func (g generator) careerTree(depth int) query.Query {
	if depth == 0 {
		return g.careerLeaf()
	}
	switch g.IntN(6) {
	case 0, 1:
		return query.And{Parts: []query.Query{g.careerTree(depth - 1), g.careerTree(depth - 1)}}
	case 2:
		return query.Or{Parts: []query.Query{g.careerTree(depth - 1), g.careerTree(depth - 1)}}
	case 3:
		return query.Not{Part: g.careerTree(depth - 1)}
	}
	return g.careerLeaf()
}

func (g generator) careerLeaf() query.Query {
	switch g.IntN(8) {
	case 0:
		return query.Term{Field: query.Country, Value: pick(g, "de", "fr", "es")}
	case 1:
		return query.Nested{Path: pick(g, query.Current, query.Past), Part: g.ofJob()}
	case 2:
		return query.Range{Field: query.Rank, Min: new(g.Int64N(4))}
	}
	return g.timeline()
}

func (g generator) ofJob() query.Query {
	return pick[query.Query](g,
		query.Term{Field: query.Title, Value: pick(g, "engineer", "manager", "intern")},
		query.Term{Field: query.Seniority, Value: taxonomy.LevelFounder},
		query.Term{Field: query.CompanyID, Value: fmt.Sprint(1 + g.IntN(5))},
		query.Term{Field: query.CompanyIndustry, Value: pick(g, "banking", "retail")},
		query.Not{Part: query.Term{Field: query.CompanyIndustry, Value: "banking"}},
		query.Range{Field: query.Start, Min: new(14000 + g.Int64N(4000))},
	)
}

func (g generator) timeline() query.Query {
	t := query.Timeline{Of: pick(g, query.Stays, query.Jobs), Today: 20000}
	for range g.IntN(5) {
		t.Steps = append(t.Steps, query.Step{
			Spell: g.spell(), Order: pick(g, query.Later, query.Later, query.Next, query.Anytime),
			Employer: pick(g, query.AnyEmployer, query.AnyEmployer, query.SameEmployer, query.OtherEmployer),
			Gap:      g.months(6),
		})
	}
	if len(t.Steps) > 1 && g.IntN(3) == 0 {
		t.AtLeast = 1 + g.IntN(len(t.Steps))
	}
	if g.IntN(6) == 0 {
		t.Every = new(g.spell())
	}
	if g.IntN(4) == 0 {
		t.Counts = append(t.Counts, query.SpellCount{Spell: g.spell(), Min: new(g.Int64N(3))})
	}
	if g.IntN(6) == 0 {
		t.Counts = append(t.Counts, query.SpellCount{Spell: g.spell(), Max: new(g.Int64N(3))})
	}
	return t
}

func (g generator) spell() query.Spell {
	s := query.Spell{
		Months: g.months(4), First: g.IntN(8) == 0,
		Status: pick(g, query.AnyStatus, query.AnyStatus, query.Held, query.Ended),
	}
	if g.IntN(4) > 0 {
		s.Where = g.ofJob()
	}
	return s
}

// months is a range of months, one time out of n.
func (g generator) months(n int) (m query.Months) {
	if g.IntN(n) > 0 {
		return m
	}
	v := g.Int64N(40)
	if g.IntN(2) == 0 {
		return query.Months{Min: &v}
	}
	return query.Months{Max: &v}
}
