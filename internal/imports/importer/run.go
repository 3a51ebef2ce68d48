package importer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"kith/internal/imports/importer/charset"
	"kith/internal/imports/importer/layout"
	"kith/internal/imports/importer/tidy"
	"kith/internal/imports/importer/unpack"
	"kith/internal/imports/mapping"
	"kith/query/analysis"
)

// Options control how files are read. The zero value detects everything.
type Options struct {
	// Format is the format of all files: see [Formats].
	Format string
	// Encoding is the character encoding of all files; "" detects it.
	Encoding string
	// Mapping locates the fields of people in files of unknown formats.
	Mapping *mapping.Mapping
	// OwnerEmails are addresses of the owner of the files.
	OwnerEmails []string
	// Limits limit the size of unpacked archives.
	Limits unpack.Limits
	// Stdin is the input for the path "-".
	Stdin io.Reader
	// Now is the time of the import; later contacts are ignored. Zero is the current time.
	Now time.Time
}

// Formats without a layout.
const (
	formatVCard    = "vcard"
	formatMail     = "mail"
	formatCalendar = "calendar"
)

// Formats returns the possible values of Options.Format.
func Formats() []string {
	names := []string{formatVCard, formatMail, formatCalendar, formatExport}
	for _, l := range layout.All() {
		names = append(names, l.Name)
	}
	return names
}

// Check returns an error for invalid options.
func (o Options) Check() error {
	if o.Encoding != "" {
		if err := charset.Check(o.Encoding); err != nil {
			return err
		}
	}
	if o.Format == "" || slices.Contains(Formats(), o.Format) {
		return nil
	}
	return fmt.Errorf("unknown format %q; the formats are %s", o.Format, strings.Join(Formats(), ", "))
}

// Run reads files, folders and archives ("-" is standard input) and passes their records
// to sink. The report lists unrecognised files and unusable records; they do not end the
// import. It ends with an error of the sink or of ctx, or if a path cannot be opened.
func Run(ctx context.Context, paths []string, opts Options, sink Sink) (*Report, error) {
	if err := opts.Check(); err != nil {
		return &Report{}, err
	}
	if opts.Now.IsZero() {
		opts.Now = time.Now()
	}
	r := &run{opts: opts, sink: sink, contacts: newContacts(), report: &Report{}, folders: map[string]*FileReport{}}
	r.owner.Emails = tidy.Emails(opts.OwnerEmails...)
	for _, p := range paths {
		if err := r.path(ctx, p); err != nil {
			return r.report, err
		}
	}
	return r.report, r.finish(ctx)
}

// run is one import in progress.
type run struct {
	opts     Options
	sink     Sink
	contacts *contacts
	owner    Owner
	report   *Report
	folders  map[string]*FileReport
}

// sinkError is an error of the sink, which ends the import.
type sinkError struct{ error }

func (e sinkError) Unwrap() error { return e.error }

func (r *run) path(ctx context.Context, p string) error {
	err := unpack.Walk(ctx, p, r.opts.Stdin, r.opts.Limits, func(f unpack.File) error { return r.file(ctx, f) })
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[sinkError](err); ok || ctx.Err() != nil {
		return err
	}
	if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == p {
		return err
	}
	r.report.Files = append(r.report.Files, &FileReport{Name: p, Problem: err.Error()})
	return nil
}

// file reads one file. It reports problems with the file, and returns only errors of the
// sink or ctx, and refused archives.
func (r *run) file(ctx context.Context, f unpack.File) error {
	rec, known := recognise(f, r.opts)
	if !known {
		rec.report.Problem = rec.problem
		r.report.Files = append(r.report.Files, rec.report)
		return nil
	}
	report := r.addReport(rec)
	at := &reading{run: r, report: report, file: f.Name, changed: f.Changed}
	err := rec.read(ctx, at)
	if err == nil {
		return nil
	}
	_, ours := errors.AsType[sinkError](err)
	if ours || ctx.Err() != nil || errors.Is(err, unpack.ErrRefused) {
		return err
	}
	report.Problem = err.Error()
	return nil
}

// addReport returns the report of a file; single messages in one folder share one.
func (r *run) addReport(rec *recognised) *FileReport {
	if !rec.single {
		r.report.Files = append(r.report.Files, rec.report)
		return rec.report
	}
	folder := path.Dir(rec.report.Name)
	report := r.folders[folder]
	if report == nil {
		r.folders[folder] = rec.report
		r.report.Files = append(r.report.Files, rec.report)
		return rec.report
	}
	report.Name = folder + "/"
	return report
}

