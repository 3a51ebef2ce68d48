package loader

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"kith"
	"kith/internal/record"
)

// A companyTable has the companies of a batch: their stored state and the changes so far.
type companyTable struct {
	all      []*companyEntry
	byID     map[int64]*companyEntry
	bySocial map[string]*companyEntry
	byDomain map[string][]*companyEntry
	byName   map[string][]*companyEntry
}

type companyEntry struct {
	record.CompanyRow
	stored bool // known before this batch
	dirty  bool // differs, or may differ, from the stored row
	// last is the last line about this company itself.
	last *item
}

// readCompanies reads the stored companies that the items may refer to.
func readCompanies(ctx context.Context, tx record.Tx, items []item) (*companyTable, error) {
	t := &companyTable{
		byID: map[int64]*companyEntry{}, bySocial: map[string]*companyEntry{},
		byDomain: map[string][]*companyEntry{}, byName: map[string][]*companyEntry{},
	}
	keys := collectKeys(items)
	if len(keys.IDs)+len(keys.Social)+len(keys.Domain)+len(keys.Names) == 0 {
		return t, nil
	}
	rows, err := tx.Companies(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("look up companies: %w", err)
	}
	for _, row := range rows {
		t.add(&companyEntry{CompanyRow: row, stored: true})
	}
	return t, nil
}

func collectKeys(items []item) record.CompanyKeys {
	ids, social, domain, names := map[int64]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range items {
		for _, ref := range items[i].companies() {
			ids[ref.id] = true
			social[ref.socialKey] = true
			// If there is an id, it decides alone.
			if ref.id == 0 {
				domain[ref.domainKey] = true
				names[ref.nameKey] = true
			}
		}
	}
	delete(ids, 0)
	for _, set := range []map[string]bool{social, domain, names} {
		delete(set, "")
	}
	return record.CompanyKeys{
		IDs: slices.Collect(maps.Keys(ids)), Social: slices.Collect(maps.Keys(social)),
		Domain: slices.Collect(maps.Keys(domain)), Names: slices.Collect(maps.Keys(names)),
	}
}

// companies returns all companies of a line.
func (it *item) companies() []*companyRef {
	if it.company != nil {
		return []*companyRef{it.company}
	}
	return slices.DeleteFunc(slices.Clone(it.refs), func(r *companyRef) bool { return r == nil })
}

func (t *companyTable) add(e *companyEntry) {
	t.all = append(t.all, e)
	t.index(e)
}

// index makes an entry findable by its current keys. Old keys remain; find ignores them.
func (t *companyTable) index(e *companyEntry) {
	if e.Company.ID != 0 {
		t.byID[e.Company.ID] = e
	}
	if e.SocialKey != "" {
		t.bySocial[e.SocialKey] = e
	}
	if e.DomainKey != "" && !slices.Contains(t.byDomain[e.DomainKey], e) {
		t.byDomain[e.DomainKey] = append(t.byDomain[e.DomainKey], e)
	}
	if !slices.Contains(t.byName[e.NameKey], e) {
		t.byName[e.NameKey] = append(t.byName[e.NameKey], e)
	}
}

// findMarked returns the company with the profile or the site of a reference.
func (t *companyTable) findMarked(ref *companyRef) *companyEntry {
	if e := t.findBySocialKey(ref.socialKey); e != nil {
		return e
	}
	if ref.domainKey == "" {
		return nil
	}
	for _, e := range t.byDomain[ref.domainKey] {
		if e.DomainKey == ref.domainKey && agree(e.SocialKey, ref.socialKey) {
			return e
		}
	}
	return nil
}

// findBySocialKey returns the company that currently has a social key.
func (t *companyTable) findBySocialKey(socialKey string) *companyEntry {
	e := t.bySocial[socialKey]
	if socialKey == "" || e == nil || e.SocialKey != socialKey {
		return nil
	}
	return e
}

