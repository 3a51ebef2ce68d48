package loader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"kith"
	"kith/internal/record"
	"kith/internal/record/indexer"
)

// Options control the load of a file. The zero value works for a file named after its kind.
type Options struct {
	// Kind is the kind of the file; 0 derives it from the name.
	Kind record.Kind
	// Rejects is the reject file. The default is the path of the file plus .rejects.ndjson, or stdin.rejects.ndjson;
	// in a directory the file gets that name. It is created only if lines are rejected. A load without rejects
	// removes the file of an earlier load.
	Rejects string
	// AsOf is the day of the data about people. The zero time means the file's modification time, or now for standard
	// input. A future day means now.
	AsOf time.Time
	// BatchLines is the number of lines in one transaction; 0 means 2,000, or 8,000 if people are united.
	BatchLines int
	// Uniter decides which person a line is about. If it is nil, a line replaces the record that its keys identify.
	// With a Uniter, ids in lines are ignored.
	Uniter record.Uniter
	// ExportUniter does the same for the people of an export, who belong to one user.
	ExportUniter record.Uniter
	// ExportUser is the user that exports are loaded for; nil is the user of their first line.
	ExportUser *UserName
	// Into receives new people and companies for an index under construction, instead of the queue; nil queues all.
	Into *indexer.Build
	// Progress is called after every transaction; it may be nil.
	Progress func(Stats)
	// Each is called after every transaction for each line, in order; it may be nil.
	Each func(LineOutcome)
	// Stdin is read for the path "-".
	Stdin io.Reader
}

// UserName is an app's name for one of its users.
type UserName struct{ App, ExternalUserID string }

// LineOutcome is the outcome of one line.
type LineOutcome struct {
	Line int64
	// Kind is the kind of the line.
	Kind    record.Kind
	Outcome record.Outcome
	// Reason is why the line was rejected; otherwise empty.
	Reason string
}

// Stats count the finished lines of a load. Read is always Stored + Rejected + Suppressed, and Stored is Created +
// Changed + Unchanged + Superseded. Blank lines do not count.
type Stats struct {
	Read, Stored, Rejected int64
	// Suppressed are lines about people who asked to be forgotten. They are neither stored nor written to the reject
	// file.
	Suppressed int64
	// Created and Changed were written. Unchanged were already stored with the same data. Superseded were followed by
	// another line about the same record.
	Created, Changed, Unchanged, Superseded int64
	// Bytes of Size were read so far; a Size of 0 is unknown.
	Bytes, Size int64
	// Rejects is the path of the reject file; empty if there is none.
	Rejects string
}

// String is a one-line summary of a load.
func (s Stats) String() string {
	text := fmt.Sprintf("%s read: %d stored (%d new, %d changed, %d unchanged, %d repeated), %d rejected",
		kith.Counted(s.Read, "line", "lines"), s.Stored, s.Created, s.Changed, s.Unchanged, s.Superseded, s.Rejected)
	if s.Suppressed > 0 {
		text += fmt.Sprintf(", %d suppressed", s.Suppressed)
	}
	if s.Rejects != "" {
		text += "; see " + s.Rejects
	}
	return text
}

// Loader loads files into the records. It is safe for concurrent use; loads take turns by transaction.
type Loader struct {
	store record.Store
	// Relations, Sequences and Users store relationships, sequences, and the users and contacts of exports. Files with
	// them need them, but without Sequences, those of an export are rejected. Do not change them while a load runs.
	Relations Relations
	Sequences SequenceStore
	Users     UserStore
}

// New returns a loader into a store.
func New(store record.Store) *Loader { return &Loader{store: store} }

// File loads one file of an origin; "-" is standard input. Lines that cannot be stored go to the reject file and do not
// stop the load. An error (an unreadable file, an unavailable database, a canceled ctx) stops it. Finished transactions
// stay, and the returned Stats count them; loading the file again completes it.
func (l *Loader) File(ctx context.Context, o record.Origin, path string, opts Options) (Stats, error) {
	if opts.Kind == 0 {
		kind, err := KindOf(path)
		if err != nil {
			return Stats{}, err
		}
		opts.Kind = kind
	}
	src, err := openFile(path, opts.Stdin)
	if err != nil {
		return Stats{}, err
	}
	opts.AsOf = chooseDay(opts.AsOf, src)
	rejects, err := newRejects(path, opts.Rejects)
	if err != nil {
		return Stats{}, errors.Join(wrapPath(path, err), src.Close())
	}
	run := &run{Loader: l, origin: o, opts: opts, src: src, rejects: rejects}
	if err = cmp.Or(run.all(ctx), run.checkWhole()); err == nil {
		err = rejects.tidy()
	}
	err = errors.Join(wrapPath(path, err), rejects.close())
	if run.abandoned {
		return run.stats, err
	}
	return run.stats, errors.Join(err, src.Close())
}

