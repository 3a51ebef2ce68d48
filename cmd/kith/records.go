package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/record/indexer"
)

type reindexCmd struct{}

// Run rebuilds the index.
func (reindexCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		err := d.reindex(ctx, "reindex")
		if err == nil {
			fmt.Fprintln(g.results, "the index is rebuilt and in use")
		}
		return err
	})
}

// reindex rebuilds the index and shows the progress.
func (d *dataset) reindex(ctx context.Context, what string) error {
	bar := newProgress(what, -1)
	defer bar.finish()
	return indexer.NewReindexer(d.drainer).Reindex(ctx, bar.follow)
}

type rerankCmd struct{}

// Run recomputes every rank.
func (rerankCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		bar := newProgress("rerank", -1)
		defer bar.finish()
		err := d.keeper().Rerank(ctx, bar.follow, func(ctx context.Context) error {
			bar.finish()
			return d.drain(ctx)
		})
		if err == nil {
			fmt.Fprintln(g.results, "everyone is ranked again; earlier cursors have expired")
		}
		return err
	})
}

type deleteCmd struct {
	asks
	Identifiers []string `arg:"" name:"identifier"`
}

// Run deletes the people and prints the outcome for each identifier.
func (c *deleteCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := checkIdentifiers(c.Identifiers...); err != nil {
		return usageError(err)
	}
	people := kith.Counted(len(c.Identifiers), "person", "people")
	if err := c.confirm("Delete " + people + " for good"); err != nil {
		return err
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		deletions, err := d.keeper().Delete(ctx, c.Identifiers...)
		if err != nil {
			return err
		}
		missed := 0
		for _, del := range deletions {
			if del.ID == 0 {
				missed++
				fmt.Fprintf(g.results, "%s: not deleted: %s\n", del.Identifier, del.Problem)
				continue
			}
			fmt.Fprintf(g.results, "%s: deleted person %d\n", del.Identifier, del.ID)
		}
		if missed > 0 {
			return errors.New("nobody was deleted")
		}
		return d.drain(ctx)
	})
}
