package elasticindex

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"

	"kith/index"
	"kith/query/indexed"
)

// FailedItem is one document that Elasticsearch rejected.
type FailedItem struct {
	ID int64
	// Version is the index version that rejected it.
	Version string
	// Reason is Elasticsearch's explanation.
	Reason string
}

// WriteError lists the documents of a Write that were rejected for good. All others are stored.
type WriteError struct{ Items []FailedItem }

// Error names the first five documents.
func (e *WriteError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Elasticsearch refused %d documents", len(e.Items))
	for i, item := range e.Items {
		if i == 5 {
			b.WriteString("; …")
			break
		}
		fmt.Fprintf(&b, "; %d in %s: %s", item.ID, item.Version, item.Reason)
	}
	return b.String()
}

const (
	// chunkSize is the size of a full bulk request in bytes: large enough for little overhead, small enough that two
	// in flight do not burden a node.
	chunkSize = 4 << 20
	// inFlight is the number of concurrent bulk requests of one Write.
	inFlight = 2
	// maxInFlight limits the bytes of unanswered bulk requests of a driver, over all writers: a slow node slows them
	// down, and memory stays bounded.
	maxInFlight = 32 << 20
)

// Write implements [index.Writer]. A [*WriteError] lists rejected documents.
//
// The version of a document is Elasticsearch's external version, so Elasticsearch itself ignores outdated documents.
// Deletions run after the documents.
func (d *Driver) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	if len(versions) == 0 {
		return ctx.Err()
	}
	if err := d.writeDocuments(ctx, c, versions, docs); err != nil {
		return err
	}
	for _, v := range versions {
		if err := d.deleteFrom(ctx, c, v, deletes); err != nil {
			return err
		}
	}
	return nil
}

func (d *Driver) writeDocuments(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat) error {
	w, ctx := d.newBulk(ctx, c)
	var source []byte
	for _, doc := range docs {
		source = d.fields.appendDocument(source[:0], doc)
		for _, v := range versions {
			w.add(ctx, d.writeAlias(c, v), item{id: doc.ID, version: v, at: doc.Version}, source)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return w.finish(ctx)
}

// bulk gathers actions into chunks and sends them.
type bulk struct {
	driver *Driver
	c      index.Collection
	group  *errgroup.Group
	chunk  *chunk
	failed collector
}

// newBulk returns a bulk, and the context for its methods: the bulk's first failure ends it.
func (d *Driver) newBulk(ctx context.Context, c index.Collection) (*bulk, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(inFlight)
	return &bulk{driver: d, c: c, group: group, chunk: d.newChunk()}, ctx
}

// add adds an action as [chunk.write] does, to the next chunk if the source does not fit.
func (w *bulk) add(ctx context.Context, target string, it item, source []byte) {
	if len(w.chunk.items) > 0 && len(w.chunk.body)+len(source) > chunkSize {
		w.send(ctx)
	}
	w.chunk.write(target, it, source)
}

func (w *bulk) send(ctx context.Context) {
	full := w.chunk
	w.chunk = w.driver.newChunk()
	w.group.Go(func() error {
		defer w.driver.release(full)
		size := int64(min(len(full.body), maxInFlight))
		if err := w.driver.inFlight.Acquire(ctx, size); err != nil {
			return err
		}
		defer w.driver.inFlight.Release(size)
		return w.sendChunk(ctx, full)
	})
}

func (w *bulk) finish(ctx context.Context) error {
	if len(w.chunk.items) > 0 && ctx.Err() == nil {
		w.send(ctx)
	} else {
		w.driver.release(w.chunk)
	}
	stopped := ctx.Err() // before Wait, which ends the context
	if err := w.group.Wait(); err != nil {
		return err
	}
	if stopped != nil {
		return stopped
	}
	return w.failed.err()
}
