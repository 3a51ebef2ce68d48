package main

import (
	"bufio"
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
	"kith/internal/identity"
	"kith/internal/importer"
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
	preview := &preview{}
	bar := newProgress("read", -1)
	preview.progress = func(n int64) { bar.set(n, -1) }
	report, err := importer.Run(ctx, files, opts, preview)
	bar.finish()
	if err != nil {
		return err
	}
	preview.owner = report.Owner
	preview.print(g.results, report)
	if err := nothingFor(report); err != nil || c.DryRun {
		return err
	}
	if ok, err := c.confirmed(preview); !ok || err != nil {
		return err
	}
	return inDirectory(ctx, g, log, func(d *directory) error { return c.store(ctx, d, g.results, files, opts, preview) })
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

// nothingFor is the error of an import that found nothing to store.
func nothingFor(r *importer.Report) error {
	if r.People+r.Companies+r.Histories > 0 || r.Owner.Name != "" {
		return nil
	}
	if reasons := r.Reasons(); len(reasons) > 0 {
		return fmt.Errorf("there is nothing to store; the most common reason, %d times: %s", reasons[0].N, reasons[0].What)
	}
	for _, f := range r.Files {
		if f.Problem != "" {
			return fmt.Errorf("there is nothing to store: %s: %s", f.Name, f.Problem)
		}
	}
	return errors.New("there is nothing to store: no record was found")
}

// confirmed asks on the terminal.
func (c *importCmd) confirmed(p *preview) (bool, error) {
	if p.storable() == 0 && (c.User == "" || len(p.contacts) == 0) {
		return false, errors.New("there is nothing to store: the files hold contacts, but no people and no companies")
	}
	if c.Yes {
		return true, nil
	}
	fmt.Fprintf(os.Stderr, "Store %s and %s? [y/N] ", plural(p.persons, "person", "people"), plural(p.companies, "company", "companies"))
	answer, err := bufio.NewReader(os.Stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return true, nil
	}
	fmt.Fprintln(os.Stderr, "nothing was stored")
	return false, nil
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// store reads the files once more for each kind, companies before people, and loads
// them as lines of a load file.
func (c *importCmd) store(ctx context.Context, d *directory, out io.Writer, files []string, opts importer.Options, p *preview) error {
	home, err := c.atHome(ctx, d, p)
	if err != nil {
		return err
	}
	ctx, user, err := c.owner(ctx, d)
	if err != nil {
		return err
	}
	stored := int64(0)
	for _, kind := range []load.Kind{load.Companies, load.People} {
		if kind == load.Companies && p.companies == 0 || kind == load.People && p.persons == 0 {
			continue
		}
		var stats load.Stats
		stats, err = c.storeKind(ctx, load.NewLoader(d.db), files, opts, kind)
		stored += stats.Stored
		fmt.Fprintf(out, "%s: %s\n", kind, stats)
		if err = errors.Join(err, d.loaded(ctx, "records.imported", stats)); err != nil {
			break
		}
	}
	if err == nil && user != 0 {
		var known int64
		known, err = c.acquaint(ctx, d, out, user, files, opts)
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
		p.next(out)
	}
	return err
}

func (c *importCmd) storeKind(ctx context.Context, loader *load.Loader, files []string, opts importer.Options, kind load.Kind) (load.Stats, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, w := io.Pipe()
	read := make(chan error, 1)
	go func() {
		buffered := bufio.NewWriter(w)
		_, err := importer.Run(ctx, files, opts, &lines{w: buffered, kind: kind})
		err = cmp.Or(err, buffered.Flush())
		_ = w.CloseWithError(err) // never fails
		read <- err
	}()
	bar := newProgress("store", -1)
	stats, err := loader.File(ctx, "-", load.Options{
		Kind: kind, Stdin: r, Rejects: c.Rejects, Uniter: identity.Uniter{}, Progress: func(s load.Stats) { bar.set(s.Read, -1) },
	})
	bar.finish()
	cancel()
	_ = r.CloseWithError(errors.New("the load has ended")) // never fails
	if readErr := <-read; err == nil {
		err = readErr
	}
	return stats, err
}
