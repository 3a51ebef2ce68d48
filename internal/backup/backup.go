// Package backup is the format of backups and their folder. A backup is a tar archive,
// compressed with zstd and optionally encrypted with age. It has a [Manifest], the rows of each
// table as COPY writes them, and checksums at the end that reveal truncation. It has no SQL:
// internal/postgres supplies and restores the rows.
package backup

import (
	"context"
	"time"
)

// Format is the version of the format that this package writes. It reads this one only.
const Format = 1

// Manifest says what a backup is of.
type Manifest struct {
	Format int `json:"format"`
	// Kith is the version of the program that wrote it.
	Kith    string    `json:"kith"`
	Created time.Time `json:"created"`
	// Postgres is the version of the server.
	Postgres string `json:"postgres"`
	// Migrations are the numbers of those that the tables have had, and Queue is the
	// version of the tables of the queue.
	Migrations []int      `json:"migrations"`
	Queue      int        `json:"queue"`
	Tables     []Table    `json:"tables"`
	Sequences  []Sequence `json:"sequences"`
}

// Table is a table with the columns that its rows have, in their order. Tables stand in
// the manifest so that rows which refer to others come after them.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// Sequence is how far a sequence has counted.
type Sequence struct {
	Name   string `json:"name"`
	Last   int64  `json:"last"`
	Called bool   `json:"called"`
}

// Sum is what the rows of a table add up to.
type Sum struct {
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"`
}

// Source writes what it holds, as it is at one moment, into an archive.
type Source interface {
	Backup(ctx context.Context, w *Writer) error
}
