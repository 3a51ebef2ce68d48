package pgindex

import (
	"context"
	"errors"
	"maps"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/query"
)

// layout describes how the rows of an index version store terms. The zero value is no version.
type layout struct {
	version string
	// active is whether the version is active; only writers set it.
	active bool
	// bits maps fields to their bit in the bitmap of a row, which shows whether the row has a value, and to their code
	// in phrases.
	bits map[query.Field]int
}

func newLayout(version string, fields []string) layout {
	l := layout{version: version, bits: make(map[query.Field]int, len(fields))}
	for i, f := range fields {
		l.bits[query.Field(f)] = i
	}
	return l
}

// same reports whether both layouts are equal, apart from the version.
func (l layout) same(o layout) bool { return maps.Equal(l.bits, o.bits) }

// readLayout reads the layout of a version; an unknown version has the zero layout. Layouts never change, and names are
// never reused.
func (ix *Index) readLayout(ctx context.Context, version string) (layout, error) {
	if version == "" {
		return layout{}, nil
	}
	var fields []string
	err := ix.pool.QueryRow(ctx, "SELECT fields FROM index_versions WHERE name = $1", version).Scan(&fields)
	if errors.Is(err, pgx.ErrNoRows) {
		return layout{}, nil
	}
	return newLayout(version, fields), err
}

// terms binds the hashes of terms.
func (w *writer) terms(terms []string) string {
	if !w.literal {
		w.hashed = append(w.hashed, hashedTerms{parameter: len(w.values), terms: terms})
	}
	return w.numbers(kith.Each(terms, hashTerm[string]))
}
