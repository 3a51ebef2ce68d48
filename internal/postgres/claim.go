package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/record"
)

var _ record.Claimer = (*writeTx)(nil)

// Claim implements [record.Claimer].
func (w *writeTx) Claim(ctx context.Context, kind record.Kind, fresh, again []int64) error {
	number := record.ImportFrom(ctx)
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

// importsColumn returns the value of the imports column for rows written on behalf of ctx's import; nil without one.
func importsColumn(ctx context.Context) []int64 {
	if number := record.ImportFrom(ctx); number != 0 {
		return []int64{number}
	}
	return nil
}

// claimRelationships adds ctx's import to the sources of relationships, or, without one, marks them as having other
// sources.
func claimRelationships(ctx context.Context, tx pgx.Tx, users, people []int64) error {
	return Exec(ctx, tx, "sources of relationships", `update relationships r set imports = joint(r.imports, $3)
		from unnest($1::bigint[], $2::bigint[]) as w (user_id, person_id)
		where r.user_id = w.user_id and r.person_id = w.person_id and r.imports is not null
			and joint(r.imports, $3) is distinct from r.imports`, users, people, importsColumn(ctx))
}
