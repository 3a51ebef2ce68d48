package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith"
)

// Marks of completed backfills.
const (
	timesMark  = "times_joined"
	blocksMark = "blocks_kept"
)

// fillBatch is how many people one transaction fills.
const fillBatch = 5_000

// fillIn computes derived data of people stored by versions that lacked it.
func (db *DB) fillIn(ctx context.Context) error {
	err := db.fillPeople(ctx, timesMark, func(ctx context.Context, w *writeTx, people []kith.Person) error {
		return w.putTimes(ctx, people, false)
	})
	if err != nil {
		return err
	}
	return db.fillPeople(ctx, blocksMark, func(ctx context.Context, w *writeTx, people []kith.Person) error {
		ids := make([]int64, len(people))
		for i, p := range people {
			ids[i] = p.ID
		}
		return w.renewBlocks(ctx, ids)
	})
}

// fillPeople processes all people in batches, unless that was done before.
func (db *DB) fillPeople(ctx context.Context, mark string,
	put func(context.Context, *writeTx, []kith.Person) error,
) error {
	done, err := db.Marked(ctx, mark)
	if err != nil || done {
		return err
	}
	for above := int64(0); ; {
		ids, err := db.IDs(ctx, 1, above, fillBatch)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			return db.Mark(ctx, mark)
		}
		if err := db.fillIDs(ctx, ids, put); err != nil {
			return fmt.Errorf("fill %s: %w", mark, err)
		}
		above = ids[len(ids)-1]
	}
}

func (db *DB) fillIDs(
	ctx context.Context, ids []int64, put func(context.Context, *writeTx, []kith.Person) error,
) error {
	return db.InTx(ctx, func(tx pgx.Tx) error {
		var people []kith.Person
		var id int64
		var record []byte
		err := forEach(ctx, tx, "records of people", []any{&id, (*rawJSON)(&record)}, func() error {
			p, err := decodePerson(id, record, func(id int64) kith.Company { return kith.Company{ID: id} })
			people = append(people, p)
			return err
		}, "select id, "+wholeRecord("people")+" from people where id = any($1) order by id for update", ids)
		if err != nil {
			return err
		}
		return put(ctx, &writeTx{db: db, tx: tx}, people)
	})
}
