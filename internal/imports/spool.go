package imports

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"kith"
	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/record"
	"kith/internal/record/identity"
)

// Spool is the content of files, read once: compressed load files in a folder, and data about their owner and contacts.
// This guarantees that exactly what the preview showed is stored.
type Spool struct {
	// preview gets all records, too. Its methods never fail.
	preview *Preview
	dir     string
	parts   map[string]*part
	// starts are, for each part, the first lines of the original files.
	starts map[string][]start
	// known encodes an entry for each person.
	known    *gob.Encoder
	owner    []string
	contacts []network.PastContact
}

// The parts of a spool. The first three have the names of load files.
const (
	partPeople    = "people.ndjson.zst"
	partCompanies = "companies.ndjson.zst"
	partExports   = "export.ndjson.zst"
	partKnown     = "known.zst"
)

// part is a file being written.
type part struct {
	*bufio.Writer

	pack  *zstd.Encoder
	file  *os.File
	lines int64
}

type start struct {
	line int64
	file string
}

// Files are files to import, with the options for reading them.
type Files struct {
	Paths   []string
	Options importer.Options
}

// Read reads the files once, into a preview and a spool. It creates the folder, which belongs to the spool until Close.
func (f Files) Read(ctx context.Context, p *Preview, dir string) (*Spool, *importer.Report, error) {
	s := &Spool{preview: p, dir: dir, parts: map[string]*part{}, starts: map[string][]start{}}
	err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700))
	if err != nil {
		return nil, nil, storageError(err)
	}
	report, err := importer.Run(ctx, f.Paths, f.Options, s)
	if err = errors.Join(err, s.flush()); err != nil {
		return nil, report, errors.Join(err, s.Close())
	}
	return s, report, nil
}

// Close deletes the spool.
func (s *Spool) Close() error {
	_ = s.flush() // if it was not read to the end
	return os.RemoveAll(s.dir)
}

// flush completes the parts.
func (s *Spool) flush() error {
	var errs []error
	for _, p := range s.parts {
		errs = append(errs, storageError(errors.Join(p.Flush(), p.pack.Close(), p.file.Close())))
	}
	s.parts = nil
	return errors.Join(errs...)
}

// part returns a part for writing.
func (s *Spool) part(name string) (*part, error) {
	if p := s.parts[name]; p != nil {
		return p, nil
	}
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, storageError(err)
	}
	// Concurrency would cost memory for each block, and the reader limits the speed anyway.
	pack, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s.parts[name] = &part{bufio.NewWriter(pack), pack, f, 0}
	return s.parts[name], nil
}

// readPart calls read with the content of a part. The part may be missing.
func (s *Spool) readPart(name string, read func(io.Reader) error) error {
	in, err := os.Open(filepath.Join(s.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return storageError(err)
	}
	defer in.Close()
	unpacked, err := zstd.NewReader(bufio.NewReader(in), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	return read(unpacked)
}

// write writes a line from a file to a part.
func (s *Spool) write(name, file string, line []byte) error {
	p, err := s.part(name)
	if err != nil {
		return err
	}
	p.lines++
	if all := s.starts[name]; len(all) == 0 || all[len(all)-1].file != file {
		s.starts[name] = append(all, start{p.lines, file})
	}
	_, err = p.Write(line)
	return storageError(errors.Join(err, p.WriteByte('\n')))
}

// Storing has callbacks for storing records.
type Storing struct {
	// Progress is called after each transaction of the load, Each for every record, stored or not; both may be nil.
	// Each gets the file with the record; empty for the owner of the files.
	Progress func(loader.Stats)
	Each     func(file string, t loader.LineOutcome)
}

// originalFiles returns a function that maps lines of a part to original files. Call it with increasing line numbers.
func (s *Spool) originalFiles(name string) func(line int64) string {
	starts := s.starts[name]
	return func(line int64) string {
		for len(starts) > 1 && starts[1].line <= line {
			starts = starts[1:]
		}
		return starts[0].file
	}
}

// Store stores the records of a kind: the companies, then the people, then the Kith exports among the files, which are
// for a user; nil means the users that they name. Without records it does nothing.
func (s *Spool) Store(ctx context.Context, load *loader.Loader, o record.Origin, kind record.Kind,
	user *loader.UserName, how Storing,
) (loader.Stats, error) {
	name := map[record.Kind]string{
		record.Companies: partCompanies, record.People: partPeople, record.Exports: partExports,
	}[kind]
	opts := loader.Options{Kind: kind, ExportUser: user, Progress: how.Progress}
	if how.Each != nil {
		files := s.originalFiles(name)
		opts.Each = func(t loader.LineOutcome) { how.Each(files(t.Line), t) }
	}
	stats, err := s.load(ctx, load, o, name, opts)
	if broken, ok := errors.AsType[loader.NotWholeError](err); ok {
		err = kith.Errorf(kith.Invalid, "EXPORT_NOT_WHOLE", "%w", broken)
	}
	return stats, err
}

// load loads a part.
func (s *Spool) load(ctx context.Context, load *loader.Loader, o record.Origin, name string, opts loader.Options,
) (loader.Stats, error) {
	if len(s.starts[name]) == 0 {
		return loader.Stats{}, nil
	}
	opts.Rejects, opts.Uniter, opts.ExportUniter = s.rejectsPath(name), identity.Uniter{}, identity.Uniter{}
	stats, err := load.File(ctx, o, filepath.Join(s.dir, name), opts)
	stats.Rejects = "" // see [Spool.WriteRejects]
	if err != nil {
		err = fmt.Errorf("store %s: %w", opts.Kind, err)
	}
	return stats, err
}
