package search

import (
	"context"
	"sync"

	"kith"
	"kith/index"
	"kith/query"
)

// facetSize is the number of values returned for a facet.
const facetSize = 10

// background runs work concurrently with the search for people: the rank epoch for cursors, counts, facets, and the
// description of the search. It does not delay the results.
type background struct {
	wg sync.WaitGroup
	// epoch waits for the walk's rank epoch.
	epoch  func() (int64, error)
	counts *pending[Counts]
	facets *pending[index.FacetValues]
	// circle saves the people within reach for the later pages of the walk.
	circle *pending[struct{}]
}

// pending is the result of a task that may still be running.
type pending[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// begin runs f in a goroutine of the background. It turns a panic of f into an error.
func begin[T any](ctx context.Context, b *background, f func(context.Context) (T, error)) *pending[T] {
	p := &pending[T]{done: make(chan struct{})}
	b.wg.Go(func() {
		defer close(p.done)
		p.err = kith.Safely(func() (err error) {
			p.value, err = f(ctx)
			return err
		})
	})
	return p
}

// isDone reports, without waiting, whether the result is available.
func (p *pending[T]) isDone() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (r *execution) startBackground(ctx context.Context) *background {
	b := &background{}
	b.epoch = func() (int64, error) { return r.at.Epoch, nil }
	if !r.resume && r.list == nil {
		b.epoch = r.svc.ranking.at(r.svc.cfg.Now(), func() func() (int64, error) {
			p := begin(ctx, b, r.svc.cfg.Settings.RankEpoch)
			return func() (int64, error) { <-p.done; return p.value, p.err }
		})
	}
	if r.includeCounts != "" && r.counted == nil {
		b.counts = begin(ctx, b, r.counts)
	}
	if r.circle != nil && !r.resume {
		// Clients that disconnect may come back with a cursor.
		b.circle = begin(context.WithoutCancel(ctx), b, r.keepCircle)
	}
	if len(r.facets) > 0 {
		b.facets = begin(ctx, b, r.countFacets)
	}
	if r.whole {
		b.wg.Go(r.describeAhead)
	}
	return b
}

// describeAhead computes the description of the search and its sealer in advance. If that panics, the request's
// goroutine panics too when it asks for them.
func (r *execution) describeAhead() {
	_ = kith.Safely(func() error {
		r.description()
		_, err := r.sealer()
		return err
	})
}

// ready yields the counts if they are available.
func (b *background) ready(r *execution) {
	if b.counts != nil && b.counts.isDone() && b.counts.err == nil {
		b.yieldCounts(r)
	}
}

func (b *background) yieldCounts(r *execution) {
	counts := b.counts
	b.counts = nil
	event, err := r.sealCounts(counts.value)
	if err != nil {
		counts.err, b.counts = err, counts
		return
	}
	r.meta.Counts, r.meta.CountsToken = &event.Counts, event.Token
	r.emit(event)
}

// finish waits for the pending results.
func (b *background) finish(r *execution) error {
	if r.gone {
		return nil
	}
	if b.circle != nil {
		<-b.circle.done
		if b.circle.err != nil {
			return b.circle.err
		}
	}
	if b.counts != nil {
		<-b.counts.done
		if b.counts.err != nil {
			return b.counts.err
		}
		b.yieldCounts(r)
	}
	if b.facets != nil {
		<-b.facets.done
		if b.facets.err != nil {
			return b.facets.err
		}
		r.meta.Facets = b.facets.value
	}
	return nil
}

func (r *execution) countFacets(ctx context.Context) (index.FacetValues, error) {
	q := index.Prepare(r.asked.query)
	switch {
	case r.list != nil:
		ids, err := r.whenGathered(ctx)
		if err != nil {
			return nil, err
		}
		q = index.Prepare(query.IDs{Values: ids})
	case r.isNarrowed() && r.circle == nil:
		q = query.None{}
	case r.isNarrowed():
		q = index.Within(q, r.circle.Sample(mostIDs))
	}
	return r.svc.cfg.Index.Facets(ctx, q, r.facets, facetSize)
}

// whenGathered waits until the people of the list are known and returns their ids.
func (r *execution) whenGathered(ctx context.Context) ([]int64, error) {
	select {
	case ids := <-r.gathered:
		r.gathered <- ids // for other waiters
		return ids, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
