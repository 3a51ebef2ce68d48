package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"kith"
	"kith/internal/imports"
	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
	"kith/internal/imports/mapping"
	"kith/internal/record"
)

type importCmd struct {
	Files     []string `arg:"" optional:"" name:"file"`
	DryRun    bool
	Yes       bool   `short:"y"`
	Format    string `placeholder:"NAME"`
	Formats   bool
	Encoding  string   `placeholder:"NAME"`
	Map       string   `type:"existingfile" placeholder:"FILE"`
	Owner     []string `placeholder:"ADDRESS"`
	Rejects   string   `default:"import.rejects.ndjson" placeholder:"FILE"`
	OnlyKnown bool
	Everyone  bool
	NoIndex   bool
	forUser
}

// Run shows what is in the files and stores it.
func (c *importCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if c.Formats {
		fmt.Fprintln(g.results, strings.Join(importer.Formats(), "\n"))
		return nil
	}
	if len(c.Files) == 0 {
		return usageError(errors.New("no file is named; name files, folders or archives to import"))
	}
	if err := c.findFiles(); err != nil {
		return err
	}
	opts, err := c.options()
	if err = cmp.Or(c.check(), err); err != nil {
		return usageError(err)
	}
	if c.OnlyKnown {
		return inDataset(ctx, g, log, func(d *dataset) error { return c.fill(ctx, d, g.results, opts) })
	}
	defer relaxGC()()
	preview := &imports.Preview{}
	spool, report, err := c.read(ctx, preview, opts)
	if err != nil {
		return err
	}
	if spool != nil {
		defer func() { _ = spool.Close() }() // temporary files
	}
	printPreview(g.results, preview, report)
	if err := imports.Nothing(report); err != nil || c.DryRun {
		return err
	}
	if err := c.checkExports(preview); err != nil {
		return usageError(err)
	}
	if ok, err := c.confirmImport(preview); !ok || err != nil {
		return err
	}
	return inDataset(ctx, g, log,
		func(d *dataset) error { return c.store(ctx, d, g.results, spool, preview) })
}

// findFiles returns an error that names all paths that do not exist.
func (c *importCmd) findFiles() error {
	var missing []string
	for _, path := range c.Files {
		if _, err := os.Stat(path); path != "-" && errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, path)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return fmt.Errorf("no such file or folder: %s; nothing was imported", strings.Join(missing, ", "))
}

// read reads the files into a spool; a dry run has none.
func (c *importCmd) read(
	ctx context.Context, p *imports.Preview, opts importer.Options,
) (spool *imports.Spool, report *importer.Report, err error) {
	bar := newProgress("read", -1)
	defer bar.finish()
	p.Progress = func(n int64) { bar.set(n, -1) }
	if c.DryRun {
		report, err = importer.Run(ctx, c.Files, opts, p)
		return nil, report, err
	}
	dir, err := os.MkdirTemp("", "kith-import-*")
	if err != nil {
		return nil, nil, err
	}
	return imports.Files{Paths: c.Files, Options: opts}.Read(ctx, p, dir)
}

func (c *importCmd) options() (importer.Options, error) {
	opts := importer.Options{Format: c.Format, Encoding: c.Encoding, OwnerEmails: c.Owner, Stdin: os.Stdin}
	if c.Map != "" {
		m, err := mapping.ReadForFiles(c.Map)
		if err != nil {
			return opts, err
		}
		opts.Mapping = &m
	}
	piped := slices.Contains(c.Files, "-")
	if c.OnlyKnown && c.DryRun {
		return opts, errors.New("--only-known has no preview; leave out --dry-run, or --only-known to look at the " +
			"files")
	}
	if !c.DryRun && !c.Yes && !c.OnlyKnown && (piped || !isatty.IsTerminal(os.Stdin.Fd())) {
		return opts, errors.New("there is no terminal to ask on before storing: give --yes to store, or --dry-run to " +
			"look")
	}
	return opts, opts.Check()
}

// confirmImport asks for confirmation on the terminal.
func (c *importCmd) confirmImport(p *imports.Preview) (bool, error) {
	if c.App != "" || c.Everyone { // otherwise the user me may have the contacts
		if err := c.checkStorable(p); err != nil {
			return false, err
		}
	}
	if c.Yes {
		return true, nil
	}
	yes, err := ask("Store " + kith.Counted(p.Persons, "person", "people") + " and " +
		kith.Counted(p.Companies, "company", "companies"))
	if err == nil && !yes {
		fmt.Fprintln(os.Stderr, "nothing was stored")
	}
	return yes, err
}

// checkStorable returns an error if the files hold only contacts, and no user has them.
func (c *importCmd) checkStorable(p *imports.Preview) error {
	if p.Storable() > 0 || len(p.Exports) > 0 || c.User != "" && len(p.Contacts) > 0 {
		return nil
	}
	return errors.New("there is nothing to store: the files hold contacts, but no people and no companies; --app and " +
		"--user say whose contacts they are")
}

// store stores companies, people, exports and who the user knows.
func (c *importCmd) store(
	ctx context.Context, d *dataset, out io.Writer, spool *imports.Spool, p *imports.Preview,
) error {
	named, err := c.exportUser(ctx, d, out, p.Exports)
	if err != nil {
		return err
	}
	home, err := c.assignHome(ctx, d, p)
	if err = cmp.Or(err, c.checkStorable(p)); err != nil {
		return err
	}
	origin, user, err := c.origin(ctx, d)
	if err != nil {
		return err
	}
	if err := c.probeRejects(); err != nil {
		return err
	}
	stored, err := c.storeRecords(ctx, d, out, origin, spool, named)
	rejects, failed := spool.WriteRejects(c.Rejects)
	if err = errors.Join(err, failed); rejects.N > 0 {
		fmt.Fprintf(out, "%s not stored; see %s\n", kith.Counted(rejects.N, "record was", "records were"), c.Rejects)
	}
	if err == nil && user != 0 {
		var known int64
		known, err = c.storeContacts(ctx, d, out, origin, user, spool)
		stored += known
	}
	if err == nil {
		err = printDuplicates(ctx, d, out)
	}
	if !c.NoIndex {
		err = d.updateIndex(ctx, err)
	}
	if err == nil && stored == 0 {
		err = fmt.Errorf("nothing was stored; the most common reason, %s: %s", kith.Counted(rejects.Most, "time",
			"times"), rejects.Reason)
	}
	if err == nil && home {
		printNextSteps(out, p)
	}
	return err
}

// probeRejects verifies, before anything is stored, that the reject file can be written.
func (c *importCmd) probeRejects() error {
	f, err := os.OpenFile(c.Rejects, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write rejected records to %s; choose another file with --rejects: %w",
			c.Rejects, err)
	}
	return f.Close()
}

// storeRecords stores companies, then people, then exports, and prints the outcome.
func (c *importCmd) storeRecords(ctx context.Context, d *dataset, out io.Writer, o record.Origin,
	spool *imports.Spool, named *loader.UserName,
) (stored int64, err error) {
	for _, kind := range []record.Kind{record.Companies, record.People, record.Exports} {
		bar := newProgress("store", -1)
		how := imports.Storing{Progress: func(s loader.Stats) { bar.set(s.Read, -1) }}
		stats, err := spool.Store(ctx, d.loader(), o, kind, named, how)
		bar.finish()
		stored += stats.Stored
		if stats.Read > 0 {
			fmt.Fprintf(out, "%s: %s\n", kind, stats)
		}
		if err = errors.Join(err, d.auditLoad(ctx, "records.imported", stats)); err != nil {
			return stored, err
		}
	}
	return stored, nil
}
