package indexer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"kith"
	"kith/index"
	"kith/internal/record"
)

// ErrReindexRuns means that another reindex of the same dataset is running.
var ErrReindexRuns = errors.New("a reindex of this dataset is already running: wait for it, or stop it")

// Reindexer rebuilds the index from the records.
type Reindexer struct {
	d *Drainer
	// Grace is how long the old version stays for searches that began before the switch. The default is one second.
	Grace time.Duration
}

// NewReindexer returns a reindexer over the drainer's records and engine.
func NewReindexer(d *Drainer) *Reindexer { return &Reindexer{d: d, Grace: time.Second} }

// Progress is the progress of a reindex or a rerank.
type Progress struct {
	// Done of about Total records are finished.
	Done, Total int64
	// Completing means that all records are written and the engine is preparing the version for searches, which may
	// take minutes. Done and Total then describe that step; both are 0 if the engine does not report progress.
	Completing bool
	// Waiting is the reason why the version cannot be written at the moment; empty otherwise.
	Waiting string
}

// reporter reports the progress of a reindex or a rerank; its calls never overlap.
type reporter struct {
	mu sync.Mutex
	at Progress
	to func(Progress) // may be nil
}

// update changes the progress and reports it.
func (r *reporter) update(change func(*Progress)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.at)
	if r.to != nil {
		r.to(r.at)
	}
}

// done returns the number of finished records.
func (r *reporter) done() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at.Done
}

// newProgress starts counting work on all records.
func newProgress(ctx context.Context, r record.Reader) (p Progress, err error) {
	for _, kind := range []record.Kind{record.Companies, record.People} {
		n, err := r.Count(ctx, kind)
		if err != nil {
			return p, err
		}
		p.Total += n
	}
	return p, nil
}

// add counts n more records and reports the progress.
func (r *reporter) add(n int) {
	r.update(func(at *Progress) {
		at.Done += int64(n)
		at.Total = max(at.Total, at.Done)
	})
}

// Reindex builds a new version from all records and switches to it, while searches and writes continue. Concurrent
// writes are not lost: the drainer writes to the new version from the start, older documents of the copy never
// replace newer ones, and deletions are repeated before the switch. Only one can run: another fails with
// [ErrReindexRuns]. An error, or a crash at any point, leaves the active version and the queue unchanged. progress
// may be nil; calls to it never overlap.
func (r *Reindexer) Reindex(ctx context.Context, progress func(Progress)) error {
	release, err := r.begin(ctx)
	if err != nil {
		return err
	}
	defer release()
	if err := r.rebuild(ctx, progress, nil); err != nil {
		return fmt.Errorf("reindex: %w", err)
	}
	return nil
}

// A starting drainer holds the lock for a moment only; a reindex holds it for longer than these tries take.
const (
	beginTries = 20
	beginPause = 50 * time.Millisecond
)

// begin takes the reindex lock.
func (r *Reindexer) begin(ctx context.Context) (release func(), err error) {
	for range beginTries {
		release, ok, err := r.d.source.TryLock(ctx, lockReindex)
		if err != nil {
			return nil, err
		}
		if ok {
			return release, nil
		}
		sleep(ctx, beginPause)
	}
	return nil, ErrReindexRuns
}

func (r *Reindexer) rebuild(ctx context.Context, to func(Progress), store func(context.Context, *Build) error,
) (err error) {
	progress := &reporter{to: to}
	began, err := r.d.source.Now(ctx)
	if err != nil {
		return err
	}
	// The copy reads everything queued so far, so the new version can skip those entries.
	queued, err := r.d.source.Last(ctx)
	if err != nil {
		return err
	}
	// Until this reindex takes entries off the queue, the previous claim can be restored.
	claimed, err := r.d.source.Claimed(ctx)
	if err != nil {
		return err
	}
	name, err := r.create(ctx)
	var switched bool
	defer func() {
		if switched {
			return
		}
		r.abandon(name, claimed)
		if errors.Is(err, kith.ErrDiskFull) {
			err = fmt.Errorf("%w; the index stays as it was: a reindex needs room for another one beside it", err)
		}
	}()
	if err != nil {
		return err
	}
	ctx, unwatch := r.watch(ctx, name, progress)
	defer func() { err = unwatch(err) }()
	if err := r.copyAll(ctx, name, progress, store); err != nil {
		return err
	}
	if store != nil {
		// Concurrent changes are cheaper to write before there are indexes.
		if err := r.d.takeTurn(ctx, queued); err != nil {
			return err
		}
	}
	// The drainer continues meanwhile: this is the longest step after the copy.
	if err := r.complete(ctx, name, progress); err != nil {
		return err
	}
	claimed = r.d.engine.claimName()
	if switched, err = r.change(ctx, name, queued, began); err != nil {
		return err
	}
	return r.dropOld(ctx)
}