// reading is one file in progress.
type reading struct {
	*run

	report *FileReport
	file   string
	// changed is the modification time of the file.
	changed time.Time
}

func (r *reading) source(line int64) Source {
	return Source{File: r.file, Line: line, Format: r.report.Format, Changed: r.changed}
}

func (r *reading) reject(ctx context.Context, line int64, reason string) error {
	r.report.reject(reason)
	r.run.report.Rejected++
	return asSink(r.sink.Reject(ctx, Reject{r.source(line), reason}))
}

// isOffice reports whether a person is an office mailbox without any other data.
func isOffice(p *Person) bool {
	return p.SocialURL == "" && len(p.Emails) > 0 && !slices.ContainsFunc(p.Emails, func(address string) bool {
		return !analysis.IsOffice(address) || !analysis.IsOfficeName(p.FullName, address)
	})
}

func asSink(err error) error {
	if err == nil {
		return nil
	}
	return sinkError{err}
}

// person passes a person on, or rejects it.
func (r *reading) person(ctx context.Context, line int64, p Person, relation string) error {
	if p.FullName == "" {
		return r.reject(ctx, line, reasonNoName(&p))
	}
	if isOffice(&p) {
		return r.reject(ctx, line, ReasonNotPerson)
	}
	p.Source = r.source(line)
	if relation != "" && p.Relationship == nil {
		p.Relationship = &Relationship{Kind: relation}
	}
	r.report.Taken++
	r.run.report.People++
	return asSink(r.sink.Person(ctx, &p))
}

// Reasons why records are left out.
const (
	ReasonNoName     = "it has no name"
	ReasonGone       = "it is empty except for a date: the account was deleted"
	ReasonNoCompany  = "it has no company name"
	ReasonNoDate     = "it has no readable date"
	ReasonNoParties  = "its sender and recipients are unknown"
	ReasonDraft      = "it is a draft"
	ReasonCells      = "it has more cells than the header: a separator is not in quotation marks"
	ReasonFuture     = "it has not happened yet"
	ReasonCanceled   = "it was cancelled or declined"
	ReasonCrowd      = "it has more than 20 guests"
	ReasonAlone      = "no one else took part"
	ReasonAgain      = "it was read before, in another file"
	ReasonNotPerson  = "it is a group or a company, not a person"
	ReasonUnreadable = "it is not valid JSON"
)

func reasonNoName(p *Person) string {
	switch nothing := p.SocialURL == "" && len(p.Emails) == 0; {
	case nothing && p.WorkRelevant == nil && p.Relationship != nil && p.Relationship.Since != "":
		return ReasonGone
	case nothing && p.WorkRelevant != nil && p.WorkRelevant.Company.Name != "" && p.WorkRelevant.Title == "":
		return ReasonNotPerson
	}
	return ReasonNoName
}

// finish passes on the owner and the contacts, which are known only after the last file.
func (r *run) finish(ctx context.Context) error {
	r.contacts.chooseNames()
	r.report.Owner = r.contacts.findOwner(&r.owner)
	if name := (tidy.Names{Full: r.report.Owner.Name}); r.owner.FullName == "" {
		n := tidy.Person(name)
		r.owner.FullName, r.owner.FirstName, r.owner.LastName = n.Full, n.First, n.Last
	}
	if profile := r.report.Owner.SocialURL; profile != "" { // surer than a link in their data
		r.owner.SocialURL = profile
	}
	if r.owner.FullName != "" || len(r.owner.WorkHistory) > 0 {
		if r.report.Owner.key() == "" {
			r.report.Owner = Party{Name: r.owner.FullName, SocialURL: r.owner.SocialURL}
		}
		if err := asSink(r.sink.Owner(ctx, &r.owner)); err != nil {
			return err
		}
	}
	if r.contacts.total > 0 && len(r.contacts.owners) == 0 {
		r.report.Notes = append(r.report.Notes,
			"contacts were not counted: the owner of the files is unknown; name an address with --owner")
	}
	if r.contacts.dropped > 0 {
		r.report.Notes = append(r.report.Notes,
			fmt.Sprintf("%d contacts were not counted: there are too many different people", r.contacts.dropped))
	}
	n, err := r.contacts.histories(ctx,
		func(ctx context.Context, h *History) error { return asSink(r.sink.History(ctx, h)) })
	r.report.Histories = n
	return err
}
