package imports

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"sync"

	"kith/index/load"
	"kith/internal/identity"
	"kith/internal/importer"
)

// Files are files to be imported, and how they are read. They are read more than once.
type Files struct {
	Paths   []string
	Options importer.Options
}

// Look reads the files and stores nothing.
func (f Files) Look(ctx context.Context, p *Preview) (*importer.Report, error) {
	return importer.Run(ctx, f.Paths, f.Options, p)
}

// Told says what became of one record.
type Told struct {
	// File is the one that has it; empty for the owner of the files.
	File    string
	Outcome load.Outcome
	// Reason is why it was not stored; empty where it was.
	Reason string
}

// Storing is how records of files are stored.
type Storing struct {
	// Rejects is the path of the file for records that cannot be stored.
	Rejects string
	// Progress hears of the load after each transaction, Each of every record that was
	// stored, or not; nil is silence.
	Progress func(load.Stats)
	Each     func(Told)
}

// Store reads the files once and stores their people or companies as lines of a load file,
// as those of the owner of ctx. Companies go before people.
func (f Files) Store(ctx context.Context, records load.Store, kind load.Kind, how Storing) (load.Stats, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r, w := io.Pipe()
	read := make(chan error, 1)
	sink := &lines{kind: kind}
	go func() {
		buffered := bufio.NewWriter(w)
		sink.w = buffered
		_, err := importer.Run(ctx, f.Paths, f.Options, sink)
		err = cmp.Or(err, buffered.Flush())
		_ = w.CloseWithError(err) // never fails
		read <- err
	}()
	opts := load.Options{Kind: kind, Stdin: r, Rejects: how.Rejects, Uniter: identity.Uniter{}, Progress: how.Progress}
	if how.Each != nil {
		opts.Each = func(line int64, outcome load.Outcome, reason string) {
			how.Each(Told{sink.fileOf(line), outcome, reason})
		}
	}
	stats, err := load.NewLoader(records).File(ctx, "-", opts)
	cancel()
	_ = r.CloseWithError(errors.New("the load has ended")) // never fails
	if readErr := <-read; err == nil {
		err = readErr
	}
	return stats, err
}

// Acquaint reads the files once and stores who a user knows, and how often they were in
// contact. The people are stored before. Progress hears of people; nil is silence.
func (f Files) Acquaint(ctx context.Context, nets Network, user int64, progress func(people int64)) (Known, error) {
	sink := &acquainting{nets: nets, user: user, progress: progress}
	if _, err := importer.Run(ctx, f.Paths, f.Options, sink); err != nil {
		return sink.known, err
	}
	return sink.known, sink.finish(ctx)
}

// lines is a sink that writes records of one kind as lines of a load file.
type lines struct {
	w    io.Writer
	kind load.Kind

	mu sync.Mutex
	n  int64
	// starts are where the lines of a file begin; a file may have several.
	starts []start
}

type start struct {
	line int64
	file string
}

// fileOf is the file that a line was made of. Lines are asked for in their order.
func (l *lines) fileOf(line int64) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.starts) > 1 && l.starts[1].line <= line {
		l.starts = l.starts[1:]
	}
	return l.starts[0].file
}

// Person implements [importer.Sink].
func (l *lines) Person(_ context.Context, p *importer.Person) error {
	if l.kind != load.People {
		return nil
	}
	line, err := p.Line()
	return l.write(p.Source.File, line, err)
}

// Company implements [importer.Sink].
func (l *lines) Company(_ context.Context, c *importer.Company) error {
	if l.kind != load.Companies {
		return nil
	}
	line, err := c.Line()
	return l.write(c.Source.File, line, err)
}

func (l *lines) write(file string, line []byte, err error) error {
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.n++
	if n := len(l.starts); n == 0 || l.starts[n-1].file != file {
		l.starts = append(l.starts, start{l.n, file})
	}
	l.mu.Unlock()
	_, err = l.w.Write(append(line, '\n'))
	return err
}

// Owner implements [importer.Sink]. The owner is a person like others.
func (l *lines) Owner(ctx context.Context, o *importer.Owner) error {
	if len(o.Emails) > 0 && o.Email == "" {
		o.Email = o.Emails[0]
	}
	return l.Person(ctx, &importer.Person{Person: o.Person})
}

// History implements [importer.Sink].
func (*lines) History(context.Context, *importer.History) error { return nil }

// Reject implements [importer.Sink].
func (*lines) Reject(context.Context, importer.Reject) error { return nil }
