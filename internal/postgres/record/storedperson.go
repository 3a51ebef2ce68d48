package record

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/conn"
	"kith/internal/record"
)

// StoredPerson implements [record.TxReader].
func (w *WriteTx) StoredPerson(ctx context.Context, id int64) (record.Dated, error) {
	var out record.Dated
	var packed []byte
	// People stored before dates were kept have the date of their last update.
	err := w.Tx.QueryRow(ctx, "select "+wholeRecord("p")+`, coalesce(as_of, updated_at), trail
		from people p where id = $1`, id).Scan(&packed, &out.AsOf, &out.Trail)
	if errors.Is(err, pgx.ErrNoRows) {
		return record.Dated{}, kith.Errorf(kith.NotFound, "PERSON_NOT_FOUND", "there is no person %d", id)
	}
	if err != nil {
		return record.Dated{}, fmt.Errorf("stored person: %w", err)
	}
	out.Person, err = decodePerson(id, packed)
	return out, err
}

// setSourceDates sets the dates of people from a source. It makes no new version, because the index does not depend on
// them.
func (w *WriteTx) setSourceDates(ctx context.Context, rows []record.PersonRow, outcomes []record.Outcome) error {
	for i, r := range rows {
		if r.Refreshed.IsZero() || outcomes[i] == record.Suppressed {
			continue
		}
		err := conn.Exec(
			ctx,
			w.Tx,
			"date people",
			"update people set as_of = $2, trail = $3, refreshed_at = $4 where id = "+
				"$1",
			r.Person.ID,
			r.AsOf,
			r.Trail,
			r.Refreshed,
		)
		if err != nil {
			return err
		}
	}
	return nil
}
