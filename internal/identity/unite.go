package identity

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kith/index/load"
)

// Tx is what a write transaction must do beyond [load.Tx].
type Tx interface {
	load.Tx
	// Related returns the records of all people of the owner who is written for who have
	// one of the keys. Of a block that more than Most of them have it returns nobody, and the
	// key among the crowded ones.
	Related(ctx context.Context, keys Keys) (records []Record, crowded []int64, err error)
	// Everyones returns the people of everyone who have one of the profiles, addresses or
	// sources of the keys, where records of an owner are written; nobody otherwise.
	Everyones(ctx context.Context, keys Keys) ([]Marked, error)
	// Decisions returns what was decided about the records.
	Decisions(ctx context.Context, records []int64) ([]Decision, error)
	// Settle stores people as they are now.
	Settle(ctx context.Context, c Change) ([]load.Outcome, error)
	load.Claimer
}

// Change is what becomes of people.
type Change struct {
	// Rows are people to store, new or over what is stored. The outcomes of
	// [Tx.Settle] are theirs.
	Rows []load.PersonRow
	// Records are all records of people who have several; those of the others are their
	// rows.
	Records []Record
	// Of are the people who were stored, and whose records and doubtful pairs are replaced.
	Of []int64
	// Gone are people who became part of another one.
	Gone map[int64]int64
	// Back are people who were part of another one.
	Back []int64
	// Doubtful are the pairs to ask about.
	Doubtful []Pair
}

// Uniter brings new records to those that are stored. It has no state.
type Uniter struct{}

var _ load.Uniter = Uniter{}

// errNoRecords is a programming error: a store that keeps no records.
var errNoRecords = errors.New("identity: the store keeps no records of people")

// Unite implements [load.Uniter]. Storing a record again changes nothing, and the order
// in which records come does not count. Only records of one owner are merged; one of an
// owner that has a mark of a person who is everyone's is not stored.
func (Uniter) Unite(ctx context.Context, tx load.Tx, rows []load.PersonRow) ([]load.Outcome, error) {
	store, ok := tx.(Tx)
	if !ok {
		return nil, errNoRecords
	}
	u := newReunion(store)
	u.rows = rows
	return u.store(ctx)
}

// store leaves out what everyone's records have, and runs.
func (u *reunion) store(ctx context.Context) ([]load.Outcome, error) {
	shared, err := u.everyones(ctx)
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
	out := make([]load.Outcome, len(all)) // unchanged
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

// everyones says which rows are certainly about people who are everyone's.
func (u *reunion) everyones(ctx context.Context) (map[int]bool, error) {
	if load.OwnerFrom(ctx) == load.Everyone { // whose records are their own
		return nil, nil
	}
	var keys Keys
	asked := map[mark]bool{}
	for i := range u.rows {
		for _, m := range marksOf(&u.rows[i].Person) {
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

// Again groups the records of people anew, as after a decision about them.
func Again(ctx context.Context, tx load.Tx, people ...int64) error {
	store, ok := tx.(Tx)
	if !ok {
		return errNoRecords
	}
	u := newReunion(store)
	u.seeds = people
	_, err := u.run(ctx)
	return err
}

// Without takes records out of people, as if nobody had told them. People of no other
// record are deleted.
func Without(ctx context.Context, tx load.Tx, records []int64) error {
	store, ok := tx.(Tx)
	if !ok {
		return errNoRecords
	}
	u := newReunion(store)
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

// drop takes records out of what is known, and returns the people of whom nothing is left.
func (u *reunion) drop(records []int64) (gone []int64) {
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

// reunion is one union under way.
type reunion struct {
	tx    Tx
	rows  []load.PersonRow
	seeds []int64

	// known are the stored records by id, people the same by person.
	known  map[int64]*Record
	people map[int64][]*Record
	// told are the records that the rows make, one each.
	told []*Record
	// kin groups what may be one person.
	kin kin
	// crowded are the keys of blocks that too many stored people share.
	crowded map[int64]bool
	// all are the known records and the new ones; rowOf has the place in rows of the
	// first row that says the same as a record.
	all   []*Record
	fresh []*Record
	rowOf []*Record
	// newer are people of whom a record was told again on a later day; ranks are those of
	// the rows of new records.
	newer  map[int64]bool
	ranks  map[*Record]int64
	names  map[int64]string
	change Change
	// changed are the people of the change.
	changed map[int64]bool
}

func newReunion(store Tx) *reunion {
	return &reunion{
		tx: store, known: map[int64]*Record{}, people: map[int64][]*Record{}, newer: map[int64]bool{},
		changed: map[int64]bool{}, names: map[int64]string{}, kin: newKin(), crowded: map[int64]bool{},
	}
}

func (u *reunion) run(ctx context.Context) ([]load.Outcome, error) {
	if err := u.read(ctx); err != nil {
		return nil, err
	}
	if err := u.number(ctx); err != nil {
		return nil, err
	}
	return u.group(ctx)
}

// group makes people of all records and stores them.
func (u *reunion) group(ctx context.Context) ([]load.Outcome, error) {
	decisions, err := u.decisions(ctx)
	if err != nil {
		return nil, err
	}
	groups, doubtful := Cluster(u.all, u.names, decisions, u.crowded)
	personOf := u.settle(groups)
	u.doubt(doubtful, personOf)
	stored, err := u.tx.Settle(ctx, u.change)
	if err != nil {
		return nil, fmt.Errorf("settle people: %w", err)
	}
	return u.outcomes(personOf, stored), u.claim(ctx)
}

// claim notes who tells the records of the rows.
func (u *reunion) claim(ctx context.Context) error {
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
	return u.tx.Claim(ctx, load.People, fresh, again)
}

// decisions are about stored records: nobody has seen the new ones.
func (u *reunion) decisions(ctx context.Context) ([]Decision, error) {
	if len(u.known) == 0 {
		return nil, nil
	}
	return u.tx.Decisions(ctx, sortedKeys(u.known))
}
