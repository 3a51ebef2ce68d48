package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kith/internal/record"
)

// Tx is the write transaction that this package needs in addition to [record.Tx].
type Tx interface {
	record.Tx
	// Related returns all records of the current owner's people who have one of the keys. For
	// a block with more than Most people, it returns nobody and reports the key in overshared. Of an address or source
	// with more than [MostSharing] people, it returns one more than that.
	Related(ctx context.Context, keys Keys) (records []Record, overshared []int64, err error)
	// Everyones returns the shared people (owner [record.Everyone]) with a profile, address or
	// source among the keys. If the current records are shared too, it returns nobody.
	Everyones(ctx context.Context, keys Keys) ([]Marked, error)
	// Decisions returns the decisions about records.
	Decisions(ctx context.Context, records []int64) ([]Decision, error)
	// Apply stores a change.
	Apply(ctx context.Context, c Change) ([]record.Outcome, error)
	record.Claimer
}

// Change is a set of changes of people.
type Change struct {
	// Rows are people to insert or replace. [Tx.Apply] returns one outcome for each.
	Rows []record.PersonRow
	// Records are all records of people with several records. The only record of other people is their row.
	Records []Record
	// Of are the stored people whose records and doubtful pairs are replaced.
	Of []int64
	// Gone maps people who were merged into another person to that person.
	Gone map[int64]int64
	// Back are people who had been merged into another person.
	Back []int64
	// Doubtful are the pairs that a person must decide about.
	Doubtful []Pair
}

// Uniter combines new records with stored ones. It has no state.
type Uniter struct{}

var _ record.Uniter = Uniter{}

// errNoRecords is a programming error: the store does not support records.
var errNoRecords = errors.New("identity: the store keeps no records of people")

// Unite implements [record.Uniter]. It is idempotent, and independent of the order of records. It merges only records
// of one owner. It does not store an owner's record that has a mark of a shared person.
func (Uniter) Unite(ctx context.Context, tx record.Tx, rows []record.PersonRow) ([]record.Outcome, error) {
	store, ok := tx.(Tx)
	if !ok {
		return nil, errNoRecords
	}
	u := newUnification(store)
	u.rows = rows
	return u.store(ctx)
}

// store drops rows about shared people and runs the union for the others.
func (u *unification) store(ctx context.Context) ([]record.Outcome, error) {
	shared, err := u.sharedRows(ctx)
	if err != nil {
		return nil, err
	}
	all := u.rows
	u.rows = nil
	for i, row := range all {
		if !shared[i] {
			u.rows = append(u.rows, row)
		}
	}
	out := make([]record.Outcome, len(all)) // unchanged
	if len(u.rows) == 0 {
		return out, nil
	}
	stored, err := u.run(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if !shared[i] {
			out[i], stored = stored[0], stored[1:]
		}
	}
	return out, nil
}

// sharedRows returns which rows certainly describe shared people.
func (u *unification) sharedRows(ctx context.Context) (map[int]bool, error) {
	if u.tx.Origin().Owner() == record.Everyone { // shared records need no check
		return nil, nil
	}
	var keys Keys
	asked := map[mark]bool{}
	for i := range u.rows {
		for _, m := range listMarks(&u.rows[i].Person) {
			if !asked[m] {
				asked[m] = true
				keys.add(m)
			}
		}
	}
	people, err := u.tx.Everyones(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("people of everyone: %w", err)
	}
	shared := map[int]bool{}
	for i := range u.rows {
		row := Marked{Person: u.rows[i].Person, Profiles: []string{u.rows[i].SocialKey}}
		if u.rows[i].SocialKey == "" {
			row.Profiles = nil
		}
		shared[i] = slices.ContainsFunc(people, row.Same)
	}
	return shared, nil
}

// Regroup regroups the records of people, for example after a decision.
func Regroup(ctx context.Context, tx Tx, people ...int64) error {
	u := newUnification(tx)
	u.seeds = people
	_, err := u.run(ctx)
	return err
}

