package load

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"kith"
)

const (
	// copyBatch is how many records are copied at once, and minCopyWorkers how
	// many batches at the same time at least: while the engine takes one, the next is made.
	copyBatch      = 1_000
	minCopyWorkers = 2
	// countBatch is how many records are brought to the new vocabulary at once: what is
	// frequent is then counted here, and written once.
	countBatch = 5_000
)

// copying is a copy of all records under way.
type copying struct {
	*Reindexer
	name string
	done chan<- int64
	// terms are not counted yet.
	mu    sync.Mutex
	terms []RecordTerms
}

// count counts the terms of records, once there are enough of them or, with all, at once.
func (c *copying) count(ctx context.Context, terms []RecordTerms, all bool) error {
	c.mu.Lock()
	c.terms = append(c.terms, terms...)
	var batch []RecordTerms
	if all || len(c.terms) >= countBatch {
		batch, c.terms = c.terms, nil
	}
	c.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	return c.d.source.CountTerms(ctx, batch)
}

// copyAll copies all records into the new version, and then what store stores.
func (r *Reindexer) copyAll(ctx context.Context, name string, report func(Progress),
	store func(context.Context, *Build) error,
) error {
	p, err := newProgress(ctx, r.d.source)
	if err != nil {
		return err
	}
	done := make(chan int64)
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		for n := range done {
			p.add(n, report)
		}
	}()
	defer func() { close(done); <-counted }()
	c := &copying{Reindexer: r, name: name, done: done}
	for _, kind := range []Kind{Companies, People} {
		if err := c.copyKind(ctx, kind); err != nil {
			return err
		}
	}
	if store != nil {
		if err := c.build(ctx, store); err != nil {
			return err
		}
	}
	if err := c.count(ctx, nil, true); err != nil {
		return err
	}
	return r.d.source.IndexTerms(ctx)
}

func (c *copying) copyKind(ctx context.Context, kind Kind) error {
	group, ctx := errgroup.WithContext(ctx)
	pages := make(chan []int64)
	group.Go(func() error {
		defer close(pages)
		for above := int64(0); ; {
			ids, err := c.d.source.IDs(ctx, kind, above, copyBatch)
			if err != nil || len(ids) == 0 {
				return err
			}
			select {
			case pages <- ids:
			case <-ctx.Done():
				return ctx.Err()
			}
			above = ids[len(ids)-1]
		}
	})
	for range max(minCopyWorkers, runtime.GOMAXPROCS(0)) {
		group.Go(func() error {
			for ids := range pages {
				if err := c.copyPage(ctx, kind, ids); err != nil {
					return err
				}
				c.done <- int64(len(ids))
			}
			return nil
		})
	}
	return group.Wait()
}

// copyPage copies some records.
func (c *copying) copyPage(ctx context.Context, kind Kind, ids []int64) error {
	b, err := readDocuments(ctx, c.d.source, kind, ids)
	if err != nil {
		return err
	}
	return c.put(ctx, kind, b)
}

// put writes documents into the new version and counts their terms. The engine may be away for a moment in the
// hours that this takes, so such failures are tried again. A full disk is not: it
// stays full while what was copied stays.
func (c *copying) put(ctx context.Context, kind Kind, b built) error {
	refused := b.refused
	for try := 1; ; try++ {
		more, err := c.d.write(ctx, kind, []string{c.name}, b.docs, nil)
		if err == nil {
			refused = append(refused, more...)
			break
		}
		if !passes(err) || errors.Is(err, kith.ErrNoRoom) || ctx.Err() != nil || try == copyTries {
			return err
		}
		if try == 1 {
			c.d.log.Warn().Err(err).Msg("the index cannot be written at the moment; the reindex tries on for some minutes")
		}
		sleep(ctx, min(time.Duration(try)*c.d.pace, longestPause))
	}
	for i := range b.terms {
		b.terms[i].Fresh = true
	}
	if err := c.count(ctx, b.terms, false); err != nil || len(refused) == 0 {
		return err
	}
	return c.d.source.Done(ctx, nil, refused, nil)
}

// copyTries is how often a page is tried while the engine is away: with the pauses,
// for over three minutes, in which a node is started anew.
const copyTries = 20