// dropOld drops the versions that are no longer active, after searches that began there had time to end. Nothing can
// be lost from here on: the next reindex drops leftovers.
func (r *Reindexer) dropOld(ctx context.Context) error {
	sleep(ctx, r.Grace)
	release, err := r.d.source.Lock(ctx, lockDrain)
	if err != nil {
		return err
	}
	defer release()
	_, err = r.d.dropInactive(ctx)
	return err
}

// complete makes the engine prepare a version, and reports the progress. It tries again while the engine is
// unavailable for a moment.
func (r *Reindexer) complete(ctx context.Context, name string, progress *reporter) error {
	var total int64 // of the copy
	progress.update(func(at *Progress) {
		total = at.Total
		*at = Progress{Completing: true, Waiting: at.Waiting}
	})
	done := make(chan error, 1)
	go func() {
		done <- r.d.retry(ctx, func() error { return r.d.engine.Complete(ctx, name) })
	}()
	completer, reports := r.d.engine.Writer.(index.Completer)
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(r.d.pace):
			if !reports {
				continue
			}
			// Failing to read the progress is harmless.
			if share, err := completer.Completed(ctx, name); err == nil {
				progress.update(func(at *Progress) {
					at.Done, at.Total = max(at.Done, int64(share*float64(total))), total
				})
			}
		}
	}
}

// create drops leftovers of a crashed reindex, creates the new version, and starts a new vocabulary. It holds the
// drain lock, so all later changes reach both, and claims the queue. It may return a name together with an error.
func (r *Reindexer) create(ctx context.Context) (string, error) {
	release, err := r.d.source.Lock(ctx, lockDrain)
	if err != nil {
		return "", err
	}
	defer release()
	if _, err := r.d.dropInactive(ctx); err != nil {
		return "", err
	}
	if err := r.d.source.Claim(ctx, r.d.engine.claimName()); err != nil {
		return "", err
	}
	name, err := r.d.engine.Create(ctx)
	if err != nil {
		return "", err
	}
	if err := r.d.markNew(ctx, name); err != nil {
		return name, err
	}
	return name, r.d.source.BeginVocabulary(ctx)
}

// abandon drops a version that did not become active, if any, and restores the claim on the queue. It ignores the
// context of the reindex, which may have ended.
func (r *Reindexer) abandon(name, claimed string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	release, err := r.d.source.Lock(ctx, lockDrain)
	if err != nil {
		return
	}
	defer release()
	err = errors.Join(r.d.source.Claim(ctx, claimed), r.d.source.DropVocabulary(ctx))
	if name != "" {
		err = errors.Join(err, r.d.engine.Drop(ctx, name))
	}
	if err != nil {
		r.d.log.Debug().Err(err).Str("version", name).Msg("an unfinished index version stays for now")
	}
}

// change brings the new version in sync and activates it, while no drainer writes. Entries up to queued are already
// in the new version.
func (r *Reindexer) change(ctx context.Context, name string, queued int64, began time.Time) (switched bool, err error) {
	// Drain most of the queue first, so that the lock is held only briefly.
	if err := r.d.takeTurn(ctx, queued); err != nil {
		return false, err
	}
	release, err := r.d.source.Lock(ctx, lockDrain)
	if err != nil {
		return false, err
	}
	defer release()
	if err := r.d.drainLocked(ctx, queued, math.MaxInt); err != nil {
		return false, err
	}
	for _, kind := range []record.Kind{record.Companies, record.People} {
		if err := r.deleteAgain(ctx, kind, name); err != nil {
			return false, err
		}
	}
	if err := r.d.markBuilt(ctx, name); err != nil {
		return false, err
	}
	if err := r.d.engine.Refresh(ctx); err != nil {
		return false, err
	}
	if err := r.d.engine.checkCounts(ctx, r.d.source, name, queued, began); err != nil {
		return false, err
	}
	if err := r.d.engine.Activate(ctx, name); err != nil {
		return false, err
	}
	active, err := r.d.engine.active(ctx)
	if err != nil {
		return true, err
	}
	// Keep recent deletions: writes of the copy that are still in flight may arrive after one.
	return true, r.d.source.SetBuilt(ctx, inFormat(r.d.engine.identity(active)), queued, began, began.Add(-sweepBack))
}

// deleteAgain repeats deletions in the new version, back to an hour before the last reindex: the copy may have read a
// record before its deletion and written it afterwards.
func (r *Reindexer) deleteAgain(ctx context.Context, kind record.Kind, name string) error {
	var err error
	for above, more := int64(0), true; more && err == nil; {
		above, more, err = r.d.deleteAgain(ctx, kind, destination{names: []string{name}}, time.Time{}, above)
	}
	return err
}
