// Package backup defines the format of backups and manages their folder. A backup is a tar archive, compressed with
// zstd and optionally encrypted with age. It has a [Manifest], the rows of each table as COPY writes them, and
// checksums at the end that reveal truncation. This package contains no SQL: internal/postgres supplies and restores
// the rows.
package backup

import (
	"context"
	"time"
)

// Format is the version of the format that this package writes, and the only one it reads.
const Format = 1

// Manifest describes the content of a backup.
type Manifest struct {
	Format int `json:"format"`
	// Kith is the version of the program that wrote it.
	Kith    string    `json:"kith"`
	Created time.Time `json:"created"`
	// Postgres is the version of the server.
	Postgres string `json:"postgres"`
	// Migrations are the applied migrations; Queue is the version of the queue's tables.
	Migrations []int      `json:"migrations"`
	Queue      int        `json:"queue"`
	Tables     []Table    `json:"tables"`
	Sequences  []Sequence `json:"sequences"`
}

// Table is a table with its columns in the order of its rows. In the manifest, tables come after those they refer to.
type Table struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
}

// Sequence is the state of a sequence.
type Sequence struct {
	Name   string `json:"name"`
	Last   int64  `json:"last"`
	Called bool   `json:"called"`
}

// Sum is the checksum of a table's rows.
type Sum struct {
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"`
}

// Source writes a consistent snapshot of its data into an archive.
type Source interface {
	Backup(ctx context.Context, w *Writer) error
}
