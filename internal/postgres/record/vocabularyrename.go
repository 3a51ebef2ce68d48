package record

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5/pgtype"

	"kith"
	"kith/internal/postgres/conn"
	"kith/query/analysis"
	"kith/query/indexed"
)

// vocabularyTx keeps the vocabulary in step with changes of people.
type vocabularyTx struct{ *WriteTx }

// rename keeps the vocabulary in sync with people who are about to change. Otherwise a former name that nobody else has
// would stay known until the next reindex, even if the person is erased meanwhile.
func (w vocabularyTx) rename(ctx context.Context, values []personValues) error {
	ids := idsOf(values)
	old, err := w.readNames(ctx, ids)
	if err != nil {
		return err
	}
	var renamed []kith.Person
	for _, v := range values {
		if was := old[v.row.Person.ID]; !slices.Equal(termsOfNames(was), termsOfNames(v.row.Person)) {
			renamed = append(renamed, v.row.Person)
		}
	}
	if len(renamed) == 0 {
		return nil
	}
	if err := (Vocabulary{w.db}).lockVocabulary(ctx, w.Tx); err != nil {
		return err
	}
	lost, found, err := w.renamedTerms(ctx, old, renamed)
	if err != nil {
		return err
	}
	if err := vocabularyInUse.decrement(ctx, w.Tx, w.Owner, lost); err != nil {
		return err
	}
	if err := (tally{counted: found, owner: w.Owner}).write(ctx, w.Tx, vocabularyInUse); err != nil {
		return err
	}
	also, err := building(ctx, w.Tx)
	if err != nil || !also {
		return err
	}
	// As when people are deleted, removing too much is the lesser harm. The queue adds the new names later.
	return vocabularyBuilt.decrement(ctx, w.Tx, w.Owner, lost)
}

// renamedTerms counts the names that people lose and gain. It leaves out people who wait in the queue to be counted:
// they will be counted with their new names.
func (w vocabularyTx) renamedTerms(ctx context.Context, old map[int64]kith.Person,
	renamed []kith.Person,
) (lost, found map[analysis.Term]int32, err error) {
	ids := make([]int64, len(renamed))
	for i, p := range renamed {
		ids[i] = p.ID
	}
	waiting, err := w.waiting(ctx, ids)
	lost, found = map[analysis.Term]int32{}, map[analysis.Term]int32{}
	for _, p := range renamed {
		if !slices.Contains(waiting, p.ID) {
			was, is := termsOfNames(old[p.ID]), termsOfNames(p)
			subtractTerms(lost, was, is)
			subtractTerms(found, is, was)
		}
	}
	return lost, found, err
}

// readNames returns stored people by id, with their names only.
func (w vocabularyTx) readNames(ctx context.Context, ids []int64) (map[int64]kith.Person, error) {
	out := map[int64]kith.Person{}
	var id int64
	var record []byte
	err := conn.ForEach(ctx, w.Tx, "names of people", []any{&id, (*pgtype.DriverBytes)(&record)}, func() error {
		p, err := decodePerson(id, record)
		out[id] = kith.Person{ID: id, FirstName: p.FirstName, LastName: p.LastName, FullName: p.FullName}
		return err
	}, "select id, "+wholeRecord("p")+" from people p where id = any($1)", ids)
	return out, err
}

// termsOfNames returns the terms of a person's names.
func termsOfNames(p kith.Person) []analysis.Term { return analysis.PersonTerms(p, indexed.Document{}) }

// subtractTerms counts the terms in a that are not in b.
func subtractTerms(counts map[analysis.Term]int32, a, b []analysis.Term) {
	has := make(map[analysis.Term]bool, len(b))
	for _, t := range b {
		has[t] = true
	}
	for _, t := range a {
		if !has[t] {
			counts[t]++
		}
	}
}
