package pgindex

import (
	"context"
	"errors"
	"maps"

	"github.com/jackc/pgx/v5"

	"kith/query"
)

// layout describes how the rows of an index version store terms. The zero value is no version.
type layout struct {
	version string
	// active is whether the version is active; only writers set it.
	active bool
	// bits maps fields to their bit in the bitmap of a row, which shows whether the row has a value. It is nil for a
	// version by an earlier Kith, with terms as text instead of hashes.
	bits map[query.Field]int
	// packed is whether the phrases of a row are lines of one text, with a code for each field, instead of an array
	// with the names of the fields.
	packed bool
}

func newLayout(version string, fields []string, packed bool) layout {
	l := layout{version: version, packed: packed}
	if fields != nil {
		l.bits = make(map[query.Field]int, len(fields))
	}
	for i, f := range fields {
		l.bits[query.Field(f)] = i
	}
	return l
}

// hashed reports whether the terms are hashes.
func (l layout) hashed() bool { return l.bits != nil }

// same reports whether both layouts are equal, apart from the version.
func (l layout) same(o layout) bool {
	return l.hashed() == o.hashed() && l.packed == o.packed && maps.Equal(l.bits, o.bits)
}

// readLayout reads the layout of a version; an unknown version has the zero layout. Layouts never change, and names are
// never reused.
func (ix *Index) readLayout(ctx context.Context, version string) (layout, error) {
	if version == "" {
		return layout{}, nil
	}
	var fields []string
	var packed bool
	err := ix.pool.QueryRow(ctx, "SELECT fields, packed FROM index_versions WHERE name = $1", version).
		Scan(&fields, &packed)
	if errors.Is(err, pgx.ErrNoRows) {
		return layout{}, nil
	}
	return newLayout(version, fields, packed), err
}

// terms binds terms in the form that the version stores.
func (w *writer) terms(terms []string) string {
	if !w.layout.hashed() || w.dry {
		return w.texts(terms)
	}
	hashes := make([]int64, len(terms))
	for i, t := range terms {
		hashes[i] = hashTerm(t)
	}
	if !w.literal {
		w.hashed = append(w.hashed, hashedTerms{parameter: len(w.values), terms: terms})
	}
	return w.numbers(hashes)
}
