package indexer

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"kith/internal/record"
	"kith/query/analysis"
	"kith/query/indexed"
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
	docs    []indexed.Flat
	deletes []int64
}

func (c *changes) of(kind record.Kind) *part {
	if kind == record.Companies {
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
	ids := map[record.Kind][]int64{}
	type key struct {
		kind record.Kind
		id   int64
	}
	seen, fresh := map[key]bool{}, map[key]bool{}
	for _, e := range c.entries {
		r := key{e.Kind, e.ID}
		if !seen[r] {
			seen[r] = true
			ids[e.Kind] = append(ids[e.Kind], e.ID)
		}
		fresh[r] = fresh[r] || e.Fresh
	}
	for _, kind := range []record.Kind{record.Companies, record.People} {
		b, err := readDocuments(ctx, source, kind, ids[kind])
		if err != nil {
			c.err = err
			return c
		}
		for i, h := range b.terms {
			b.terms[i].Fresh = fresh[key{kind, h.ID}]
		}
		p := c.of(kind)
		p.docs = b.docs
		p.deletes = idsWithoutRecord(ids[kind], b.docs, b.refused)
		c.terms, c.refused = append(c.terms, b.terms...), append(c.refused, b.refused...)
	}
	return c
}

// idsWithoutRecord returns the ids without a stored record.
func idsWithoutRecord(ids []int64, docs []indexed.Flat, refused []Refusal) []int64 {
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
	docs    []indexed.Flat
	terms   []RecordTerms
	refused []Refusal
}

// readDocuments reads records and builds their documents.
func readDocuments(ctx context.Context, source record.Reader, kind record.Kind, ids []int64) (built, error) {
	if len(ids) == 0 {
		return built{}, nil
	}
	if kind == record.Companies {
		rows, err := source.CompaniesByID(ctx, ids)
		return makeDocuments(rows, companyDocument), err
	}
	rows, err := source.PeopleByID(ctx, ids)
	return makeDocuments(rows, personDocument), err
}

// companyDocument builds the document of a company. It describes the company to the vocabulary in t, first without its
// terms.
func companyDocument(r *record.Company, t *RecordTerms) (indexed.Document, error) {
	texts := func() analysis.TermTexts { return analysis.CompanyTexts(r.Company) }
	*t = RecordTerms{Kind: record.Companies, ID: r.Company.ID, Owner: r.Owner, Texts: texts}
	doc, err := analysis.Company(r.Company, r.Rank, r.Version)
	if err == nil {
		analysis.SetOwner(&doc, r.Owner)
		t.Terms = analysis.CompanyTerms(doc)
	}
	return doc, err
}

// personDocument does the same for a person.
func personDocument(r *record.Person, t *RecordTerms) (indexed.Document, error) {
	texts := func() analysis.TermTexts { return analysis.PersonTexts(r.Person) }
	*t = RecordTerms{Kind: record.People, ID: r.Person.ID, Owner: r.Owner, Texts: texts}
	doc, err := analysis.Person(r.Person, r.Rank, r.Version)
	if err == nil {
		analysis.SetOwner(&doc, r.Owner)
		t.Terms = analysis.PersonTerms(r.Person, doc)
	}
	return doc, err
}

// worthSharing is the fewest documents for each goroutine.
const worthSharing = 64

// makeDocuments builds the documents of rows, in order, on all cores.
func makeDocuments[R any](rows []R, document func(*R, *RecordTerms) (indexed.Document, error)) (b built) {
	flats, terms, errs := make([]indexed.Flat, len(rows)), make([]RecordTerms, len(rows)), make([]error, len(rows))
	share := max(worthSharing, (len(rows)+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for first := 0; first < len(rows); first += share {
		group.Go(func() {
			for i := first; i < min(first+share, len(rows)); i++ {
				flats[i], errs[i] = flatten(&rows[i], &terms[i], document)
			}
		})
	}
	group.Wait()
	for i, err := range errs {
		t := terms[i]
		if err != nil {
			b.refused = append(b.refused, Refusal{Entry: Entry{Kind: t.Kind, ID: t.ID}, Reason: err.Error()})
			continue
		}
		b.docs, b.terms = append(b.docs, flats[i]), append(b.terms, t)
	}
	return b
}

// flatten builds one document. A panic of the analysis refuses only this record and does not stop the queue.
func flatten[R any](row *R, t *RecordTerms, document func(*R, *RecordTerms) (indexed.Document, error),
) (flat indexed.Flat, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("defect in the analysis of this record: %v\n%s", p, debug.Stack())
		}
	}()
	doc, err := document(row, t)
	if err != nil {
		return indexed.Flat{}, err
	}
	return indexed.Flatten(doc), nil
}
