package network

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
)

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
	return conn.Exec(ctx, tx, "sources of relationships", `update relationships r set imports = joint(r.imports, $3)
		from unnest($1::bigint[], $2::bigint[]) as w (user_id, person_id)
		where r.user_id = w.user_id and r.person_id = w.person_id and r.imports is not null
			and joint(r.imports, $3) is distinct from r.imports`, users, people, s.column())
}
