package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/record"
)

var _ record.Claimer = (*writeTx)(nil)

// Origin implements [record.Claimer].
func (w *writeTx) Origin() record.Origin { return w.origin }

// Claim implements [record.Claimer].
func (w *writeTx) Claim(ctx context.Context, kind record.Kind, fresh, again []int64) error {
	number := w.origin.Import()
	if number == 0 {
		return Exec(ctx, w.tx, "sources of records", "delete from import_records where kind = $1 and record_id = any($2)",
			int16(kind), again)
	}
	err := Exec(ctx, w.tx, "sources of records", `insert into import_records (import_id, kind, record_id)
		select $1::bigint, $2::smallint, unnest($3::bigint[])
		union select $1::bigint, kind, record_id from import_records where kind = $2 and record_id = any($4)
		on conflict do nothing`, number, int16(kind), fresh, again)
	if err != nil {
		return fmt.Errorf("import %d: %w", number, err)
	}
	return nil
}

// supplier is the number of the import that supplies rows; 0 for other sources.
type supplier int64

// column returns the value of the imports column; nil for other sources.
func (s supplier) column() []int64 {
	if s == 0 {
		return nil
	}
	return []int64{int64(s)}
}

// claimRelationships adds the supplier to the sources of relationships.
func (s supplier) claimRelationships(ctx context.Context, tx pgx.Tx, users, people []int64) error {
	return Exec(ctx, tx, "sources of relationships", `update relationships r set imports = joint(r.imports, $3)
		from unnest($1::bigint[], $2::bigint[]) as w (user_id, person_id)
		where r.user_id = w.user_id and r.person_id = w.person_id and r.imports is not null
			and joint(r.imports, $3) is distinct from r.imports`, users, people, s.column())
}
