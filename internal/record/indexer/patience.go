package indexer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"kith"
	"kith/index"
)

// patience is how long a reindex waits for an unavailable engine, in paces of a second: long enough for a restart of a
// node. A copy takes hours, so it should survive that.
const patience = 180

// worry is how long nothing may go on before a reindex says that it waits, in paces.
const worry = 4

func (d *Drainer) patience() time.Duration { return patience * d.pace }

// retry repeats what fails while the engine is unavailable, for as long as [patience]. It does not repeat what fails
// for a full disk, which stays full while the unfinished version exists.
func (d *Drainer) retry(ctx context.Context, do func() error) error {
	var failing time.Time
	for try := 1; ; try++ {
		err := do()
		if err == nil || !passes(err) || errors.Is(err, kith.ErrDiskFull) || ctx.Err() != nil {
			return err
		}
		if failing.IsZero() {
			failing = time.Now()
			d.log.Warn().Err(err).Msg("the index cannot be written at the moment; the reindex retries for some minutes")
		}
		if time.Since(failing) >= d.patience() {
			return err
		}
		sleep(ctx, min(time.Duration(try)*d.pace, longestPause))
	}
}

// watch reports every second whether a version can be written, since a write may wait for minutes. It ends the
// returned context if that lasts longer than [patience] without progress. unwatch stops it; its result is the reason
// for that end, else the error it was given.
func (r *Reindexer) watch(ctx context.Context, name string, progress *reporter) (watched context.Context,
	unwatch func(error) error,
) {
	checker, ok := r.d.engine.Writer.(index.Checker)
	if !ok {
		return ctx, func(err error) error { return err }
	}
	ctx, end := context.WithCancelCause(ctx)
	var group sync.WaitGroup
	group.Go(func() {
		since, last := time.Now(), progress.done()
		for sleep(ctx, r.d.pace); ctx.Err() == nil; sleep(ctx, r.d.pace) {
			err := checker.Available(ctx, name)
			if ctx.Err() != nil {
				return
			}
			done := progress.done()
			if err == nil || done != last {
				since, last = time.Now(), done
			}
			if err != nil && time.Since(since) >= r.d.patience() {
				end(fmt.Errorf("the index could not be written for %s: %w; it stays as it was: run kith reindex when "+
					"the engine is back", r.d.patience(), err))
				return
			}
			if time.Since(since) < worry*r.d.pace {
				err = nil // a busy machine may answer late
			}
			progress.update(func(at *Progress) { at.Waiting = reasonOf(err) })
		}
	})
	return ctx, func(err error) error {
		cause := context.Cause(ctx)
		end(nil)
		group.Wait()
		if err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
			return cause
		}
		return err
	}
}

// reasonOf returns the reason for which an engine is unavailable, with its details.
func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*kith.Error](err); ok && e.Cause != nil {
		return e.Cause.Error()
	}
	return err.Error()
}
