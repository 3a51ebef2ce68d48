package load

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// ErrBuilt says that an index was built before: changes reach it by the queue.
var ErrBuilt = errors.New("the index is built already: it follows the records by the queue")

// Build is an index version under construction that takes records while they are stored. The nil Build takes none.
type Build struct {
	records chan stored
	// failed is closed when a record could not be written, for which cause says why.
	failed <-chan struct{}
	cause  func() error
}

// stored are some records of a kind.
type stored struct {
	people    []Person
	companies []Company
}

// Fill builds an index that was never built, and store stores records meanwhile: those that a [Loader] stores into
// the [Build] go to the index at once, neither queued nor read again. What was stored before is copied first, so that
// a Fill that broke off is done again by another. With an error of store nothing is built, and the next Fill or
// [Drainer.Drain] builds all that was stored. Where there is an index already it is [ErrBuilt], where somebody else
// builds one [ErrReindexRuns], and store was not called.
func (r *Reindexer) Fill(ctx context.Context, progress func(Progress),
	store func(ctx context.Context, into *Build) error,
) error {
	release, err := r.begin(ctx)
	if err != nil {
		return err
	}
	defer release()
	state, err := r.d.State(ctx)
	if err != nil {
		return err
	}
	if state.Level {
		return ErrBuilt
	}
	r.Grace = 0 // nobody is served by an index that was never built
	if err := r.rebuild(ctx, progress, store); err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	return nil
}

// build writes what store stores.
func (c *copying) build(ctx context.Context, store func(context.Context, *Build) error) error {
	writers, writing := errgroup.WithContext(ctx)
	b := &Build{
		records: make(chan stored), failed: writing.Done(), cause: func() error { return context.Cause(writing) },
	}
	for range max(minCopyWorkers, runtime.GOMAXPROCS(0)) {
		writers.Go(func() error {
			for s := range b.records {
				if err := c.putStored(writing, s); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := store(ctx, b)
	close(b.records)
	return cmp.Or(writers.Wait(), err)
}

// add takes the new records of a transaction that was committed.
func (b *Build) add(ctx context.Context, made stored) error {
	if b == nil {
		return nil
	}
	for people, companies := made.people, made.companies; len(people)+len(companies) > 0; {
		n, m := min(len(people), copyBatch), min(len(companies), copyBatch)
		select {
		case b.records <- stored{people: people[:n], companies: companies[:m]}:
		case <-b.failed:
			return b.cause()
		case <-ctx.Done():
			return ctx.Err()
		}
		people, companies = people[n:], companies[m:]
	}
	return nil
}

// putStored writes records into the new version.
func (c *copying) putStored(ctx context.Context, s stored) error {
	if len(s.companies) > 0 {
		if err := c.put(ctx, Companies, makeDocuments(Companies, s.companies, companyDocument)); err != nil {
			return err
		}
	}
	if len(s.people) == 0 {
		return nil
	}
	return c.put(ctx, People, makeDocuments(People, s.people, personDocument))
}
