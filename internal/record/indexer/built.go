package indexer

import (
	"context"
	"errors"
	"fmt"

	"kith"
)

// ensureBuilt rebuilds the index if the active version is not the one last in sync: the queue does not contain older
// records. The same applies if the queue served another engine, or if the records or the engine were restored from a
// backup.
func (d *Drainer) ensureBuilt(ctx context.Context) error {
	active, err := d.engine.active(ctx)
	if err != nil {
		return err
	}
	built, err := d.source.Built(ctx)
	if err != nil {
		return err
	}
	version, format := d.engine.compare(active, built)
	right := version && format
	if right {
		right, err = d.ours(ctx)
	}
	if right && err == nil {
		right, err = d.isCurrent(ctx, active)
		if err == nil && !right {
			d.log.Warn().Str("version", active.Name).Msg("the index does not match the records: Postgres or the " +
				"search engine was restored to an earlier state; the index is rebuilt")
		}
	}
	if err != nil || right {
		return err
	}
	r := NewReindexer(d)
	// A version that was never in sync serves nobody correctly, so there is nothing to wait for.
	r.Grace = 0
	if err := r.Reindex(ctx, d.OnBuild); !errors.Is(err, ErrReindexRuns) {
		return err
	}
	return nil
}

// State describes how the active version of an index relates to the records.
type State struct {
	// Complete is true if the version was ever in sync with the records. Until then searches find only part of them. A
	// version with an older document format also counts: it serves until its replacement is built.
	Complete bool
	// Current is true if the version was written from these records. It is false if the database or the engine was
	// restored from a backup: searches may then find deleted records or miss new ones, and the engine may ignore
	// changes as outdated. Run and Drain rebuild the index.
	Current bool
}

// State returns the state of the index.
func (d *Drainer) State(ctx context.Context) (s State, err error) {
	active, err := d.engine.active(ctx)
	if err != nil {
		return s, err
	}
	built, err := d.source.Built(ctx)
	if err != nil {
		return s, err
	}
	s.Complete, _ = d.engine.compare(active, built)
	s.Current, err = d.isCurrent(ctx, active)
	return s, err
}

// ours reports whether the queue serves this engine. Entries are removed once, so a queue cannot keep two engines in
// sync.
func (d *Drainer) ours(ctx context.Context) (bool, error) {
	claimed, err := d.source.Claimed(ctx)
	return claimed == "" || claimed == d.engine.claimName(), err
}

// checkOurs returns an error if the queue serves another engine. The caller holds the drain lock.
func (d *Drainer) checkOurs(ctx context.Context) error {
	ours, err := d.ours(ctx)
	if err != nil || ours {
		return err
	}
	return kith.Unreachable("index", fmt.Errorf("the changes are for another engine than %s, or another version of "+
		"kith, "+"which builds its index from these records", d.engine.name()))
}
