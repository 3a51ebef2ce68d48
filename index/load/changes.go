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

// changes is one batch of the queue, as documents.
type changes struct {
	entries           []Entry
	people, companies part
	terms             []RecordTerms
	refused           []Refusal
	err               error
}

// part is the changes for one collection.
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

// takeChanges reads a batch of the queue and builds its documents. It reads a record once, in its current state,
// however often it was queued.
func takeChanges(ctx context.Context, source Source, above int64) *changes {
	c := &changes{}
	if c.entries, c.err = source.Take(ctx, above, drainBatch); c.err != nil || len(c.entries) == 0 {
		return c
	}
	ids := map[Kind][]int64{}
	type record struct {
		kind Kind
		id   int64
	}
	seen, fresh := map[record]bool{}, map[record]bool{}
	for _, e := range c.entries {
		r := record{e.Kind, e.ID}
		if !seen[r] {
			seen[r] = true
			ids[e.Kind] = append(ids[e.Kind], e.ID)
		}
		fresh[r] = fresh[r] || e.Fresh
	}
	for _, kind := range []Kind{Companies, People} {
		b, err := readDocuments(ctx, source, kind, ids[kind])
		if err != nil {
			c.err = err
			return c
		}
		for i, h := range b.terms {
			b.terms[i].Fresh = fresh[record{kind, h.ID}]
		}
		p := c.of(kind)
		p.docs = b.docs
		p.deletes = missing(ids[kind], b.docs, b.refused)
		c.terms, c.refused = append(c.terms, b.terms...), append(c.refused, b.refused...)
	}
	return c
}

// missing returns the ids without a stored record.
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

// built is the result for some records: documents and terms, and refusals for those that the analysis rejects.
type built struct {
	docs    []index.Flat
	terms   []RecordTerms
	refused []Refusal
}

// readDocuments reads records and builds their documents.
func readDocuments(ctx context.Context, source Reader, kind Kind, ids []int64) (built, error) {
	if len(ids) == 0 {
		return built{}, nil
	}
	if kind == Companies {
		rows, err := source.CompaniesByID(ctx, ids)
		return makeDocuments(kind, rows, companyDocument), err
	}
	rows, err := source.PeopleByID(ctx, ids)
	return makeDocuments(kind, rows, personDocument), err
}

func companyDocument(r Company) (index.Document, []analysis.Term, error) {
	doc, err := analysis.Company(r.Company, r.Rank, r.Version)
	if err != nil {
		return doc, nil, err
	}
	return doc, analysis.CompanyTerms(doc), nil
}

func personDocument(r Person) (index.Document, []analysis.Term, error) {
	doc, err := analysis.Person(r.Person, r.Rank, r.Version)
	if err != nil {
		return doc, nil, err
	}
	analysis.SetOwner(&doc, r.Owner)
	return doc, analysis.PersonTerms(r.Person, doc), nil
}

// id returns the id of the record.
func (p Person) id() int64  { return p.Person.ID }
func (c Company) id() int64 { return c.Company.ID }

// owner returns the owner of the record.
func (p Person) owner() string  { return p.Owner }
func (c Company) owner() string { return c.Owner }

// texts returns how the record writes its terms.
func (p Person) texts() analysis.TermTexts  { return analysis.PersonTexts(p.Person) }
func (c Company) texts() analysis.TermTexts { return analysis.CompanyTexts(c.Company) }

// row is a stored record.
type row interface {
	id() int64
	owner() string
	texts() analysis.TermTexts
}

// worthSharing is the fewest documents for each goroutine.
const worthSharing = 64

// makeDocuments builds the documents of rows, in order, on all cores.
func makeDocuments[R row](kind Kind, rows []R, document func(R) (index.Document, []analysis.Term, error)) (b built) {
	flats, terms, errs := make([]index.Flat, len(rows)), make([][]analysis.Term, len(rows)), make([]error, len(rows))
	share := max(worthSharing, (len(rows)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for first := 0; first < len(rows); first += share {
		group.Go(func() {
			for i := first; i < min(first+share, len(rows)); i++ {
				flats[i], terms[i], errs[i] = flatten(rows[i], document)
			}
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			b.refused = append(b.refused, Refusal{Entry: Entry{Kind: kind, ID: rows[i].id()}, Reason: err.Error()})
			continue
		}
		b.docs = append(b.docs, flats[i])
		b.terms = append(b.terms, RecordTerms{
			Kind: kind, ID: rows[i].id(), Owner: rows[i].owner(), Terms: terms[i],
			Texts: rows[i].texts,
		})
	}
	return b
}

// flatten builds one document. A panic of the analysis refuses only this record and does not stop the queue.
func flatten[R any](row R, document func(R) (index.Document, []analysis.Term,
	error),
) (flat index.Flat, terms []analysis.Term, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("defect in the analysis of this record: %v\n%s", p, debug.Stack())
		}
	}()
	doc, terms, err := document(row)
	if err != nil {
		return index.Flat{}, nil, err
	}
	return index.Flatten(doc), terms, nil
}
