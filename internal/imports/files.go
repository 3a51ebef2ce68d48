package imports

import (
	"context"

	"kith/internal/imports/importer"
)

// Files are files to import, with the options for reading them.
type Files struct {
	Paths   []string
	Options importer.Options
}

// Inspect reads the files and stores nothing.
func (f Files) Inspect(ctx context.Context, p *Preview) (*importer.Report, error) {
	return importer.Run(ctx, f.Paths, f.Options, p)
}
