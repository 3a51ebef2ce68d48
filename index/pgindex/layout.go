package pgindex

import (
	"context"
	"errors"
	"maps"

	"github.com/jackc/pgx/v5"

	"kith/query"
)

// layout is how the rows of a version of the index say what a document has. The zero
// value is no version.
type layout struct {
	version string
	// active is whether the version is searched, where a writer has asked.
	active bool
	// bits are where the bitmap of a row says whether the row has a value of a field. It
	// is nil for a version that an earlier Kith made: its terms are texts, not hashes.
	bits map[query.Field]int
}

func newLayout(version string, fields []string) layout {
	l := layout{version: version}
	if fields != nil {
		l.bits = make(map[query.Field]int, len(fields))
	}
	for i, f := range fields {
		l.bits[query.Field(f)] = i
	}
	return l
}

// hashed reports whether the terms of rows are hashes.
func (l layout) hashed() bool { return l.bits != nil }

// same reports whether rows of both say the same in the same way.
func (l layout) same(o layout) bool { return l.hashed() == o.hashed() && maps.Equal(l.bits, o.bits) }

// layoutOf reads the layout of a version; that of a version which is not there is zero.
// It never changes, and no name is given twice.
func (ix *Index) layoutOf(ctx context.Context, version string) (layout, error) {
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

// terms binds terms as the rows of the version have them.
func (w *writer) terms(terms []string) string {
	if !w.layout.hashed() || w.dry {
		return w.texts(terms)
	}
	hashes := make([]int64, len(terms))
	for i, t := range terms {
		hashes[i] = hashOf(t)
	}
	if !w.literal {
		w.hashed = append(w.hashed, hashedTerms{parameter: len(w.values), terms: terms})
	}
	return w.numbers(hashes)
}
