package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"kith"
)

// Options say how a file is loaded. The zero value is right for a file whose
// name says what is in it.
type Options struct {
	// Kind is what the file holds; 0 tells it by the name.
	Kind Kind
	// Rejects is where lines go that cannot be stored; empty is the path of the
	// file with .rejects.ndjson behind it, or stdin.rejects.ndjson, and a directory
	// is where that file is made. It is made only when there is such a line; one of
	// an earlier load is removed where there is none any more.
	Rejects string
	// AsOf is the day of the data on people; the zero time is the day on which the
	// file was changed last, and of the standard input the present. A day to come
	// counts as the present.
	AsOf time.Time
	// BatchLines is how many lines go into one transaction; 0 is 2,000, and 8,000 where
	// people are united.
	BatchLines int
	// Uniter decides which people the lines of people are about; nil takes them at their
	// word, and a line replaces the record of its person. With it ids mean nothing.
	Uniter Uniter
	// ExportUniter does so for the people of an export, who are one user's.
	ExportUniter Uniter
	// Into takes new people and companies straight to an index that is being built; they are
	// not queued then. nil queues all.
	Into *Build
	// Progress hears of the load after every transaction; nil is silence.
	Progress func(Stats)
	// Each hears after every transaction what became of each line of people and companies, in
	// their order; reason is why a line was rejected. nil is silence.
	Each func(line int64, outcome Outcome, reason string)
	// Stdin is read for the path "-"; nil is the standard input.
	Stdin io.Reader
}

// Stats count the lines of a load that are done with. Read is always Stored +
// Rejected + Suppressed, and Stored is Created + Changed + Unchanged +
// Superseded. Blank lines are not counted.
type Stats struct {
	Read, Stored, Rejected int64
	// Suppressed are lines about people who asked to be forgotten. They are not
	// stored, and not in the reject file either.
	Suppressed int64
	// Created and Changed were written; Unchanged are stored already, just so;
	// Superseded were followed by another line about the same record.
	Created, Changed, Unchanged, Superseded int64
	// Bytes of the file were read so far, of Size; a Size of 0 is unknown.
	Bytes, Size int64
	// Rejects is the path of the reject file; empty where there is none.
	Rejects string
}

// String is the summary of a load in one line.
func (s Stats) String() string {
	text := fmt.Sprintf("%s read: %d stored (%d new, %d changed, %d unchanged, %d repeated), %d rejected",
		lineCount(s.Read), s.Stored, s.Created, s.Changed, s.Unchanged, s.Superseded, s.Rejected)
	if s.Suppressed > 0 {
		text += fmt.Sprintf(", %d suppressed", s.Suppressed)
	}
	if s.Rejects != "" {
		text += "; see " + s.Rejects
	}
	return text
}

// Loader loads files into the records. It is safe for concurrent use; loads
// take turns, transaction by transaction.
type Loader struct {
	store Store
	// Relations stores relationships; nil where none can be loaded. It is not to
	// be changed while a load runs.
	Relations Relations
	// Sequences stores sequences, likewise.
	Sequences SequenceStore
	// Users stores what exports have beside, likewise; it needs the other two.
	Users UserStore
}

// NewLoader returns a loader into a store.
func NewLoader(store Store) *Loader { return &Loader{store: store} }

// File loads one file; "-" is the standard input. Lines that cannot be stored
// go to the reject file and do not end the load. What an error ends — an
// unreadable file, a database that is away, a canceled ctx — stays loaded in
// whole transactions, which the returned Stats count; loading the file again
// completes it.
func (l *Loader) File(ctx context.Context, path string, opts Options) (Stats, error) {
	if opts.Kind == 0 {
		kind, err := KindOf(path)
		if err != nil {
			return Stats{}, err
		}
		opts.Kind = kind
	}
	if opts.Kind == Relationships && l.Relations == nil {
		return Stats{}, fmt.Errorf("load %s: relationships cannot be loaded here", path)
	}
	if opts.Kind == Sequences && l.Sequences == nil {
		return Stats{}, fmt.Errorf("load %s: sequences cannot be loaded here", path)
	}
	if opts.Kind == Exports && l.Users == nil {
		return Stats{}, fmt.Errorf("load %s: exports cannot be loaded here", path)
	}
	if opts.Stdin == nil {
		opts.Stdin = os.Stdin
	}
	src, err := openFile(path, opts.Stdin)
	if err != nil {
		return Stats{}, err
	}
	opts.AsOf = dayOf(opts.AsOf, src)
	rejects, err := newRejects(path, opts.Rejects)
	if err != nil {
		return Stats{}, errors.Join(wrapPath(path, err), src.Close())
	}
	run := &run{Loader: l, opts: opts, src: src, rejects: rejects}
	if err = cmp.Or(run.all(ctx), run.whole()); err == nil {
		err = rejects.tidy()
	}
	err = errors.Join(wrapPath(path, err), rejects.close())
	if run.abandoned {
		return run.stats, err
	}
	return run.stats, errors.Join(err, src.Close())
}

// dayOf is the day of what a file says.
func dayOf(day time.Time, src *source) time.Time {
	now := time.Now()
	if day.IsZero() {
		day = src.changed
	}
	if day.IsZero() || day.After(now) {
		day = now
	}
	return day.UTC()
}

func defaultRejects(path string) string {
	if path == "-" {
		path = "stdin"
	}
	return filepath.Clean(path) + rejectsSuffix
}

