package indexer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/internal/record"
	"kith/query/indexed"
)

// The locks of a dataset.
const (
	lockDrain   = "drain"
	lockReindex = "reindex"
)

// Source is everything that a drainer and a reindex need of a dataset.
type Source interface {
	record.Reader
	Outbox
	Ledger
	Marks
	Vocabulary
	Locks
}

// Drainer writes queued changes to every version of the index, active or unfinished. It is safe for concurrent use.
// Any number of drainers in any number of processes may run: they take turns.
type Drainer struct {
	source Source
	engine engine
	log    zerolog.Logger
	// OnBuild receives the progress of a first build; nil ignores it. Do not change it while the drainer works.
	OnBuild func(Progress)
	// pace is the pause between checks if nothing wakes the drainer, and the first pause after a failure.
	pace time.Duration
}

// NewDrainer returns a drainer from the records into an engine.
func NewDrainer(source Source, writer index.Writer, log zerolog.Logger) *Drainer {
	return &Drainer{source: source, engine: engine{writer}, log: log, pace: time.Second}
}

const (
	// drainBatch is the number of entries in a batch, drainTurn the most batches before other drainers get a turn.
	drainBatch = 1_000
	drainTurn  = 50
	// longestPause is the longest pause between tries while the engine is unavailable.
	longestPause = 15 * time.Second
	// idlePause is the pause between checks of an empty queue, in case a notification was lost.
	idlePause = 30 * time.Second
)

// Run drains the queue as it fills, until ctx ends, and returns ctx's error. While the engine or the database is
// unavailable or full, it waits and retries. It sweeps regularly. It first builds an index that has no active
// version, and drops versions left by a crashed reindex.
func (d *Drainer) Run(ctx context.Context) error {
	d.tidy(ctx)
	pause, healthy, full := time.Duration(0), true, false
	var swept time.Time
	for ctx.Err() == nil {
		err := d.Drain(ctx)
		if err == nil && time.Since(swept) > sweepPause {
			if err = d.Sweep(ctx); err == nil {
				swept = time.Now()
			}
		}
		if ctx.Err() != nil {
			break
		}
		if err == nil {
			if !healthy {
				d.log.Info().Msg("the index can be written again")
			}
			healthy, full, pause = true, false, 0
			d.waitForWork(ctx)
			continue
		}
		// A full disk may first look like an unavailable engine.
		noRoom := errors.Is(err, kith.ErrDiskFull)
		if healthy || noRoom && !full {
			d.log.Warn().Err(err).Msg("the index cannot be written at the moment; changes wait in the queue")
		}
		if noRoom {
			d.tidy(ctx)
		}
		healthy, full, pause = false, full || noRoom, min(max(2*pause, d.pace/4), longestPause)
		sleep(ctx, pause)
	}
	return ctx.Err()
}

