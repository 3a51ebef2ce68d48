package loader

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/semaphore"

	"kith"
	"kith/internal/record"
	"kith/query/analysis"
)

// mergers is the most merges of one process that may hold a database connection while waiting for the write lock.
const mergers = 4

// Merger merges fresh people into the records. It is safe for concurrent use.
type Merger struct {
	store record.Store
	slots *semaphore.Weighted
}

// NewMerger returns a merger into a store.
func NewMerger(store record.Store) *Merger {
	return &Merger{store: store, slots: semaphore.NewWeighted(mergers)}
}

// Merge stores a fresh person by the rules, in one transaction with the queue entries for the index. It creates an
// unknown person. Repeating a merge changes nothing. The error is of kind Invalid for a line that cannot be stored,
// and of kind Suppressed for a person who asked to be forgotten.
func (m *Merger) Merge(ctx context.Context, f record.Fresh, rules record.Rules) (record.Merged, error) {
	it, err := parseFresh(f)
	if err != nil {
		return record.Merged{}, &kith.Error{
			Kind: kith.Invalid, Code: "RECORD_REFUSED",
			Detail: "the record of the source cannot be stored: " + err.Error(), Cause: err,
		}
	}
	if err := m.slots.Acquire(ctx, 1); err != nil {
		return record.Merged{}, err
	}
	defer m.slots.Release(1)
	var out record.Merged
	err = m.store.Write(ctx, record.ForEveryone(), func(ctx context.Context, tx record.Tx) error {
		g := &merging{batch{items: []item{it}}}
		out, err = g.store(ctx, tx, rules)
		return err
	})
	if err == nil && out.Outcome == record.Suppressed {
		err = kith.Errorf(kith.Suppressed, "PERSON_SUPPRESSED", "this person asked to be forgotten")
	}
	if err != nil {
		return record.Merged{}, fmt.Errorf("merge: %w", err)
	}
	return out, nil
}

// parseFresh reads and checks the line of a fresh person.
func parseFresh(f record.Fresh) (item, error) {
	line, err := decode[personLine](f.Line, false)
	if err != nil {
		return item{}, err
	}
	if err := line.dropIDs(); err != nil {
		return item{}, err
	}
	line.SocialURL = cmp.Or(line.SocialURL, f.ProfileURL)
	nameless := strings.TrimSpace(line.FullName) == ""
	if nameless {
		line.FullName = "?" // passes the check, but is not stored
	}
	row, refs, err := line.row()
	if err != nil {
		return item{}, err
	}
	if nameless {
		row.Person.FullName = ""
	}
	if asked, _ := analysis.URLKey(f.ProfileURL); asked != row.SocialKey {
		return item{}, problem("social_url", "is of another profile than the one that was asked for")
	}
	row.AsOf, row.Refreshed = f.AsOf, f.Refreshed
	return item{person: row, refs: refs}, nil
}

// dropIDs removes the ids from a line: they belong to the source.
func (l *personLine) dropIDs() error {
	l.ID = 0
	for i, job := range l.Jobs() {
		id := job.Company.ID
		if job.Company.ID = 0; id != 0 && !isNamed(job.Company) {
			path := "work_relevant"
			if k := i - (len(l.Jobs()) - len(l.WorkHistory)); k >= 0 {
				path = at("work_history", k)
			}
			return problem(path+".company",
				"needs a name, a profile URL or a domain: the ids of a source are its own, and are ignored")
		}
	}
	return nil
}

// merging is one merge within a transaction.
type merging struct{ batch }

func (g *merging) store(ctx context.Context, tx record.Tx, rules record.Rules) (record.Merged, error) {
	p, err := g.addOnly(ctx, tx)
	if err != nil {
		return record.Merged{}, err
	}
	known := p.id != 0
	if !known && p.row.Person.FullName == "" {
		return record.Merged{}, refusal("full_name: is required of someone who is not stored yet")
	}
	if err := g.numberPeople(ctx, tx); err != nil {
		return record.Merged{}, err
	}
	if err := g.putCompanies(ctx, tx, map[*item]record.Outcome{}); err != nil {
		return record.Merged{}, err
	}
	row, stored := p.finish(), record.Dated{}
	if known {
		if stored, err = tx.StoredPerson(ctx, p.id); err != nil {
			return record.Merged{}, err
		}
	}
	row = row.Become(rules(stored, record.Dated{Person: row.Person, AsOf: row.AsOf}))
	done, err := tx.PutPeople(ctx, []record.PersonRow{row})
	if err != nil {
		return record.Merged{}, fmt.Errorf("store the person: %w", err)
	}
	return record.Merged{ID: p.id, Outcome: done[0]}, nil
}

func refusal(reason string) error {
	return kith.Errorf(kith.Invalid, "RECORD_REFUSED", "the record of the source cannot be stored: %s", reason)
}

// addOnly finds the person and the companies of the single line.
func (g *merging) addOnly(ctx context.Context, tx record.Tx) (*batchPerson, error) {
	var err error
	if g.companies, err = readCompanies(ctx, tx, g.items); err != nil {
		return nil, err
	}
	if g.people, err = readPeople(ctx, tx, g.items); err != nil {
		return nil, err
	}
	if reason := g.add(&g.items[0]); reason != "" {
		return nil, refusal(reason)
	}
	return g.people.order[0], nil
}
