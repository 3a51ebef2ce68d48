package operation

import (
	"context"
	"io/fs"
)

// ApplyFiles applies migrations other than those of Kith.
func (db *Store) ApplyFiles(ctx context.Context, files fs.FS) error { return db.applyFiles(ctx, files) }