// waitForWork returns on a notification, and after idlePause at the latest.
func (d *Drainer) waitForWork(ctx context.Context) {
	wait, cancel := context.WithTimeout(ctx, idlePause)
	defer cancel()
	if err := d.source.Wait(wait); err != nil && wait.Err() == nil {
		sleep(ctx, d.pace)
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// tidy drops the leftovers of a crashed reindex. Failure is harmless: the next reindex tries again.
func (d *Drainer) tidy(ctx context.Context) {
	release, err := d.source.Lock(ctx, lockDrain)
	if err != nil {
		return
	}
	defer release()
	// Here the reindex lock comes second, so do not wait for it. It is held for a moment only; a starting reindex
	// waits that long.
	releaseReindex, ok, err := d.source.TryLock(ctx, lockReindex)
	if err != nil || !ok {
		return
	}
	defer releaseReindex()
	if _, err := d.dropInactive(ctx); err != nil && ctx.Err() == nil {
		d.log.Debug().Err(err).Msg("left-over index versions stay for now")
	}
}

// dropInactive drops all inactive versions and an unfinished vocabulary, and returns the number of versions. The
// caller holds both locks.
func (d *Drainer) dropInactive(ctx context.Context) (dropped int, err error) {
	if err := d.source.DropVocabulary(ctx); err != nil {
		return 0, err
	}
	versions, err := d.engine.Versions(ctx)
	if err != nil {
		return 0, err
	}
	for _, v := range versions {
		if v.Active {
			continue
		}
		if err := d.engine.Drop(ctx, v.Name); err != nil {
			return dropped, fmt.Errorf("drop index version %s: %w", v.Name, err)
		}
		dropped++
	}
	return dropped, nil
}

// Drain applies everything that was queued when it was called, and makes it visible to searches. It takes turns with
// other processes. It first builds an index that was never in sync with these records: because it is new, belonged to
// another dataset or followed other records.
func (d *Drainer) Drain(ctx context.Context) error {
	if err := d.ensureBuilt(ctx); err != nil {
		return err
	}
	last, err := d.source.Last(ctx)
	if err != nil {
		return err
	}
	for tidied := false; ; {
		left, err := d.source.Backlog(ctx, last)
		if err != nil {
			return err
		}
		if left == 0 {
			return d.NoteSeen(ctx)
		}
		err = d.takeTurn(ctx, 0)
		switch {
		case errors.Is(err, errNoVersion):
			// Another process is about to create the first version, unless it fails.
			sleep(ctx, d.pace/10)
			if err = ctx.Err(); err == nil {
				err = d.ensureBuilt(ctx)
			}
		case isNoVersion(err) && !tidied:
			// A version that was only partly created or dropped is in the way.
			tidied = true
			d.tidy(ctx)
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
}

// NoteSeen records up to which version searches see the records, if the queue is empty. All entries removed from the
// queue, by any process, were written before, so the refresh makes them visible.
func (d *Drainer) NoteSeen(ctx context.Context) error {
	version, unseen, err := d.source.Unseen(ctx)
	if err != nil || !unseen {
		return err
	}
	if err := d.engine.Refresh(ctx); err != nil {
		return err
	}
	return d.source.SetSeen(ctx, version)
}

var errNoVersion = errors.New("the index has no version yet")

// Backlog returns the number of queued changes.
func (d *Drainer) Backlog(ctx context.Context) (int64, error) {
	last, err := d.source.Last(ctx)
	if err != nil {
		return 0, err
	}
	return d.source.Backlog(ctx, last)
}

// takeTurn applies at most drainTurn batches of entries above a number, under the drain lock.
func (d *Drainer) takeTurn(ctx context.Context, above int64) error {
	release, err := d.source.Lock(ctx, lockDrain)
	if err != nil {
		return err
	}
	defer release()
	return d.drainLocked(ctx, above, drainTurn)
}

// drainLocked drains the queue, batch by batch, until it is empty or the number of batches is reached. It builds the
// next batch while the engine writes one.
func (d *Drainer) drainLocked(ctx context.Context, above int64, batches int) error {
	if err := d.checkOurs(ctx); err != nil {
		return err
	}
	into, err := d.destination(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	made := make(chan *changes, 1)
	var makers sync.WaitGroup
	// The goroutine ends before the lock is released.
	defer makers.Wait()
	defer cancel()
	makers.Go(func() { d.makeAll(ctx, above, batches, made) })
	wrote := false
	for c := range made {
		if c.err != nil {
			return c.err
		}
		if err := d.apply(ctx, c, into); err != nil {
			return err
		}
		wrote = true
	}
	if !wrote {
		return ctx.Err()
	}
	return d.engine.Refresh(ctx)
}

// makeAll sends the changes of each batch, in order, and closes the channel.
func (d *Drainer) makeAll(ctx context.Context, above int64, batches int, made chan<- *changes) {
	defer close(made)
	for range batches {
		c := takeChanges(ctx, d.source, above)
		if c.err == nil && len(c.entries) == 0 {
			return
		}
		select {
		case made <- c:
		case <-ctx.Done():
			return
		}
		if c.err != nil {
			return
		}
		above = c.entries[len(c.entries)-1].Seq
	}
}

// destination is the versions that changes are written to: all of them.
type destination struct {
	names []string
	marks *marking
}

func (d *Drainer) destination(ctx context.Context) (destination, error) {
	versions, err := d.engine.Versions(ctx)
	if err != nil {
		return destination{}, err
	}
	if len(versions) == 0 {
		return destination{}, errNoVersion
	}
	into := destination{names: kith.Each(versions, func(v index.Version) string { return v.Name })}
	into.marks, err = d.marking(ctx, versions)
	return into, err
}

// apply writes the changes to every version and removes them from the queue.
func (d *Drainer) apply(ctx context.Context, c *changes, into destination) error {
	if err := into.marks.next(ctx); err != nil {
		return err
	}
	refused := c.refused
	for _, kind := range []record.Kind{record.Companies, record.People} {
		part := c.of(kind)
		more, err := d.write(ctx, kind, into.names, part.docs, part.deletes)
		if err != nil {
			return err
		}
		refused = append(refused, more...)
	}
	for _, r := range refused {
		d.log.Error().Stringer("kind", r.Kind).Int64("id", r.ID).Str("reason", r.Reason).
			Msg("a record could not be indexed; it is set aside until it changes or kith reindex runs")
	}
	if len(c.people.deletes) > 0 {
		// Callers wait for a deletion to leave the queue, and rely on searches not finding the people then.
		if err := d.engine.Refresh(ctx); err != nil {
			return err
		}
	}
	return d.source.Done(ctx, c.entries, refused, c.terms)
}

// write writes documents. If the engine rejects some, it finds them by halving, so one bad document does not block
// the others.
func (d *Drainer) write(ctx context.Context, kind record.Kind, versions []string, docs []indexed.Flat,
	deletes []int64,
) ([]Refusal, error) {
	if len(docs)+len(deletes) == 0 {
		return nil, nil
	}
	err := d.engine.Write(ctx, collectionOf(kind), versions, docs, deletes)
	if err == nil {
		return nil, nil
	}
	if ctx.Err() != nil || passes(err) || isNoVersion(err) || len(docs) == 0 {
		return nil, fmt.Errorf("write %s to the index: %w", kind, err)
	}
	if len(docs) == 1 && len(deletes) == 0 {
		return []Refusal{{Entry: Entry{Kind: kind, ID: docs[0].ID}, Reason: err.Error()}}, nil
	}
	half := len(docs) / 2
	first, err := d.write(ctx, kind, versions, docs[:half], deletes)
	if err != nil {
		return nil, err
	}
	second, err := d.write(ctx, kind, versions, docs[half:], nil)
	return append(first, second...), err
}

// isNoVersion reports whether an error is about a missing or incomplete version, not about a document.
func isNoVersion(err error) bool { return kith.KindOf(err) == kith.NotFound }

// passes reports whether an error is temporary, not about a document.
func passes(err error) bool {
	kind := kith.KindOf(err)
	return kind == kith.Unavailable || kind == kith.Timeout || kind == kith.RateLimited ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
