package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/rs/zerolog"

	"kith/index/load"
	"kith/internal/importer"
	"kith/internal/imports"
	"kith/internal/mapping"
)

type importCmd struct {
	Files     []string `arg:"" optional:"" name:"file" help:"Files, folders and archives: ZIP, tar, .gz, .zst; - is standard input."`
	DryRun    bool     `help:"Show what is recognised, and store nothing."`
	Yes       bool     `short:"y" help:"Store without asking."`
	Format    string   `help:"Format of all files, instead of what their content says; kith import --formats lists them." placeholder:"NAME"`
	Formats   bool     `help:"List the formats, and read nothing."`
	Encoding  string   `help:"Character encoding of all files, such as windows-1251, instead of what their bytes say." placeholder:"NAME"`
	Map       string   `help:"YAML file that says which column or member is what, in the language of --source-mapping." type:"existingfile" placeholder:"FILE"`
	Owner     []string `help:"E-mail address of the person whose files these are; may be given several times." placeholder:"ADDRESS"`
	Rejects   string   `help:"File for people and companies that cannot be stored." default:"import.rejects.ndjson" placeholder:"FILE"`
	OnlyKnown bool     `help:"Complete the companies that are stored, everyone's or those of --app and --user, by files of companies, and store nothing else; without a preview."`
	Everyone  bool     `help:"Store the people for everyone, also where they would be those of the user me."`
	NoIndex   bool     `help:"Do not wait for the index: a running server brings it in sync."`
	forUser
}

// Help is shown below the flags.
func (importCmd) Help() string {
	return `Formats are told by the content: exports of a professional network, address books, customer databases, dumps of
people-data vendors, mail and calendars. docs/import.md lists them. On a terminal the command asks before it stores.
Records of one person are merged, also across files; kith duplicates lists pairs that may be one.

Without --app the people are everyone's; but in a directory that is empty, or has no app but home, files of somebody who
knows the people in them are those of the user me of the app home, who is created.

Examples:
  kith import export.zip
  kith import export.zip --dry-run
  kith import export.zip --app acme --user jane
  kith import contacts.vcf leads.csv
  kith import --only-known companies.csv
  kith import --map columns.yaml --yes people.csv`
}

// Run shows what the files hold and stores it.
func (c *importCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if c.Formats {
		fmt.Fprintln(g.results, strings.Join(importer.Formats(), "\n"))
		return nil
	}
	if len(c.Files) == 0 {
		return misused(errors.New("no file is named; name files, folders or archives to import"))
	}
	opts, err := c.options()
	if err = cmp.Or(c.check(), err); err != nil {
		return misused(err)
	}
	if c.OnlyKnown {
		return inDirectory(ctx, g, log, func(d *directory) error { return c.fill(ctx, d, g.results, opts) })
	}
	files, remove, err := c.spooled()
	if err != nil {
		return err
	}
	defer remove()
	what, preview := imports.Files{Paths: files, Options: opts}, &imports.Preview{}
	bar := newProgress("read", -1)
	preview.Progress = func(n int64) { bar.set(n, -1) }
	report, err := what.Look(ctx, preview)
	bar.finish()
	if err != nil {
		return err
	}
	printPreview(g.results, preview, report)
	if err := imports.Nothing(report); err != nil || c.DryRun {
		return err
	}
	if ok, err := c.confirmed(preview); !ok || err != nil {
		return err
	}
	return inDirectory(ctx, g, log,
		func(d *directory) error { return c.store(ctx, d, g.results, what, preview, report.Owner) })
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
		return opts, errors.New("--only-known has no preview; leave out --dry-run, or --only-known to look at the files")
	}
	if !c.DryRun && !c.Yes && !c.OnlyKnown && (piped || !isatty.IsTerminal(os.Stdin.Fd())) {
		return opts, errors.New("there is no terminal to ask on before storing: give --yes to store, or --dry-run to look")
	}
	return opts, opts.Check()
}

// spooled returns the files to read, which are read more than once: standard input
// is put in a file first.
func (c *importCmd) spooled() (files []string, remove func(), err error) {
	files, remove = slices.Clone(c.Files), func() {}
	i := slices.Index(files, "-")
	if i < 0 || c.DryRun {
		return files, remove, nil
	}
	f, err := os.CreateTemp("", "kith-import-*")
	if err != nil {
		return nil, remove, err
	}
	remove = func() { _ = os.Remove(f.Name()) } // a temporary file
	_, err = io.Copy(f, os.Stdin)
	if err = errors.Join(err, f.Close()); err != nil {
		remove()
		return nil, func() {}, err
	}
	files[i] = f.Name()
	return files, remove, nil
}

// confirmed asks on the terminal.
func (c *importCmd) confirmed(p *imports.Preview) (bool, error) {
	if p.Storable() == 0 && (c.User == "" || len(p.Contacts) == 0) {
		return false, errors.New("there is nothing to store: the files hold contacts, but no people and no companies")
	}
	if c.Yes {
		return true, nil
	}
	yes, err := asked("Store " + plural(p.Persons, "person", "people") + " and " +
		plural(p.Companies, "company", "companies"))
	if err == nil && !yes {
		fmt.Fprintln(os.Stderr, "nothing was stored")
	}
	return yes, err
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// records reads the files once more for each kind, companies before people, and loads
// them as lines of a load file.
func (c *importCmd) records(ctx context.Context, d *directory, out io.Writer, files imports.Files,
	p *imports.Preview,
) (stored int64, err error) {
	for _, kind := range []load.Kind{load.Companies, load.People} {
		if kind == load.Companies && p.Companies == 0 || kind == load.People && p.Persons == 0 {
			continue
		}
		bar := newProgress("store", -1)
		stats, err := files.Store(ctx, d.db, kind,
			imports.Storing{Rejects: c.Rejects, Progress: func(s load.Stats) { bar.set(s.Read, -1) }})
		bar.finish()
		stored += stats.Stored
		fmt.Fprintf(out, "%s: %s\n", kind, stats)
		if err = errors.Join(err, d.loaded(ctx, "records.imported", stats)); err != nil {
			return stored, err
		}
	}
	return stored, nil
}

// store stores what the files hold, and says what there is to do next.
func (c *importCmd) store(ctx context.Context, d *directory, out io.Writer, files imports.Files, p *imports.Preview,
	owner importer.Party,
) error {
	home, err := c.atHome(ctx, d, p)
	if err != nil {
		return err
	}
	ctx, user, err := c.owner(ctx, d)
	if err != nil {
		return err
	}
	stored, err := c.records(ctx, d, out, files, p)
	if err == nil && user != 0 {
		var known int64
		known, err = c.acquaint(ctx, d, out, user, files)
		stored += known
	}
	if err == nil {
		err = tellDuplicates(ctx, d, out)
	}
	if !c.NoIndex {
		err = d.level(ctx, err)
	}
	if err == nil && stored == 0 {
		err = fmt.Errorf("nothing could be stored; see %s", c.Rejects)
	}
	if err == nil && home {
		nextAtHome(out, p, owner)
	}
	return err
}
