package loader

import (
	"context"
	"fmt"
	"slices"
	"time"

	"kith"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/query/analysis"
)

// A batch is consecutive lines of one file, stored in one transaction.
type batch struct {
	items []item
	// asOf is the day of the data about people.
	asOf      time.Time
	companies *companyTable
	people    *peopleTable
	// uniter is nil if lines replace records.
	uniter record.Uniter
	// direct prepares new records for the index, as those of owner, instead of queueing them.
	direct bool
	owner  string
	// made are the new records of a direct batch.
	made indexer.Stored
}

// result is the outcome of each line of a batch.
type result struct {
	rejected []item
	// byLine has the outcomes of lines that were not rejected.
	byLine map[int64]record.Outcome
	// made are the new records to write to the index.
	made indexer.Stored
}

// store stores the items in one transaction.
func (b *batch) store(ctx context.Context, tx record.Tx) (result, error) {
	var err error
	if b.companies, err = readCompanies(ctx, tx, b.items); err != nil {
		return result{}, err
	}
	b.people = &peopleTable{}
	if b.uniter == nil {
		if b.people, err = readPeople(ctx, tx, b.items); err != nil {
			return result{}, err
		}
	}
	var res result
	for i := range b.items {
		it := &b.items[i]
		if it.reason == "" {
			it.reason = b.add(it)
		}
		if it.reason != "" {
			res.rejected = append(res.rejected, *it)
		}
	}
	outcomes, err := b.put(ctx, tx)
	if err != nil {
		return result{}, err
	}
	b.tally(&res, outcomes)
	res.made = b.made
	return res, nil
}

// add adds a line to the batch, or returns the reason for rejecting it. A rejected line changes nothing.
func (b *batch) add(it *item) string {
	var person *batchPerson
	if it.person != nil && b.uniter == nil {
		var reason string
		if person, reason = b.people.find(it.person); reason != "" {
			return reason
		}
	}
	if reason := b.refuse(it); reason != "" {
		return reason
	}
	if it.company != nil {
		b.companies.replace(it.company).last = it
		return ""
	}
	if b.uniter != nil {
		b.people.order = append(b.people.order, &batchPerson{row: it.person, refs: b.resolve(it.refs), last: it})
		return ""
	}
	b.people.attach(person, it, b.resolve(it.refs))
	return ""
}

// refuse returns how the companies of a line contradict stored ones, or "". It changes nothing.
func (b *batch) refuse(it *item) string {
	named := map[int64]bool{}
	for _, ref := range it.companies() {
		named[ref.id] = named[ref.id] || ref.company.Name != ""
	}
	for _, ref := range it.companies() {
		if reason := b.companies.refuse(ref, named); reason != "" {
			return reason
		}
	}
	return ""
}

// resolve finds or creates the company of each job. References with a name go first: another job of the line may
// refer to the same company by its id alone.
func (b *batch) resolve(refs []*companyRef) []*companyEntry {
	entries := make([]*companyEntry, len(refs))
	for _, withName := range []bool{true, false} {
		for i, ref := range refs {
			if ref != nil && (ref.company.Name != "") == withName {
				entries[i] = b.companies.resolve(ref)
			}
		}
	}
	return entries
}

// put stores companies, then people, and returns the outcome of each line.
func (b *batch) put(ctx context.Context, tx record.Tx) (map[*item]record.Outcome, error) {
	outcomes := map[*item]record.Outcome{}
	if err := b.putCompanies(ctx, tx, outcomes); err != nil {
		return nil, err
	}
	if b.uniter != nil {
		return outcomes, b.unite(ctx, tx, outcomes)
	}
	return outcomes, b.putPeople(ctx, tx, outcomes)
}

func (b *batch) putCompanies(ctx context.Context, tx record.Tx, outcomes map[*item]record.Outcome) error {
	if err := b.numberCompanies(ctx, tx); err != nil {
		return err
	}
	var rows []record.CompanyRow
	var dirty []*companyEntry
	for _, e := range b.companies.all {
		if !e.dirty {
			continue
		}
		if !e.stored {
			e.Rank = analysis.CompanyRank(e.Company)
		}
		e.Direct = b.direct
		rows, dirty = append(rows, e.CompanyRow), append(dirty, e)
	}
	if len(rows) > 0 {
		done, err := tx.PutCompanies(ctx, rows)
		if err != nil {
			return fmt.Errorf("store companies: %w", err)
		}
		for i, e := range dirty {
			if e.last != nil {
				outcomes[e.last] = done[i]
			}
			if b.direct && done[i] == record.Created {
				b.made.Companies = append(b.made.Companies,
					record.Company{Company: e.Company, Rank: e.Rank, Version: rows[i].Version, Owner: b.owner})
			}
		}
	}
	return b.claimCompanies(ctx, tx)
}

// numberCompanies gives ids to companies without one. They rise: of several companies of one name, the first that a
// file names is the one that the name means, now and when the file is read again.
func (b *batch) numberCompanies(ctx context.Context, tx record.Tx) error {
	var unnamed []*companyEntry
	for _, e := range b.companies.all {
		if e.Company.ID == 0 {
			unnamed = append(unnamed, e)
		}
	}
	ids, err := newIDs(ctx, tx, record.Companies, len(unnamed))
	slices.Sort(ids)
	for i, id := range ids {
		unnamed[i].Company.ID = id
	}
	return err
}

