package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/record/indexer"
)

type loadCmd struct {
	Files   []string `arg:"" name:"file"`
	Kind    string   `enum:"people,companies,relationships,sequences,export,auto" default:"auto" env:"KITH_KIND"`
	Rejects string   `env:"KITH_REJECTS" placeholder:"FILE"`
	AsOf    day      `env:"KITH_AS_OF" placeholder:"DAY"`
	Strict  bool     `env:"KITH_STRICT"`
	NoIndex bool     `env:"KITH_NO_INDEX"`
}

// day is a flag value that is a day or a time.
type day time.Time

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *day) UnmarshalText(text []byte) error {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, string(text)); err == nil {
			*d = day(t)
			return nil
		}
	}
	return fmt.Errorf("must be a day such as 2026-03-01 or a time such as 2026-03-01T12:00:00Z (got %q)", text)
}

// Run loads the files one by one and then updates the index.
func (c *loadCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := cmp.Or(c.checkStdin(), c.checkRejects()); err != nil {
		return usageError(err)
	}
	var kind record.Kind
	if c.Kind != "auto" {
		var err error
		if kind, err = loader.ParseKind(c.Kind); err != nil {
			return usageError(err)
		}
	}
	files, err := c.files(ctx, kind)
	if err != nil {
		return err
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		var rejected int64
		err := d.storing(ctx, c.NoIndex, func(ctx context.Context, into *indexer.Build) (err error) {
			rejected, err = c.load(ctx, d, g.results, files, loader.Options{Kind: kind, Into: into})
			return err
		})
		if err == nil && rejected > 0 && c.Strict {
			err = &exitError{exitRejected, fmt.Errorf("%s rejected", kith.Counted(rejected, "line was", "lines were"))}
		}
		return err
	})
}

// checkStdin rejects a second use of standard input: nothing would be left to read, and
// the reject file of the first use would be lost.
func (c *loadCmd) checkStdin() error {
	first := slices.Index(c.Files, "-")
	if first >= 0 && slices.Contains(c.Files[first+1:], "-") {
		return errors.New("standard input is named twice; it can be read once")
	}
	return nil
}

// checkRejects rejects two files that would share a reject file.
func (c *loadCmd) checkRejects() error {
	if c.Rejects == "" || len(c.Files) < 2 {
		return nil
	}
	if info, err := os.Stat(c.Rejects); err != nil || !info.IsDir() {
		return fmt.Errorf("--rejects names one file, but there are %d files to load; it may name a directory",
			len(c.Files))
	}
	names := map[string]bool{}
	for _, path := range c.Files {
		name := filepath.Base(path)
		if names[name] {
			return fmt.Errorf("two files are called %s: with --rejects DIR their rejected lines would go to the same "+
				"file", name)
		}
		names[name] = true
	}
	return nil
}

// files returns the files to load. It checks that each can be opened before the first is loaded.
func (c *loadCmd) files(ctx context.Context, kind record.Kind) ([]string, error) {
	var files []string
	for _, path := range c.Files {
		if kind == 0 && loader.IsRejects(path) {
			fmt.Fprintf(os.Stderr, "%s: skipped: it contains lines rejected by an earlier load\n", path)
			continue
		}
		if kind == 0 {
			if _, err := loader.KindOf(path); err != nil {
				return nil, usageError(fmt.Errorf("nothing was loaded: %w%s", err, suggestion(ctx, path)))
			}
		}
		if err := loader.Check(path, kind); err != nil {
			return nil, fmt.Errorf("nothing was loaded: %w", err)
		}
		files = append(files, path)
	}
	if len(files) == 0 {
		return nil, errors.New("there is no file to load")
	}
	return files, nil
}

