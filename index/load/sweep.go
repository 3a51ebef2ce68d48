package load

import (
	"context"
	"time"
)

const (
	// sweepPause is between sweeps, and sweepBack how far each looks back: longer
	// than an engine may take for a request that nobody waits for any more.
	sweepPause = 10 * time.Minute
	sweepBack  = time.Hour
)

// Sweep deletes again from the index who was deleted in the last hour. A request
// that its sender gave up, or died over, may reach the engine after the person
// was deleted there. The engine ignores an old document where it has a newer
// one, but cannot where it has none. Run does this by itself.
func (d *Drainer) Sweep(ctx context.Context) error {
	now, err := d.source.Now(ctx)
	if err != nil {
		return err
	}
	for _, kind := range []Kind{Companies, People} {
		for above, more := int64(0), true; more; {
			if above, more, err = d.sweepPage(ctx, kind, now.Add(-sweepBack), above); err != nil {
				return err
			}
		}
	}
	return nil
}

// sweepPage has the lock for one page, so that changes are not held up.
func (d *Drainer) sweepPage(ctx context.Context, kind Kind, since time.Time,
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

// deleteAgain deletes from a destination those of a page of records above an id that
// were deleted since a time. The caller holds the drain lock, so that nobody who
// is stored again is among them.
func (d *Drainer) deleteAgain(ctx context.Context, kind Kind, into destination, since time.Time,
	above int64,
) (last int64, more bool, err error) {
	ids, err := d.source.Deleted(ctx, kind, since, above, copyBatch)
	if err != nil || len(ids) == 0 {
		return above, false, err
	}
	if err := into.marks.next(ctx); err != nil {
		return above, false, err
	}
	err = d.engine.Write(ctx, kind.collection(), into.names, nil, ids)
	return ids[len(ids)-1], true, err
}
