package load

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"kith"
	"kith/index"
)

// ErrReindexRuns says that another reindex of the same directory is under way.
var ErrReindexRuns = errors.New("a reindex of this directory is under way already: wait for it, or stop it")

// Reindexer rebuilds the index from the records.
type Reindexer struct {
	d *Drainer
	// Grace is how long the old version stays for searches that began before
	// the switch. It is a second unless set.
	Grace time.Duration
}

// NewReindexer returns a reindexer over the drainer's records and engine.
func NewReindexer(d *Drainer) *Reindexer { return &Reindexer{d: d, Grace: time.Second} }

// Progress says how far a reindex or a rerank is.
type Progress struct {
	// Done of about Total records are done with.
	Done, Total int64
	// Completing says that all are written, and that the engine is making ready what they were written into, which may
	// take minutes. Done and Total are then about that; they are 0 where the engine does not say how far it is.
	Completing bool
}

// newProgress begins to count work on all records.
func newProgress(ctx context.Context, r Reader) (p Progress, err error) {
	for _, kind := range []Kind{Companies, People} {
		n, err := r.Count(ctx, kind)
		if err != nil {
			return p, err
		}
		p.Total += n
	}
	return p, nil
}

// add notes that n more are done, and reports it, if anyone listens.
func (p *Progress) add(n int64, report func(Progress)) {
	p.Done += n
	p.Total = max(p.Total, p.Done)
	if report != nil {
		report(*p)
	}
}

// Reindex builds a new version from all records and switches to it, while
// searches and writes go on. Nothing written meanwhile is lost: the drainer
// writes into the new version from its first moment, documents that the copy
// brings later are older and lose, and what was deleted is deleted again before
// the switch. One runs at a time: a second is refused with [ErrReindexRuns]. An error, or a crash at any point,
// leaves the version that was active, and the queue, as they were. progress
// may be nil; it is called from one goroutine at a time.
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

// A starting drainer holds the lock for a moment; a reindex holds it for longer
// than these tries last.
const (
	beginTries = 20
	beginPause = 50 * time.Millisecond
)

// begin takes the lock of reindexes.
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

func (r *Reindexer) rebuild(ctx context.Context, progress func(Progress), store func(context.Context, *Build) error,
) (err error) {
	began, err := r.d.source.Now(ctx)
	if err != nil {
		return err
	}
	// The copy reads what was queued so far, so the new version need not hear
	// of it again.
	queued, err := r.d.source.Last(ctx)
	if err != nil {
		return err
	}
	// Until this takes something off the queue, it can be for whom it was.
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
		if errors.Is(err, kith.ErrNoRoom) {
			err = fmt.Errorf("%w; the index stays as it was: a reindex needs room for another one beside it", err)
		}
	}()
	if err != nil {
		return err
	}
	if err := r.copyAll(ctx, name, progress, store); err != nil {
		return err
	}
	if store != nil {
		// What changed meanwhile is cheaper to write before there are indexes.
		if err := r.d.turn(ctx, queued); err != nil {
			return err
		}
	}
	// The drainer goes on meanwhile: this is the longest step after the copy.
	if err := r.complete(ctx, name, progress); err != nil {
		return err
	}
	claimed = r.d.engine.claimName()
	if switched, err = r.change(ctx, name, queued, began); err != nil {
		return err
	}
	// Who began to search in the old version may end there. From here on
	// nothing can be lost: what stays behind is dropped by the next one.
	sleep(ctx, r.Grace)
	release, err := r.d.source.Lock(ctx, lockDrain)
	if err != nil {
		return err
	}
	defer release()
	_, err = r.d.dropInactive(ctx)
	return err
}

// complete has the engine make a version ready, and tells how far that is.
func (r *Reindexer) complete(ctx context.Context, name string, progress func(Progress)) error {
	if progress == nil {
		return r.d.engine.Complete(ctx, name)
	}
	progress(Progress{Completing: true})
	completer, ok := r.d.engine.Writer.(index.Completer)
	if !ok {
		return r.d.engine.Complete(ctx, name)
	}
	p, err := newProgress(ctx, r.d.source)
	if err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- r.d.engine.Complete(ctx, name) }()
	for p.Completing = true; ; {
		select {
		case err := <-done:
			return err
		case <-time.After(r.d.pace):
			// That it is not known how far it is does no harm.
			if share, err := completer.Completed(ctx, name); err == nil {
				p.Done = max(p.Done, int64(share*float64(p.Total)))
				progress(p)
			}
		}
	}
}

// create drops what a crashed reindex left and makes the new version, and
// begins a new vocabulary, under the drain lock, so that every later change
// reaches them, and the queue is for them. The name may come with an error.
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

// abandon drops a version that did not become active, if there is one, and says
// whom the queue is for then. The context of the reindex may have ended.
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

// change brings the new version level and makes it the active one, while no
// drainer writes. What was queued up to a number is in the new version already.
func (r *Reindexer) change(ctx context.Context, name string, queued int64, began time.Time) (switched bool, err error) {
	// Most of the queue goes first, so that the lock is held for a moment only.
	if err := r.d.turn(ctx, queued); err != nil {
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
	for _, kind := range []Kind{Companies, People} {
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
	if err := r.d.engine.agrees(ctx, r.d.source, name, queued, began); err != nil {
		return false, err
	}
	if err := r.d.engine.Activate(ctx, name); err != nil {
		return false, err
	}
	active, err := r.d.engine.active(ctx)
	if err != nil {
		return true, err
	}
	// What of the copy is still on its way to the engine may come after a deletion.
	return true, r.d.source.SetBuilt(ctx, inFormat(r.d.engine.identity(active)), queued, began, began.Add(-sweepBack))
}

// deleteAgain deletes from the new version what was deleted since the hour before the
// last reindex: the copy may have read a record before it went and written it after.
func (r *Reindexer) deleteAgain(ctx context.Context, kind Kind, name string) error {
	var err error
	for above, more := int64(0), true; more && err == nil; {
		above, more, err = r.d.deleteAgain(ctx, kind, destination{names: []string{name}}, time.Time{}, above)
	}
	return err
}
