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

// tierSizes are how many documents a tier is made of. Each is eight times the
// one before, so a search that looks in one in vain has lost little.
func tierSizes() []int { return []int{2_000, 16_000, 128_000, 1_024_000} }

// makeTiers makes the tiers of a version where they are missing: those that
// hold at most half of the documents. The index of a tier has the rank where it
// ends in its condition, and stays right whatever is written later.
func (ix *Index) makeTiers(ctx context.Context, conn *pgxpool.Conn, version string) error {
	for _, c := range []index.Collection{index.People, index.Companies} {
		for _, size := range ix.limits.tiers {
			made, err := makeTier(ctx, conn, fmt.Sprintf("%s_%s", c, version), size)
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
func makeTier(ctx context.Context, conn *pgxpool.Conn, table string, size int) (made bool, err error) {
	var least int64
	find := fmt.Sprintf(`SELECT p.rank FROM %[1]s p WHERE EXISTS (SELECT FROM %[1]s ORDER BY ~rank, id OFFSET %[2]d LIMIT 1)
ORDER BY ~p.rank, p.id OFFSET %[3]d LIMIT 1`, table, 2*size-1, size-1)
	if err := conn.QueryRow(ctx, find).Scan(&least); errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	_, err = conn.Exec(ctx, fmt.Sprintf(`CREATE INDEX CONCURRENTLY IF NOT EXISTS %[1]s_terms_top%[2]d ON %[1]s USING gin (terms)
WITH (gin_pending_list_limit = 256) WHERE rank >= %[3]d`, table, size, least))
	return err == nil, err
}