// chooseDay returns the day of a file's data.
func chooseDay(day time.Time, src *source) time.Time {
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

// run is one running load.
type run struct {
	*Loader
	origin  record.Origin
	opts    Options
	src     *source
	rejects *rejectFile
	stats   Stats
	// abandoned is true if a read of src is still waiting.
	abandoned bool
	// head is the first line of an export and first its number; owner is the origin of its records; ended is true after
	// its last line.
	head  *Head
	first int64
	owner record.Origin
	ended bool
}

// all reads, parses and stores in separate goroutines, so that all cores and the database work at once. Pieces are
// stored in file order.
func (r *run) all(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	toParse := make(chan *piece)
	// This buffer limits memory: it holds pieces that were read but not yet stored.
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
		// Nothing can interrupt a read of a stream; it ends with the process.
		if r.abandoned = r.src.isStream; !r.abandoned {
			<-finished
		}
		return err
	}
	// If the file breaks off, everything before the break is stored first.
	<-finished
	return readErr
}

// storeAll stores pieces as they arrive, a batch at a time.
func (r *run) storeAll(ctx context.Context, pieces <-chan *piece) error {
	most := defaultBatch
	if r.opts.Uniter != nil || r.opts.Kind == record.Exports {
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

// storeBatch stores one batch, and counts it after the commit. If the database rejects a value, it halves the batch
// until the bad line is alone, and rejects that.
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
	if err := r.opts.Into.Add(ctx, res.made); err != nil {
		return fmt.Errorf("write lines %d to %d to the index: %w", items[0].line, items[len(items)-1].line, err)
	}
	if kind := items[0].kind; kind == head || kind == tail { // neither holds a record
		return nil
	}
	r.count(int64(len(items)), res)
	r.tell(items, res)
	if r.opts.Progress != nil {
		r.opts.Progress(r.stats)
	}
	return nil
}

// tell reports the outcome of each line.
func (r *run) tell(items []item, res result) {
	if r.opts.Each == nil {
		return
	}
	reasons := make(map[int64]string, len(res.rejected))
	for _, it := range res.rejected {
		reasons[it.line] = it.reason
	}
	for _, it := range items {
		r.opts.Each(LineOutcome{it.line, cmp.Or(it.kind, r.opts.Kind), res.byLine[it.line], reasons[it.line]})
	}
}

// write stores one batch.
func (r *run) write(ctx context.Context, items []item) (res result, err error) {
	switch r.opts.Kind {
	case record.Relationships:
		return r.relate(ctx, items)
	case record.Sequences:
		return r.putSequences(ctx, items)
	case record.Exports:
		return r.exported(ctx, items)
	}
	return r.putRecords(ctx, r.origin, items, r.opts.Uniter)
}

// putRecords stores people or companies in one transaction. It works on a copy of the items, so that a smaller batch
// can be retried.
func (r *run) putRecords(
	ctx context.Context, o record.Origin, items []item, uniter record.Uniter,
) (res result, err error) {
	err = r.store.Write(ctx, o, func(ctx context.Context, tx record.Tx) error {
		b := &batch{
			items: slices.Clone(items), asOf: r.opts.AsOf, uniter: uniter,
			direct: r.opts.Into != nil && uniter == nil, owner: o.Owner(),
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
	var of [record.Repeated + 1]int64
	for _, outcome := range res.byLine {
		of[outcome]++
	}
	s.Stored += lines - rejected - of[record.Suppressed]
	s.Created += of[record.Created]
	s.Changed += of[record.Changed]
	s.Unchanged += of[record.Unchanged]
	s.Superseded += of[record.Repeated]
	s.Suppressed += of[record.Suppressed]
	s.Bytes, s.Size, s.Rejects = r.src.read.Load(), r.src.size, r.rejects.createdPath()
}