func (c *loadCmd) load(ctx context.Context, d *dataset, out io.Writer, files []string,
	opts loader.Options,
) (rejected int64, err error) {
	load := d.loader()
	opts.Rejects, opts.AsOf, opts.ExportUniter = c.Rejects, time.Time(c.AsOf), identity.Uniter{}
	for _, path := range files {
		stats, err := loadFile(ctx, load, path, opts)
		rejected += stats.Rejected
		err = errors.Join(err, d.auditLoad(ctx, "records.loaded", stats))
		if err != nil && stats.Read > 0 {
			fmt.Fprintf(out, "%s: %s; the rest was not loaded\n", path, stats)
		}
		if err != nil {
			return rejected, err
		}
		fmt.Fprintf(out, "%s: %s\n", path, stats)
		if stats.Rejected == stats.Read && stats.Read > 0 {
			if hint := suggestion(ctx, path); hint != "" {
				fmt.Fprintf(os.Stderr, "%s: no line was stored%s\n", path, hint)
			}
		}
	}
	return rejected, nil
}

// loader returns a loader for files of every kind.
func (d *dataset) loader() *loader.Loader {
	load := loader.New(d.db)
	load.Relations, load.Sequences, load.Users = d.db.Network(), d.db.Outreach(), d.db.Network()
	return load
}

// auditLoad records in the audit log what a load has stored.
func (d *dataset) auditLoad(ctx context.Context, action string, stats loader.Stats) error {
	if stats.Stored == 0 {
		return nil
	}
	return d.db.Audit().Note(context.WithoutCancel(ctx), kith.OperatorPrincipal(), action, "",
		map[string]any{"stored": stats.Stored, "rejected": stats.Rejected})
}

// suggestion names the command for a file that is not in one of Kith's own formats; "" for
// other files and unknown formats.
func suggestion(ctx context.Context, path string) string {
	if path == "-" {
		return ""
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() && !info.IsDir() {
		return ""
	}
	format, title, ok := importer.Recognise(ctx, path)
	if !ok || strings.HasPrefix(format, "kith-") {
		return ""
	}
	return fmt.Sprintf("; it looks like %s: try kith import %s", title, path)
}

// loadFile loads one file and shows the progress, by bytes if the size is known, else by lines.
func loadFile(ctx context.Context, load *loader.Loader, path string, opts loader.Options) (loader.Stats, error) {
	bar := newProgress("load "+path, -1)
	opts.Stdin = os.Stdin
	opts.Progress = func(s loader.Stats) {
		total := int64(-1)
		if s.Size > 0 && s.Bytes > 0 {
			total = max(s.Read, int64(float64(s.Read)*float64(s.Size)/float64(s.Bytes)))
		}
		bar.set(s.Read, total)
	}
	stats, err := load.File(ctx, record.ForEveryone(), path, opts)
	bar.finish()
	return stats, err
}

// updateIndex updates the index, even if a failure interrupted storing.
func (d *dataset) updateIndex(ctx context.Context, failed error) error {
	err := ctx.Err()
	if err == nil {
		err = d.drain(ctx)
	}
	if err != nil && (failed != nil || ctx.Err() != nil) {
		fmt.Fprintln(os.Stderr, stored)
	}
	return cmp.Or(failed, err)
}

// drain updates the index from the queue and shows the progress.
func (d *dataset) drain(ctx context.Context) error {
	total, err := d.drainer.Backlog(ctx)
	if err != nil {
		return err
	}
	if total == 0 { // another server may have written the changes but not refreshed
		return d.engine.Refresh(ctx)
	}
	bar := newProgress("index", total)
	// A new index is built from all records, without the queue.
	var built atomic.Pointer[indexer.Progress]
	d.drainer.OnBuild = func(p indexer.Progress) { built.Store(&p) }
	stop := watch(ctx, func() {
		if p := built.Load(); p != nil {
			bar.follow(*p)
		} else if left, err := d.drainer.Backlog(ctx); err == nil && left < total {
			bar.set(total-left, total)
		}
	})
	err = d.drainer.Drain(ctx)
	stop()
	bar.finish()
	d.drainer.OnBuild = nil
	if err != nil {
		return fmt.Errorf("update the index (the records are stored; a later run or a server continues): %w", err)
	}
	return d.engine.Refresh(ctx)
}
