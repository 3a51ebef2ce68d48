package bench

import (
	"iter"

	"kith/index"
	"kith/index/analysis"
	"kith/internal/demo"
)

// Documents yields the people of a generated dataset as documents ready for an engine, the
// final form of a load. It yields at most one error, last.
func Documents(d *demo.Dataset) iter.Seq2[index.Flat, error] {
	return func(yield func(index.Flat, error) bool) {
		for p := range d.People() {
			for _, job := range p.Jobs() {
				job.Company = d.Company(job.Company.ID)
			}
			doc, err := analysis.Person(p, analysis.Rank(p), 1)
			if err != nil {
				yield(index.Flat{}, err)
				return
			}
			if !yield(index.Flatten(doc), nil) {
				return
			}
		}
	}
}