// find returns the company of a reference: by id, otherwise by profile URL, site or name, in this order. A site or a
// name only counts if the better keys do not contradict. Among several the oldest wins. It returns nil if there is
// none.
func (t *companyTable) find(ref *companyRef) *companyEntry {
	if ref.id != 0 {
		return t.byID[ref.id]
	}
	if e := t.findMarked(ref); e != nil {
		return e
	}
	if ref.nameKey != "" {
		for _, e := range t.byName[ref.nameKey] {
			if e.NameKey == ref.nameKey && agree(e.SocialKey, ref.socialKey) && agree(e.DomainKey, ref.domainKey) {
				return e
			}
		}
	}
	return nil
}

// agree reports whether two keys may belong to one company.
func agree(a, b string) bool { return a == "" || b == "" || a == b }

// refuse returns why a reference cannot be followed, or "". named are the ids that the same line gives a name to.
func (t *companyTable) refuse(ref *companyRef, named map[int64]bool) string {
	e := t.find(ref)
	owner := t.findBySocialKey(ref.socialKey)
	switch {
	case e == nil && ref.company.Name == "" && ref.id != 0 && !named[ref.id]:
		return fmt.Sprintf("company %d is not known and has no name here; load companies before people", ref.id)
	case e == nil && ref.company.Name == "" && ref.id == 0:
		return "the company is not known and has no name here"
	case owner != nil && owner != e:
		return fmt.Sprintf("the company's social_url %s belongs to company %s already", ref.company.SocialURL,
			owner.label())
	}
	return ""
}

func (e *companyEntry) label() string {
	if e.Company.ID == 0 {
		return fmt.Sprintf("%q", e.Company.Name)
	}
	return fmt.Sprint(e.Company.ID)
}

// resolve returns the company of a job's reference; it creates unknown ones. The reference only fills gaps and never
// overwrites.
func (t *companyTable) resolve(ref *companyRef) *companyEntry {
	e := t.find(ref)
	if e == nil {
		return t.create(ref)
	}
	row := e.CompanyRow
	if fill(&e.Company, ref.company) {
		e.dirty = true
	}
	e.SocialKey, e.DomainKey = cmp.Or(e.SocialKey, ref.socialKey), cmp.Or(e.DomainKey, ref.domainKey)
	if row.SocialKey != e.SocialKey || row.DomainKey != e.DomainKey {
		t.index(e)
	}
	return e
}

// replace returns the company of a line of its own, with the data of the line.
func (t *companyTable) replace(ref *companyRef) *companyEntry {
	e := t.find(ref)
	if e == nil {
		return t.create(ref)
	}
	id, rank := e.Company.ID, e.Rank
	e.CompanyRow = ref.row()
	e.Company.ID, e.Rank, e.dirty = id, rank, true
	t.index(e)
	return e
}

func (t *companyTable) create(ref *companyRef) *companyEntry {
	e := &companyEntry{CompanyRow: ref.row(), dirty: true}
	e.Company.ID = ref.id
	t.add(e)
	return e
}

// fill sets the empty fields of c, and reports whether it set any.
func fill(c *kith.Company, from kith.Company) bool {
	return slices.Contains([]bool{
		fillGap(&c.Name, from.Name), fillGap(&c.SocialURL, from.SocialURL), fillGap(&c.Domain, from.Domain),
		fillGap(&c.Industry, from.Industry), fillGap(&c.ImageURL, from.ImageURL),
		fillGap(&c.Headquarters, from.Headquarters), fillGap(&c.Type, from.Type),
		fillGap(&c.Description, from.Description), fillGap(&c.EmployeeCount, from.EmployeeCount),
		fillGap(&c.FoundedYear, from.FoundedYear), fillGap(&c.Location, from.Location),
		fillGap(&c.Funding, from.Funding), fillList(&c.Keywords, from.Keywords), fillList(&c.Aliases, from.Aliases),
	}, true)
}

// fillGap sets an empty value, and reports whether it did.
func fillGap[T comparable](to *T, from T) bool {
	var none T
	if *to != none || from == none {
		return false
	}
	*to = from
	return true
}

// fillList does the same for a list.
func fillList(to *[]string, from []string) bool {
	if len(*to) > 0 || len(from) == 0 {
		return false
	}
	*to = from
	return true
}
