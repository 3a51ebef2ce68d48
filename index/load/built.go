package load

import (
	"context"
	"errors"
	"fmt"

	"kith"
)

// ensureBuilt builds the index where the active version is not the one that
// was last level: the queue alone cannot say what was stored before. Nor can it
// where another engine had its entries, or where the records, or the engine, were
// put back to an earlier day.
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
		right, err = d.follows(ctx, active)
		if err == nil && !right {
			d.log.Warn().Str("version", active.Name).Msg("the index was written from other records than these: Postgres was " +
				"put back to an earlier day, or the search engine was; the index is built anew")
		}
	}
	if err != nil || right {
		return err
	}
	r := NewReindexer(d)
	// No one can have been served rightly by a version that was never level.
	r.Grace = 0
	if err := r.Reindex(ctx, d.OnBuild); !errors.Is(err, ErrReindexRuns) {
		return err
	}
	return nil
}

// State is how the active version of an index stands to the records.
type State struct {
	// Level is true where the version was ever brought level with the records.
	// Until then searches find but a part of them. A version that is level and whose
	// documents were made in an older way counts: it serves until the one that
	// replaces it is built.
	Level bool
	// Follows is true where the version was written from these records. It was not
	// where the database, or the engine, was put back to an earlier day: then
	// searches may find what is not stored any more, or not yet, and the engine
	// takes changes for old that are not. Run and Drain build it anew.
	Follows bool
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
	s.Level, _ = d.engine.compare(active, built)
	s.Follows, err = d.follows(ctx, active)
	return s, err
}

// ours reports whether the queue is for this engine: an entry is taken off it
// but once, so it cannot bring two of them level.
func (d *Drainer) ours(ctx context.Context) (bool, error) {
	claimed, err := d.source.Claimed(ctx)
	return claimed == "" || claimed == d.engine.claimName(), err
}

// checkOurs is asked under the drain lock.
func (d *Drainer) checkOurs(ctx context.Context) error {
	ours, err := d.ours(ctx)
	if err != nil || ours {
		return err
	}
	return kith.Away("index", fmt.Errorf("the changes are for another engine than %s, or another version of kith, "+
		"which builds its index from these records", d.engine.name()))
}
