package analysis_test

import (
	"testing"

	"kith"
	"kith/internal/demo"
	"kith/internal/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// BenchmarkDocument makes documents of generated people as a load does. It reports their terms: the
// tokens and whole values of the person and the sub-documents that an engine stores.
func BenchmarkDocument(b *testing.B) {
	people := generated(b, 2000)
	b.ReportAllocs()
	var terms, bytes, nested, nestedBytes, n int
	for i := 0; b.Loop(); i++ {
		d, err := analysis.Person(people[i%len(people)], 1, 1)
		expect.NoError(b, err)
		flat := indexed.Flatten(d)
		if i >= len(people) {
			continue
		}
		n++
		t, s := size(flat.Fields)
		terms, bytes = terms+t, bytes+s
		for _, subs := range flat.Nested {
			for _, sub := range subs {
				t, s := size(sub)
				nested, nestedBytes = nested+t, nestedBytes+s
			}
		}
	}
	b.ReportMetric(float64(terms)/float64(n), "terms/person")
	b.ReportMetric(float64(bytes)/float64(n), "termB/person")
	b.ReportMetric(float64(nested)/float64(n), "nested/person")
	b.ReportMetric(float64(nestedBytes)/float64(n), "nestedB/person")
}

// size counts the distinct terms of a document, and their bytes with the names of their fields.
func size(f indexed.Fields) (terms, bytes int) {
	add := func(name query.Field, values []string) {
		seen := map[string]bool{}
		for _, v := range values {
			if !seen[v] {
				seen[v] = true
				terms, bytes = terms+1, bytes+len(name)+1+len(v)
			}
		}
	}
	for name, values := range f.Keywords {
		add(name, values)
	}
	for name, seqs := range f.Words {
		var all []string
		for _, seq := range seqs {
			all = append(all, seq...)
		}
		add(name, all)
	}
	return terms, bytes
}

// generated returns people of the demo dataset with their companies filled in.
func generated(b testing.TB, n int) []kith.Person {
	d, err := demo.New(demo.Config{Seed: 1, People: n})
	expect.NoError(b, err)
	companies := map[int64]kith.Company{}
	for c := range d.Companies() {
		companies[c.ID] = c
	}
	var people []kith.Person
	for p := range d.People() {
		if p.WorkRelevant != nil {
			p.WorkRelevant.Company = companies[p.WorkRelevant.Company.ID]
		}
		for i := range p.WorkHistory {
			p.WorkHistory[i].Company = companies[p.WorkHistory[i].Company.ID]
		}
		people = append(people, p)
	}
	return people
}

// BenchmarkCareer makes the documents that careers of generated people are checked against.
func BenchmarkCareer(b *testing.B) {
	people := generated(b, 2000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := analysis.CareerDocument(people[i%len(people)]); err != nil {
			b.Fatal(err)
		}
	}
}
