package imports

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"kith"
	"kith/index/load"
	"kith/internal/identity"
	"kith/internal/importer"
	"kith/internal/network"
)

// Spool is what files hold, read once: packed load files in a folder, and what is known of
// their owner and of contacts. So what a person has seen is what is stored.
type Spool struct {
	dir   string
	parts map[string]*part
	// starts are where the lines of a file begin, by part.
	starts map[string][]start
	// known has an entry for each person.
	known *gob.Encoder
	// exports are whose the exports among the files are.
	exports  []load.UserName
	owner    []string
	contacts []network.PastContact
}

// The parts of a spool. The first three are named as load files are.
const (
	partPeople    = "people.ndjson.zst"
	partCompanies = "companies.ndjson.zst"
	partExports   = "export.ndjson.zst"
	partKnown     = "known.zst"
)

// part is a file that is written.
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

// Read reads the files once, for a preview and for what follows. The folder is made, and is
// the spool's until it is closed.
func (f Files) Read(ctx context.Context, p *Preview, dir string) (*Spool, *importer.Report, error) {
	s := &Spool{dir: dir, parts: map[string]*part{}, starts: map[string][]start{}}
	err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o700))
	if err != nil {
		return nil, nil, storageError(err)
	}
	report, err := importer.Run(ctx, f.Paths, f.Options, both{p, s})
	if err = errors.Join(err, s.flush()); err != nil {
		return nil, report, errors.Join(err, s.Close())
	}
	return s, report, nil
}

// Close drops the spool.
func (s *Spool) Close() error {
	_ = s.flush() // where it was not read to the end
	return os.RemoveAll(s.dir)
}

// flush ends the writing.
func (s *Spool) flush() error {
	var errs []error
	for _, p := range s.parts {
		errs = append(errs, storageError(errors.Join(p.Flush(), p.pack.Close(), p.file.Close())))
	}
	s.parts = nil
	return errors.Join(errs...)
}

// part opens a part for writing.
func (s *Spool) part(name string) (*part, error) {
	if p := s.parts[name]; p != nil {
		return p, nil
	}
	f, err := os.OpenFile(filepath.Join(s.dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, storageError(err)
	}
	// Concurrency takes memory for each block, and speed here is that of the reader.
	pack, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	s.parts[name] = &part{bufio.NewWriter(pack), pack, f, 0}
	return s.parts[name], nil
}

// write writes a line of a file to a part.
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

// Told says what became of one record.
type Told struct {
	// File is the one that has it; empty for the owner of the files.
	File    string
	Kind    load.Kind
	Outcome load.Outcome
	// Reason is why it was not stored; empty where it was.
	Reason string
}

// Storing is how records of files are stored.
type Storing struct {
	// Progress hears of the load after each transaction, Each of every record that was
	// stored, or not; nil is silence.
	Progress func(load.Stats)
	Each     func(Told)
}

// options are those of a load of a part.
func (s *Spool) options(name string, kind load.Kind, how Storing) load.Options {
	opts := load.Options{Kind: kind, Rejects: s.rejectsOf(name), Progress: how.Progress}
	if how.Each == nil {
		return opts
	}
	files := s.filesOf(name)
	opts.Each = func(t load.Told) { how.Each(Told{files(t.Line), t.Kind, t.Outcome, t.Reason}) }
	return opts
}

// filesOf says which file a line of a part was made of; lines are asked for in their order.
func (s *Spool) filesOf(name string) func(line int64) string {
	starts := s.starts[name]
	return func(line int64) string {
		for len(starts) > 1 && starts[1].line <= line {
			starts = starts[1:]
		}
		return starts[0].file
	}
}

// Store stores the people or the companies, as those of the owner of ctx. Companies go
// before people. Nothing is stored where there are none.
func (s *Spool) Store(ctx context.Context, records load.Store, kind load.Kind, how Storing) (load.Stats, error) {
	name := partPeople
	if kind == load.Companies {
		name = partCompanies
	}
	opts := s.options(name, kind, how)
	opts.Uniter = identity.Uniter{}
	return s.load(ctx, load.NewLoader(records), name, opts)
}

// StoreExports loads the exports among the files for a user; nil is for those whom they
// name.
func (s *Spool) StoreExports(
	ctx context.Context, loader *load.Loader, user *load.UserName, how Storing,
) (load.Stats, error) {
	opts := s.options(partExports, load.Exports, how)
	opts.ExportUniter, opts.ExportUser = identity.Uniter{}, user
	stats, err := s.load(ctx, loader, partExports, opts)
	if broken, ok := errors.AsType[load.NotWholeError](err); ok {
		err = kith.Errorf(kith.Invalid, "EXPORT_NOT_WHOLE", "%w", broken)
	}
	return stats, err
}

func (s *Spool) load(ctx context.Context, loader *load.Loader, name string, opts load.Options) (load.Stats, error) {
	if len(s.starts[name]) == 0 {
		return load.Stats{}, nil
	}
	path := filepath.Join(s.dir, name)
	stats, err := loader.File(ctx, path, opts)
	stats.Rejects = "" // see [Spool.WriteRejects]
	if err != nil {
		err = fmt.Errorf("store %s: %w", opts.Kind, err)
	}
	return stats, err
}

// Exports are whose the exports among the files are.
func (s *Spool) Exports() []load.UserName { return s.exports }
