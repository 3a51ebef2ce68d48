package indexer

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"kith/internal/record"
)

const (
	// copyBatch is the number of records in a batch, minCopyWorkers the fewest workers: while the engine takes one
	// batch, the next is built.
	copyBatch      = 1_000
	minCopyWorkers = 2
	// countBatch is the number of records counted into the new vocabulary at once: frequent terms are summed here and
	// written once.
	countBatch = 5_000
)

// copying is a running copy of all records.
type copying struct {
	*Reindexer
	name     string
	progress *reporter
	// terms are not counted yet.
	mu    sync.Mutex
	terms []RecordTerms
}

// count adds terms, and counts them once there are enough or if all is set.
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

// copyAll copies all records to the new version, then those that store stores.
func (r *Reindexer) copyAll(ctx context.Context, name string, progress *reporter,
	store func(context.Context, *Build) error,
) error {
	p, err := newProgress(ctx, r.d.source)
	if err != nil {
		return err
	}
	progress.update(func(at *Progress) { at.Total = p.Total })
	c := &copying{Reindexer: r, name: name, progress: progress}
	for _, kind := range []record.Kind{record.Companies, record.People} {
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

func (c *copying) copyKind(ctx context.Context, kind record.Kind) error {
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
				b, err := readDocuments(ctx, c.d.source, kind, ids)
				if err == nil {
					err = c.put(ctx, kind, b)
				}
				if err != nil {
					return err
				}
				c.progress.add(len(ids))
			}
			return nil
		})
	}
	return group.Wait()
}

// put writes documents to the new version and counts their terms.
func (c *copying) put(ctx context.Context, kind record.Kind, b built) error {
	refused := b.refused
	err := c.d.retry(ctx, func() error {
		more, err := c.d.write(ctx, kind, []string{c.name}, b.docs, nil)
		refused = append(refused, more...)
		return err
	})
	if err != nil {
		return err
	}
	for i := range b.terms {
		b.terms[i].Fresh = true
	}
	if err := c.count(ctx, b.terms, false); err != nil || len(refused) == 0 {
		return err
	}
	return c.d.source.Done(ctx, nil, refused, nil)
}
