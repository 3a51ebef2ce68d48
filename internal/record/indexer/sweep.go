package indexer

import (
	"context"
	"time"

	"kith/internal/record"
)

const (
	// sweepPause is the pause between sweeps. sweepBack is how far each looks back: longer than an engine may take
	// for an abandoned request.
	sweepPause = 10 * time.Minute
	sweepBack  = time.Hour
)

// Sweep repeats in the index the deletions of the last hour. A write whose sender gave up or died may reach the
// engine after the person was deleted there. The engine ignores an old document if it has a newer one, but not if it
// has none. Run calls Sweep regularly.
func (d *Drainer) Sweep(ctx context.Context) error {
	now, err := d.source.Now(ctx)
	if err != nil {
		return err
	}
	for _, kind := range []record.Kind{record.Companies, record.People} {
		for above, more := int64(0), true; more; {
			if above, more, err = d.sweepPage(ctx, kind, now.Add(-sweepBack), above); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweepPage holds the lock for one page only, so that changes are not delayed.
func (d *Drainer) sweepPage(ctx context.Context, kind record.Kind, since time.Time,
	above int64,
) (last int64, more bool, err error) {
	release, err := d.source.Lock(ctx, lockDrain)
	if err != nil {
		return 0, false, err
	}
	defer release()
	into, err := d.destination(ctx)
	if err != nil {
		return 0, false, err
	}
	return d.deleteAgain(ctx, kind, into, since, above)
}

// deleteAgain deletes from a destination one page of records, above an id, that were deleted since a time. The caller
// holds the drain lock, so records that were stored again are not among them.
func (d *Drainer) deleteAgain(ctx context.Context, kind record.Kind, into destination, since time.Time,
	above int64,
) (last int64, more bool, err error) {
	ids, err := d.source.Deleted(ctx, kind, since, above, copyBatch)
	if err != nil || len(ids) == 0 {
		return above, false, err
	}
	if err := into.marks.next(ctx); err != nil {
		return above, false, err
	}
	err = d.engine.Write(ctx, collectionOf(kind), into.names, nil, ids)
	return ids[len(ids)-1], true, err
}
