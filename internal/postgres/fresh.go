package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index/load"
)

// StoredPerson implements [load.TxReader].
func (w *writeTx) StoredPerson(ctx context.Context, id int64) (kith.Person, time.Time, error) {
	var record []byte
	var asOf *time.Time
	err := w.tx.QueryRow(ctx, "select record, as_of from people where id = $1", id).Scan(&record, &asOf)
	if errors.Is(err, pgx.ErrNoRows) {
		return kith.Person{}, time.Time{}, kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "there is no person %d", id)
	}
	if err != nil {
		return kith.Person{}, time.Time{}, fmt.Errorf("stored person: %w", err)
	}
	p, err := decodePerson(id, record, func(id int64) kith.Company { return kith.Company{ID: id} })
	if asOf == nil {
		return p, time.Time{}, err
	}
	return p, asOf.UTC(), err
}

// freshen dates the people that came from a source. The index does not hear of
// it, so it is no new version.
func (w *writeTx) freshen(ctx context.Context, rows []load.PersonRow, outcomes []load.Outcome) error {
	for i, r := range rows {
		if r.Fresh == nil || outcomes[i] == load.Suppressed {
			continue
		}
		_, err := w.tx.Exec(ctx, "update people set as_of = $2, refreshed_at = $3 where id = $1", r.Person.ID, r.Fresh.AsOf, r.Fresh.Refreshed)
		if err != nil {
			return err
		}
	}
	return nil
}