// claimCompanies records which import supplies the companies of the batch, if the transaction is a [record.Claimer].
func (b *batch) claimCompanies(ctx context.Context, tx record.Tx) error {
	c, ok := tx.(record.Claimer)
	if !ok || len(b.companies.all) == 0 {
		return nil
	}
	var fresh, again []int64
	for _, e := range b.companies.all {
		if e.stored {
			again = append(again, e.Company.ID)
		} else {
			fresh = append(fresh, e.Company.ID)
		}
	}
	return c.Claim(ctx, record.Companies, fresh, again)
}

// unite passes the people of the batch to the uniter.
func (b *batch) unite(ctx context.Context, tx record.Tx, outcomes map[*item]record.Outcome) error {
	rows := make([]record.PersonRow, len(b.people.order))
	for i, p := range b.people.order {
		rows[i] = p.finish()
		if rows[i].Person.ID = 0; rows[i].AsOf.IsZero() {
			rows[i].AsOf = b.asOf
		}
	}
	if len(rows) == 0 {
		return nil
	}
	done, err := b.uniter.Unite(ctx, tx, rows)
	if err != nil {
		return fmt.Errorf("store people: %w", err)
	}
	for i, p := range b.people.order {
		outcomes[p.last] = done[i]
	}
	return nil
}

func (b *batch) putPeople(ctx context.Context, tx record.Tx, outcomes map[*item]record.Outcome) error {
	if len(b.people.order) == 0 {
		return nil
	}
	if err := b.numberPeople(ctx, tx); err != nil {
		return err
	}
	rows := make([]record.PersonRow, len(b.people.order))
	for i, p := range b.people.order {
		rows[i] = p.finish()
		rows[i].Direct = b.direct
		if rows[i].AsOf.IsZero() {
			rows[i].AsOf = b.asOf
		}
	}
	done, err := tx.PutPeople(ctx, rows)
	if err != nil {
		return fmt.Errorf("store people: %w", err)
	}
	for i, p := range b.people.order {
		outcomes[p.last] = done[i]
		if b.direct && done[i] == record.Created {
			b.made.People = append(b.made.People, p.withCompanies(rows[i], b.owner))
		}
	}
	return nil
}

// numberPeople gives ids to people without one.
func (b *batch) numberPeople(ctx context.Context, tx record.Tx) error {
	var unnamed []*batchPerson
	for _, p := range b.people.order {
		if p.id == 0 {
			unnamed = append(unnamed, p)
		}
	}
	ids, err := newIDs(ctx, tx, record.People, len(unnamed))
	for i, id := range ids {
		unnamed[i].id = id
	}
	return err
}

func newIDs(ctx context.Context, tx record.Tx, kind record.Kind, n int) ([]int64, error) {
	ids, err := tx.NewIDs(ctx, kind, n)
	if err != nil {
		return nil, fmt.Errorf("new ids for %s: %w", kind, err)
	}
	return ids, nil
}

// finish fills in the companies of the jobs and ranks the person.
func (p *batchPerson) finish() record.PersonRow {
	row := *p.row
	row.Person.ID = p.id
	if p.socialKey != "" && row.SocialKey != p.socialKey { // a stored person keeps the profile
		row.Person.SocialURL, row.SocialKey, row.SocialID = p.socialURL, p.socialKey, analysis.SocialID(p.socialURL)
	}
	all := row.Person.Jobs()
	seen := map[int64]bool{}
	for i, e := range p.refs {
		if e == nil {
			continue
		}
		all[i].Company = e.Company
		if !seen[e.Company.ID] {
			seen[e.Company.ID] = true
			row.CompanyIDs = append(row.CompanyIDs, e.Company.ID)
		}
	}
	row.Rank = analysis.Rank(row.Person)
	for _, job := range all {
		job.Company = kith.Company{ID: job.Company.ID}
	}
	return row
}

// withCompanies returns a stored row as a [record.Reader] would, with its companies. Companies of the batch are stored
// before its people.
func (p *batchPerson) withCompanies(row record.PersonRow, owner string) record.Person {
	byID := map[int64]kith.Company{}
	for _, e := range p.refs {
		if e != nil {
			byID[e.Company.ID] = e.Company
		}
	}
	person := row.Person.WithCompanies(func(c kith.Company) kith.Company { return byID[c.ID] })
	return record.Person{Person: person, Rank: row.Rank, Version: row.Version, Owner: owner}
}

// tally notes the outcome of each line that was not rejected. A line is superseded if a later line of the batch
// replaced it.
func (b *batch) tally(res *result, outcomes map[*item]record.Outcome) {
	res.byLine = make(map[int64]record.Outcome, len(b.items))
	for i := range b.items {
		it := &b.items[i]
		if it.reason != "" {
			continue
		}
		outcome, last := outcomes[it]
		if !last {
			outcome = record.Repeated
		}
		res.byLine[it.line] = outcome
	}
}
