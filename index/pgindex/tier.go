package pgindex

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index"
)

// tier is the top of the order by rank, with an index on terms of its own. Most searches end in a small tier: its
// index returns few documents, and all of them precede everyone else.
type tier struct {
	// size is the number of documents when the tier was created; by now it may hold up to [outgrown] times as many.
	size float64
	// least is the lowest rank in it.
	least int64
}

// condition selects the documents of a tier in the form of its index; "" for nil, which is everyone.
func (t *tier) condition() string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf("p.rank >= %d", t.least)
}

// ranked is the same condition in the form of the index on rank, for a search without terms: with condition Postgres
// would read the tier's whole index on terms.
func (t *tier) ranked() string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf("~p.rank <= %d", ^t.least)
}

// tierSizes are the sizes of tiers in documents. Each is eight times the one before, so a vain search in one costs
// little.
func tierSizes() []int { return []int{2_000, 16_000, 128_000, 1_024_000} }

// outgrown is how many times its size a tier may hold before it is created anew.
const outgrown = 4

// leastRank is the lowest rank of a tier, in SQL about its row i of pg_index.
const leastRank = `substring(pg_get_expr(i.indpred, i.indrelid) FROM 'rank >= ''?(-?[0-9]+)')::bigint`

// staleTier finds the tier of a name if it is to be dropped. An interrupted build leaves an index that is never used
// but slows every write. An outgrown tier is worth a new build only if its lowest rank is below the one of now: many
// documents may have the same rank. Its verbs are the table and the most documents.
const staleTier = `SELECT indexrelid::regclass::text FROM (SELECT i.*, ` + leastRank + ` AS lowest
  FROM pg_index i WHERE indexrelid = to_regclass($1)) tier
WHERE NOT indisvalid OR lowest < $2 AND EXISTS (SELECT FROM %s p WHERE ~p.rank <= ~tier.lowest
  ORDER BY ~p.rank, p.id OFFSET %d LIMIT 1)`

// tiersLock is the advisory lock for creating tiers of the active version, together with the schema.
const tiersLock = versionLock + 1

// growTiers creates the tiers of the active version, unless another process is doing so.
func (ix *Index) growTiers(ctx context.Context, conn *pgxpool.Conn, version string) error {
	var mine bool
	err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, hashtext(current_schema()))",
		int32(tiersLock)).Scan(&mine)
	if err != nil || !mine {
		return err
	}
	defer func() {
		// Failure means that the connection is broken.
		_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1, hashtext(current_schema()))",
			int32(tiersLock))
	}()
	return ix.makeTiers(ctx, conn, version, true)
}

// makeTiers creates the missing and outgrown tiers of a version that hold at most half of its documents. The index
// condition of a tier has a fixed lowest rank, so it stays correct whatever is written later. With concurrently, writes
// continue meanwhile.
func (ix *Index) makeTiers(ctx context.Context, conn *pgxpool.Conn, version string, concurrently bool) error {
	for _, c := range []index.Collection{index.People, index.Companies} {
		for _, size := range ix.limits.tiers {
			made, err := makeTier(ctx, conn, fmt.Sprintf("%s_%s", c, version), size, concurrently)
			if err != nil {
				return fmt.Errorf("making the tier of %d in index version %s: %w", size, version, err)
			}
			if !made {
				break
			}
		}
	}
	return nil
}

// makeTier creates one tier; made is false if the table is too small for it.
func makeTier(ctx context.Context, conn *pgxpool.Conn, table string, size int, concurrently bool,
) (made bool, err error) {
	var least int64
	find := fmt.Sprintf(`SELECT p.rank FROM %[1]s p WHERE EXISTS (SELECT FROM %[1]s
		ORDER BY ~rank, id OFFSET %[2]d LIMIT 1)
ORDER BY ~p.rank, p.id OFFSET %[3]d LIMIT 1`, table, 2*size-1, size-1)
	if err := conn.QueryRow(ctx, find).Scan(&least); errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	name := fmt.Sprintf("%s_terms_top%d", table, size)
	find = fmt.Sprintf(staleTier, table, outgrown*size)
	stale, err := names(ctx, conn, "looking for a stale tier", find, name, least)
	if err != nil {
		return false, err
	}
	for _, index := range stale {
		if _, err := conn.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS "+index); err != nil {
			return false, fmt.Errorf("dropping a stale tier: %w", err)
		}
	}
	how := ""
	if concurrently {
		how = "CONCURRENTLY"
	}
	_, err = conn.Exec(ctx, fmt.Sprintf(`CREATE INDEX %[4]s IF NOT EXISTS %[1]s ON %[2]s USING gin (terms)
WITH (gin_pending_list_limit = 256) WHERE rank >= %[3]d`, name, table, least, how))
	return err == nil, err
}