func wrapPath(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("load %s: %w", path, err)
}

// run is one load under way.
type run struct {
	*Loader
	opts    Options
	src     *source
	rejects *rejectFile
	stats   Stats
	// abandoned is true where a read of src still waits.
	abandoned bool
	// head is the first line of an export, owner whose its records are; ended is true
	// after its last line.
	head  *Head
	owner string
	ended bool
}

// all reads, parses and stores, each in its own goroutine, so that every core
// and the database work at once. Pieces come to be stored in file order.
func (r *run) all(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	toParse := make(chan *piece)
	// The bound is what limits memory: pieces read and not yet stored.
	inOrder := make(chan *piece, piecesAhead(r.opts.Kind, workers))
	var readErr error
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		defer close(toParse)
		defer close(inOrder)
		readErr = r.read(ctx, toParse, inOrder)
	}()
	for range workers {
		group.Go(func() error { return parseAll(ctx, r.opts.Kind, toParse) })
	}
	group.Go(func() error { return r.storeAll(ctx, inOrder) })
	if err := group.Wait(); err != nil {
		// Nothing can wake a read of a stream; it ends with the process.
		if r.abandoned = r.src.isStream; !r.abandoned {
			<-finished
		}
		return err
	}
	// A file that breaks off in the middle is an error once everything before
	// the break is stored.
	<-finished
	return readErr
}

// storeAll stores pieces as they come, a batch at a time.
func (r *run) storeAll(ctx context.Context, pieces <-chan *piece) error {
	most := defaultBatch
	if r.opts.Uniter != nil || r.opts.Kind == Exports {
		most = unitedBatch
	}
	if r.opts.BatchLines > 0 {
		most = r.opts.BatchLines
	}
	var items []item
	size := 0
	for {
		p, err := nextParsed(ctx, pieces)
		if err != nil {
			return err
		}
		if p == nil {
			break
		}
		items = append(items, p.items...)
		size += p.bytes
		for n := ofOneKind(items); len(items) >= most || size >= batchBytes || n < len(items); n = ofOneKind(items) {
			n = min(most, n)
			if err := r.storeBatch(ctx, items[:n]); err != nil {
				return err
			}
			items, size = append([]item(nil), items[n:]...), 0
		}
	}
	if len(items) == 0 {
		return nil
	}
	return r.storeBatch(ctx, items)
}

// storeBatch stores one batch, and counts it once it is committed. A batch that
// holds a line which the database itself refuses is halved until that line
// stands alone, and is rejected.
func (r *run) storeBatch(ctx context.Context, items []item) error {
	res, err := r.write(ctx, items)
	if err != nil && kith.KindOf(err) == kith.Invalid && ctx.Err() == nil {
		if half := len(items) / 2; half > 0 {
			if err := r.storeBatch(ctx, items[:half]); err != nil {
				return err
			}
			return r.storeBatch(ctx, items[half:])
		}
		items[0].reason = err.Error()
		res, err = result{rejected: items}, nil
	}
	if err != nil {
		return fmt.Errorf("lines %d to %d: %w", items[0].line, items[len(items)-1].line, err)
	}
	if err := r.rejects.add(res.rejected); err != nil {
		return err
	}
	if err := r.opts.Into.add(ctx, res.made); err != nil {
		return fmt.Errorf("write lines %d to %d to the index: %w", items[0].line, items[len(items)-1].line, err)
	}
	if kind := items[0].kind; kind == head || kind == tail { // they hold nothing
		return nil
	}
	r.count(int64(len(items)), res)
	r.tell(items, res)
	if r.opts.Progress != nil {
		r.opts.Progress(r.stats)
	}
	return nil
}

// tell tells what became of each line.
func (r *run) tell(items []item, res result) {
	if r.opts.Each == nil {
		return
	}
	reasons := make(map[int64]string, len(res.rejected))
	for _, it := range res.rejected {
		reasons[it.line] = it.reason
	}
	for _, it := range items {
		r.opts.Each(it.line, res.byLine[it.line], reasons[it.line])
	}
}

// write is one transaction. It works on a copy of the items, so that it can be
// tried again with fewer.
func (r *run) write(ctx context.Context, items []item) (res result, err error) {
	if r.opts.Kind == Relationships {
		return r.relate(ctx, items)
	}
	if r.opts.Kind == Sequences {
		return r.putSequences(ctx, items)
	}
	if r.opts.Kind == Exports {
		return r.exported(ctx, items)
	}
	return r.putRecords(ctx, items, r.opts.Uniter)
}

// putRecords stores people or companies.
func (r *run) putRecords(ctx context.Context, items []item, uniter Uniter) (res result, err error) {
	err = r.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		b := &batch{
			items: slices.Clone(items), asOf: r.opts.AsOf, uniter: uniter,
			direct: r.opts.Into != nil && uniter == nil, owner: OwnerFrom(ctx),
		}
		res, err = b.store(ctx, tx)
		return err
	})
	return res, err
}

func (r *run) count(lines int64, res result) {
	s := &r.stats
	rejected := int64(len(res.rejected))
	s.Read += lines
	s.Rejected += rejected
	s.Stored += lines - rejected - res.suppressed
	s.Created += res.created
	s.Changed += res.changed
	s.Unchanged += res.unchanged
	s.Superseded += res.superseded
	s.Suppressed += res.suppressed
	s.Bytes, s.Size, s.Rejects = r.src.read.Load(), r.src.size, r.rejects.made()
}
