package record

import (
	"context"
	"fmt"

	"kith/internal/postgres/conn"
	"kith/internal/record"
)

var _ record.Claimer = (*WriteTx)(nil)

// Origin implements [record.Claimer].
func (w *WriteTx) Origin() record.Origin { return w.origin }

// Claim implements [record.Claimer].
func (w *WriteTx) Claim(ctx context.Context, kind record.Kind, fresh, again []int64) error {
	number := w.origin.Import()
	if number == 0 {
		return conn.Exec(ctx, w.Tx, "sources of records", "delete from import_records where kind = $1 and record_id = "+
			"any($2)", int16(kind), again)
	}
	err := conn.Exec(ctx, w.Tx, "sources of records", `insert into import_records (import_id, kind, record_id)
		select $1::bigint, $2::smallint, unnest($3::bigint[])
		union select $1::bigint, kind, record_id from import_records where kind = $2 and record_id = any($4)
		on conflict do nothing`, number, int16(kind), fresh, again)
	if err != nil {
		return fmt.Errorf("import %d: %w", number, err)
	}
	return nil
}
