// Package backup defines the format of backups and manages their folder. A backup is a tar archive, compressed with
// zstd and optionally encrypted with age. It has a [Manifest], the rows of each table as COPY writes them, and at the
// end checksums and the signature of the installation that wrote it. This package contains no SQL: internal/postgres
// supplies and restores the rows.
package backup

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"
)

// Format is the version of the format that this package writes, and the only one it reads.
const Format = 2

// Manifest describes the content of a backup.
type Manifest struct {
	Format int `json:"format"`
	// Kith is the version of the program that wrote it.
	Kith    string    `json:"kith"`
	Created time.Time `json:"created"`
	// Signer is the public key of the signature; see [Signer].
	Signer string `json:"signer"`
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

// Signer is the text form of a public key: 64 hexadecimal digits.
func Signer(key ed25519.PublicKey) string { return hex.EncodeToString(key) }

// ParseSigner reads the text form of a public key.
func ParseSigner(text string) (ed25519.PublicKey, error) {
	key, err := hex.DecodeString(text)
	if err != nil || len(key) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("%q is no signer of backups, which has %d hexadecimal digits: `kith keys` prints it",
			text, 2*ed25519.PublicKeySize)
	}
	return key, nil
}

// signed is the text that a signature is about: the manifest and the checksums of all tables.
func signed(manifest, sums []byte) []byte {
	m, s := sha256.Sum256(manifest), sha256.Sum256(sums)
	return append(append([]byte("kith backup 2\n"), m[:]...), s[:]...)
}

// ErrDamaged is the error for an archive that differs from what was written.
var ErrDamaged = errors.New("the backup is damaged")