// Without removes records from people as if they had never been read. It deletes people without other records.
func Without(ctx context.Context, tx Tx, records []int64) error {
	u := newUnification(tx)
	u.seeds = records
	if err := u.read(ctx); err != nil {
		return err
	}
	if gone := u.drop(records); len(gone) > 0 {
		if err := tx.DeletePeople(ctx, gone); err != nil {
			return err
		}
	}
	if len(u.all) == 0 {
		return nil
	}
	_, err := u.group(ctx)
	return err
}

// drop removes records from the known ones, and returns the people without any left.
func (u *unification) drop(records []int64) (gone []int64) {
	out := map[*Record]bool{}
	for _, id := range records {
		if r := u.known[id]; r != nil {
			out[r] = true
			delete(u.known, id)
			u.newer[r.Person] = true
		}
	}
	isOut := func(r *Record) bool { return out[r] }
	u.all = slices.DeleteFunc(u.all, isOut)
	for person, all := range u.people {
		if u.people[person] = slices.DeleteFunc(all, isOut); len(u.people[person]) == 0 {
			delete(u.people, person)
			gone = append(gone, person)
		}
	}
	slices.Sort(gone)
	return gone
}

// unification is one union in progress.
type unification struct {
	tx    Tx
	rows  []record.PersonRow
	seeds []int64

	// known maps ids to stored records, people maps people to theirs.
	known  map[int64]*Record
	people map[int64][]*Record
	// given are the records of the rows, one each.
	given []*Record
	// candidates groups the records that may describe one person.
	candidates candidates
	// overshared are the blocking keys that too many stored people share.
	overshared map[int64]bool
	// all are the known and the new records. rowOf maps each row to the first record with the same content.
	all   []*Record
	fresh []*Record
	rowOf []*Record
	// newer are people with a record that was read again on a later day. ranks are the ranks of new records' rows.
	newer  map[int64]bool
	ranks  map[*Record]int64
	names  map[int64]string
	change Change
	// changed are the people that the change affects.
	changed map[int64]bool
}

func newUnification(tx Tx) *unification {
	return &unification{
		tx: tx, known: map[int64]*Record{}, people: map[int64][]*Record{}, newer: map[int64]bool{},
		changed: map[int64]bool{}, names: map[int64]string{}, overshared: map[int64]bool{},
		candidates: candidates{byMark: map[mark][]int{}, byPerson: map[int64]int{}, asked: map[int64]bool{}},
	}
}

func (u *unification) run(ctx context.Context) ([]record.Outcome, error) {
	if err := u.read(ctx); err != nil {
		return nil, err
	}
	if err := u.number(ctx); err != nil {
		return nil, err
	}
	return u.group(ctx)
}

// group groups all records into people and stores them.
func (u *unification) group(ctx context.Context) ([]record.Outcome, error) {
	decisions, err := u.decisions(ctx)
	if err != nil {
		return nil, err
	}
	groups, doubtful := Cluster(u.all, u.names, decisions, u.overshared)
	personOf := u.assignPeople(groups)
	u.addDoubts(doubtful, personOf)
	stored, err := u.tx.Apply(ctx, u.change)
	if err != nil {
		return nil, fmt.Errorf("apply a change to people: %w", err)
	}
	return u.outcomes(personOf, stored), u.claim(ctx)
}

// claim records who provided the records of the rows.
func (u *unification) claim(ctx context.Context) error {
	if len(u.rows) == 0 {
		return nil
	}
	var fresh, again []int64
	for _, r := range u.fresh {
		fresh = append(fresh, r.ID)
	}
	for _, r := range u.rowOf {
		if r.Person != 0 {
			again = append(again, r.ID)
		}
	}
	return u.tx.Claim(ctx, record.People, fresh, again)
}

// decisions returns the decisions about the stored records; new records cannot have any.
func (u *unification) decisions(ctx context.Context) ([]Decision, error) {
	if len(u.known) == 0 {
		return nil, nil
	}
	return u.tx.Decisions(ctx, sortedKeys(u.known))
}
