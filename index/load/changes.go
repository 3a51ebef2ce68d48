package load

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"kith/index"
	"kith/index/analysis"
)

// changes are one batch of the queue as documents.
type changes struct {
	entries           []Entry
	people, companies part
	refused           []Refusal
	err               error
}

// part is what one collection is to be told.
type part struct {
	docs    []index.Flat
	deletes []int64
}

func (c *changes) of(kind Kind) *part {
	if kind == Companies {
		return &c.companies
	}
	return &c.people
}

// take reads a batch of the queue and makes its documents. A record that was
// queued several times is read once, as it is now.
func (d *Drainer) take(ctx context.Context, above int64) *changes {
	c := &changes{}
	if c.entries, c.err = d.source.Take(ctx, above, drainBatch); c.err != nil || len(c.entries) == 0 {
		return c
	}
	ids := map[Kind][]int64{}
	seen := map[Entry]bool{}
	for _, e := range c.entries {
		key := Entry{Kind: e.Kind, ID: e.ID}
		if !seen[key] {
			seen[key] = true
			ids[e.Kind] = append(ids[e.Kind], e.ID)
		}
	}
	for _, kind := range []Kind{Companies, People} {
		docs, refused, err := d.documents(ctx, kind, ids[kind])
		if err != nil {
			c.err = err
			return c
		}
		p := c.of(kind)
		p.docs = docs
		p.deletes = missing(ids[kind], docs, refused)
		c.refused = append(c.refused, refused...)
	}
	return c
}

// missing are the ids that no stored record has.
func missing(ids []int64, docs []index.Flat, refused []Refusal) []int64 {
	have := map[int64]bool{}
	for _, doc := range docs {
		have[doc.ID] = true
	}
	for _, r := range refused {
		have[r.ID] = true
	}
	var gone []int64
	for _, id := range ids {
		if !have[id] {
			gone = append(gone, id)
		}
	}
	return gone
}

// documents reads records and makes their documents; what the analysis does
// not accept is refused.
func (d *Drainer) documents(ctx context.Context, kind Kind, ids []int64) ([]index.Flat, []Refusal, error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	if kind == Companies {
		rows, err := d.source.CompaniesByID(ctx, ids)
		docs, refused := makeDocuments(kind, rows, func(r Company) (int64, func() (index.Document, error)) {
			return r.Company.ID, func() (index.Document, error) { return analysis.Company(r.Company, r.Rank, r.Version) }
		})
		return docs, refused, err
	}
	rows, err := d.source.PeopleByID(ctx, ids)
	docs, refused := makeDocuments(kind, rows, func(r Person) (int64, func() (index.Document, error)) {
		return r.Person.ID, func() (index.Document, error) { return analysis.Person(r.Person, r.Rank, r.Version) }
	})
	return docs, refused, err
}

// worthSharing is how many documents make it worth to use every core.
const worthSharing = 64

// makeDocuments makes the documents of rows, in their order, on every core.
func makeDocuments[R any](kind Kind, rows []R, of func(R) (int64, func() (index.Document, error))) (docs []index.Flat, refused []Refusal) {
	flats, errs := make([]index.Flat, len(rows)), make([]error, len(rows))
	share := max(worthSharing, (len(rows)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for first := 0; first < len(rows); first += share {
		group.Go(func() {
			for i := first; i < min(first+share, len(rows)); i++ {
				_, document := of(rows[i])
				flats[i], errs[i] = flatten(document)
			}
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			id, _ := of(rows[i])
			refused = append(refused, Refusal{Entry: Entry{Kind: kind, ID: id}, Reason: err.Error()})
			continue
		}
		docs = append(docs, flats[i])
	}
	return docs, refused
}

// flatten makes one document. A defect of the analysis that panics on one
// record is that record's refusal, not the end of the queue.
func flatten(document func() (index.Document, error)) (flat index.Flat, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("defect in the analysis of this record: %v\n%s", p, debug.Stack())
		}
	}()
	doc, err := document()
	if err != nil {
		return index.Flat{}, err
	}
	return index.Flatten(doc), nil
}
