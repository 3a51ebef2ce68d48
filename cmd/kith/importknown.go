package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kith/internal/imports"
	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
)

// onlyKnown is a sink that completes the companies of the dataset. Everything else only goes into the preview, which
// nobody looks at.
type onlyKnown struct {
	imports.Preview

	filler *loader.Filler
	lines  [][]byte
	read   int64
	shown  func(int64)
}

const fillBatch = 2000

// Company implements [importer.Sink].
func (k *onlyKnown) Company(ctx context.Context, c *importer.Company) error {
	line, err := loader.CompanyLine(c.Company)
	if err != nil {
		return err
	}
	k.read++
	if k.lines = append(k.lines, line); len(k.lines) < fillBatch {
		return nil
	}
	return k.flush(ctx)
}

func (k *onlyKnown) flush(ctx context.Context) error {
	lines := k.lines
	k.lines = nil
	k.shown(k.read)
	return k.filler.Add(ctx, lines)
}

// fill completes the companies of the dataset from the files, in one pass and bounded memory.
func (c *importCmd) fill(ctx context.Context, d *dataset, out io.Writer, opts importer.Options) error {
	if _, err := c.keepHome(ctx, d); err != nil {
		return err
	}
	origin, _, err := c.origin(ctx, d)
	if err != nil {
		return err
	}
	bar := newProgress("read", -1)
	defer bar.finish()
	sink := &onlyKnown{filler: loader.NewFiller(d.db, origin), shown: func(n int64) { bar.set(n, -1) }}
	if _, err := importer.Run(ctx, c.Files, opts, sink); err != nil {
		return err
	}
	if err := sink.flush(ctx); err != nil {
		return err
	}
	filled, err := sink.filler.Finish(ctx)
	bar.finish()
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "companies: %d read, %d of the dataset matched, %d filled in", filled.Read, filled.Matched,
		filled.Filled)
	if filled.Ambiguous > 0 {
		fmt.Fprintf(out, "; %d left as they are: several companies have their name", filled.Ambiguous)
	}
	fmt.Fprintln(out)
	if filled.Read == 0 {
		return errors.New("there is no company in the files; --only-known reads files of companies")
	}
	if c.NoIndex {
		return nil
	}
	return d.updateIndex(ctx, nil)
}
