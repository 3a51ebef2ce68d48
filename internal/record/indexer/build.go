package indexer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sync/errgroup"

	"kith/internal/record"
)

// ErrBuilt means that the index exists already; changes reach it through the queue.
var ErrBuilt = errors.New("the index is built already: it follows the records by the queue")

// Build is an unfinished index version that takes records as they are stored. A nil Build takes none.
type Build struct {
	records chan Stored
	// failed is closed if a record could not be written; cause returns the error.
	failed <-chan struct{}
	cause  func() error
}

// Stored are records of both kinds.
type Stored struct {
	People    []record.Person
	Companies []record.Company
}

// Fill builds an index for the first time, while store stores records. Records that [Build.Add] takes go to the
// index at once: they are neither queued nor read again. Fill copies older records first, so another Fill can redo an
// interrupted one. If store fails, nothing is built; the next Fill or [Drainer.Drain] builds everything stored. Fill
// returns ErrBuilt if there is an index already, and [ErrReindexRuns] if somebody else is building one; store is then
// not called.
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
	if state.Complete {
		return ErrBuilt
	}
	r.Grace = 0 // an index that was never built serves nobody
	if err := r.rebuild(ctx, progress, store); err != nil {
		return fmt.Errorf("build the index: %w", err)
	}
	return nil
}

// build runs store and writes the records that it adds.
func (c *copying) build(ctx context.Context, store func(context.Context, *Build) error) error {
	writers, writing := errgroup.WithContext(ctx)
	b := &Build{
		records: make(chan Stored), failed: writing.Done(), cause: func() error { return context.Cause(writing) },
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

// Add takes the new records of a committed transaction.
func (b *Build) Add(ctx context.Context, made Stored) error {
	if b == nil {
		return nil
	}
	for people, companies := made.People, made.Companies; len(people)+len(companies) > 0; {
		n, m := min(len(people), copyBatch), min(len(companies), copyBatch)
		select {
		case b.records <- Stored{People: people[:n], Companies: companies[:m]}:
		case <-b.failed:
			return b.cause()
		case <-ctx.Done():
			return ctx.Err()
		}
		people, companies = people[n:], companies[m:]
	}
	return nil
}

// putStored writes records to the new version.
func (c *copying) putStored(ctx context.Context, s Stored) error {
	if err := c.put(ctx, record.Companies, makeDocuments(s.Companies, companyDocument)); err != nil {
		return err
	}
	return c.put(ctx, record.People, makeDocuments(s.People, personDocument))
}
