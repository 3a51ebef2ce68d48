package pgindex

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/index"
)

// tier is the top of the order by rank, as far as an index on terms of its own
// covers it. Most searches end in a small tier: its index gives few documents,
// all of which come before everyone else.
type tier struct {
	// size is how many documents the tier had when it was made.
	size float64
	// least is the lowest rank in it.
	least int64
}

// condition is what holds of the documents of a tier, in the words of its
// index; nothing for nil, which is everyone.
func (t *tier) condition() string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf("p.rank >= %d", t.least)
}

// ranked is the same in the words of the index on the rank, for a search that asks none on terms: Postgres would read
// all of the tier's.
func (t *tier) ranked() string {
	if t == nil {
		return ""
	}
	return fmt.Sprintf("~p.rank <= %d", ^t.least)
}

// tierSizes are how many documents a tier is made of. Each is eight times the
// one before, so a search that looks in one in vain has lost little.
func tierSizes() []int { return []int{2_000, 16_000, 128_000, 1_024_000} }

// tiersLock is the advisory lock of who makes tiers of the active version, together
// with the schema.
const tiersLock = versionLock + 1

// growTiers makes the tiers of the active version, unless another process does.
func (ix *Index) growTiers(ctx context.Context, conn *pgxpool.Conn, version string) error {
	var mine bool
	err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1, hashtext(current_schema()))", int32(tiersLock)).Scan(&mine)
	if err != nil || !mine {
		return err
	}
	defer func() {
		// else the connection is broken
		_, _ = conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1, hashtext(current_schema()))",
			int32(tiersLock))
	}()
	return ix.makeTiers(ctx, conn, version, true)
}

// makeTiers makes the tiers of a version where they are missing: those that
// hold at most half of the documents. The index of a tier has the rank where it
// ends in its condition, and stays right whatever is written later. With concurrently, writes go on meanwhile.
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

// makeTier makes one tier, unless the table is too small for it.
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
	// One whose making broke off is never used, and takes time with every write.
	broken, err := names(ctx, conn, "looking for a broken tier",
		"SELECT indexrelid::regclass::text FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid", name)
	if err != nil {
		return false, err
	}
	for _, index := range broken {
		if _, err := conn.Exec(ctx, "DROP INDEX CONCURRENTLY IF EXISTS "+index); err != nil {
			return false, fmt.Errorf("dropping a broken tier: %w", err)
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
