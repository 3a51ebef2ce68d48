package search

import (
	"context"
	"sync"

	"kith"
	"kith/index"
	"kith/query"
)

// facetSize is how many values of a facet are shown.
const facetSize = 10

// background is the work beside finding people: the rank epoch that cursors need,
// counts and facets, and what a page says of the search. It runs at the same time
// and holds nothing up.
type background struct {
	wg sync.WaitGroup
	// epoch waits for the rank epoch of the walk.
	epoch  func() (int64, error)
	counts *pending[Counts]
	facets *pending[map[index.Facet][]index.FacetValue]
	// circle is the people within reach, being kept for the rest of the walk.
	circle *pending[struct{}]
}

// pending is an answer that is on its way.
type pending[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// begin starts f in a goroutine of the background. A panic of f is an error.
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

// isDone reports whether the answer is there, without waiting.
func (p *pending[T]) isDone() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (r *run) startBackground() *background {
	b := &background{}
	b.epoch = func() (int64, error) { return r.at.Epoch, nil }
	if !r.resume && r.list == nil {
		b.epoch = r.svc.ranking.at(r.svc.cfg.Now(), func() func() (int64, error) {
			p := begin(r.ctx, b, r.svc.cfg.Settings.RankEpoch)
			return func() (int64, error) { <-p.done; return p.value, p.err }
		})
	}
	if r.includeCounts != "" && r.counted == nil {
		b.counts = begin(r.ctx, b, r.counts)
	}
	if r.circle != nil && !r.resume {
		// Whoever goes away may come back with a cursor.
		b.circle = begin(context.WithoutCancel(r.ctx), b, r.keepCircle)
	}
	if len(r.facets) > 0 {
		b.facets = begin(r.ctx, b, r.countFacets)
	}
	if r.whole {
		b.wg.Go(r.prepare)
	}
	return b
}

// prepare works out what a page says of the search, and what its cursor is made
// of. Where that panics, so does whoever asks for it, in the goroutine of the
// request.
func (r *run) prepare() {
	_ = kith.Safely(func() error {
		r.description()
		_, err := r.sealer()
		return err
	})
}

// ready yields the counts if they are there.
func (b *background) ready(r *run) {
	if b.counts != nil && b.counts.isDone() && b.counts.err == nil {
		b.yieldCounts(r)
	}
}

func (b *background) yieldCounts(r *run) {
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

// finish waits for what is still on its way.
func (b *background) finish(r *run) error {
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

func (r *run) countFacets(ctx context.Context) (map[index.Facet][]index.FacetValue, error) {
	q := index.Prepare(r.asked.query)
	switch {
	case r.list != nil:
		ids, err := r.whenGathered(ctx)
		if err != nil {
			return nil, err
		}
		q = index.Prepare(query.IDs{Values: ids})
	case r.narrowed() && r.circle == nil:
		q = query.None{}
	case r.narrowed():
		q = index.Within(q, r.circle.Sample(mostIDs))
	}
	return r.svc.cfg.Index.Facets(ctx, q, r.facets, facetSize)
}

// whenGathered waits for the people of the list and returns their ids.
func (r *run) whenGathered(ctx context.Context) ([]int64, error) {
	select {
	case ids := <-r.gathered:
		r.gathered <- ids // for whoever else waits
		return ids, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
