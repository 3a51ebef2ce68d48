package loader

import (
	"context"
	"fmt"

	"kith/internal/record"
)

// Filled counts the work of a [Filler].
type Filled struct {
	// Read counts companies of the dataset. Matched counts those with a stored company, by profile, site or name.
	// Filled counts stored companies that were completed.
	Read, Matched, Filled int64
	// Ambiguous counts stored companies whose name occurs several times in the dataset.
	Ambiguous int64
}

// Filler completes stored companies from a dataset of companies, and stores nothing else of it. It never overwrites.
// A name only matches if it is unique among the dataset and among the stored companies. The stored companies bound
// its memory. It is not safe for concurrent use.
type Filler struct {
	store  record.Store
	origin record.Origin
	filled Filled
	// named maps stored companies to the company of the dataset with their name; nil if there are several. marked
	// were matched by a better key.
	named  map[int64]*companyRef
	marked map[int64]bool
}

// NewFiller returns a filler for the companies of a store that belong to an origin's owner.
func NewFiller(store record.Store, o record.Origin) *Filler {
	return &Filler{store: store, origin: o, named: map[int64]*companyRef{}, marked: map[int64]bool{}}
}

// Add reads companies, each a line of a load file. In one transaction it completes those with a matching profile or
// site.
func (f *Filler) Add(ctx context.Context, lines [][]byte) error {
	var items []item
	for i, line := range lines {
		it := parseLine(record.Companies, int64(i+1), line)
		f.filled.Read++
		if it.reason == "" {
			items = append(items, it)
		}
	}
	return f.write(ctx, items, f.findMarked)
}

// Finish completes companies with a matching name, and returns the total counts.
func (f *Filler) Finish(ctx context.Context) (Filled, error) {
	var items []item
	for id, ref := range f.named {
		switch {
		case f.marked[id]:
		case ref == nil:
			f.filled.Ambiguous++
		default:
			items = append(items, item{company: ref})
		}
		if len(items) == defaultBatch {
			if err := f.write(ctx, items, (*companyTable).find); err != nil {
				return f.filled, err
			}
			items = nil
		}
	}
	return f.filled, f.write(ctx, items, (*companyTable).find)
}

// write fills in the companies of items.
func (f *Filler) write(ctx context.Context, items []item, meant func(*companyTable, *companyRef) *companyEntry) error {
	if len(items) == 0 {
		return nil
	}
	return f.store.Write(ctx, f.origin, func(ctx context.Context, tx record.Tx) error {
		t, err := readCompanies(ctx, tx, items)
		if err != nil {
			return err
		}
		var rows []record.CompanyRow
		var entries []*companyEntry
		for i := range items {
			ref := items[i].company
			if e := meant(t, ref); e != nil && t.find(ref) == e && t.refuse(ref, nil) == "" {
				f.filled.Matched++
				t.resolve(ref)
				entries = append(entries, e)
			}
		}
		seen := map[*companyEntry]bool{}
		for _, e := range entries {
			if e.dirty && !seen[e] {
				seen[e] = true
				rows = append(rows, e.CompanyRow)
			}
		}
		f.filled.Filled += int64(len(rows))
		if len(rows) == 0 {
			return nil
		}
		if _, err := tx.PutCompanies(ctx, rows); err != nil {
			return fmt.Errorf("store companies: %w", err)
		}
		return nil
	})
}

// findMarked returns the stored company with the profile or site of the reference. A match by name alone is noted for
// [Filler.Finish].
func (f *Filler) findMarked(t *companyTable, ref *companyRef) *companyEntry {
	if e := t.findMarked(ref); e != nil {
		f.marked[e.Company.ID] = true
		return e
	}
	f.note(t, ref)
	return nil
}

func (f *Filler) note(t *companyTable, ref *companyRef) {
	var only *companyEntry
	for _, e := range t.byName[ref.nameKey] {
		if e.NameKey != ref.nameKey {
			continue
		}
		if only != nil { // two stored companies of one name
			return
		}
		only = e
	}
	if only == nil || !agree(only.SocialKey, ref.socialKey) || !agree(only.DomainKey, ref.domainKey) {
		return
	}
	if _, again := f.named[only.Company.ID]; again {
		ref = nil
	}
	f.named[only.Company.ID] = ref
}
