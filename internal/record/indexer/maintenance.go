package indexer

import (
	"context"
	"errors"
	"sync"
	"time"

	"kith"
	"kith/index"
	"kith/internal/record"
)

// Maintenance inspects, rebuilds and cleans up an index in a long-running process. It is safe for concurrent use.
type Maintenance struct {
	drainer *Drainer
	wanted  chan struct{}

	mu      sync.Mutex
	rebuild Rebuild
}

// Rebuild is the last requested rebuild of a process.
type Rebuild struct {
	// Began is zero if there was none, Ended while it is running.
	Began, Ended time.Time
	Progress     Progress
	// Err is the reason for a failure.
	Err error
}

// Overview is the state of an index for the operator.
type Overview struct {
	Engine string
	State
	// Waiting is the number of queued changes.
	Waiting  int64
	Versions []index.Version
	// Stored is the approximate number of records, Indexed the number that searches can find.
	Stored, Indexed map[record.Kind]int64
	Rebuild         Rebuild
}

// NewMaintenance returns the maintenance of the drainer's index.
func NewMaintenance(d *Drainer) *Maintenance {
	return &Maintenance{drainer: d, wanted: make(chan struct{}, 1)}
}

// Look returns the state of the index.
func (m *Maintenance) Look(ctx context.Context) (Overview, error) {
	out := Overview{Engine: m.drainer.engine.name(), Stored: map[record.Kind]int64{}, Indexed: map[record.Kind]int64{}}
	m.mu.Lock()
	out.Rebuild = m.rebuild // first: a rebuild that ended is in all that is read later
	m.mu.Unlock()
	var err error
	if out.State, err = m.drainer.State(ctx); err != nil {
		return out, err
	}
	if out.Waiting, err = m.drainer.Backlog(ctx); err != nil {
		return out, err
	}
	if out.Versions, err = m.drainer.engine.Versions(ctx); err != nil {
		return out, err
	}
	for _, kind := range []record.Kind{record.People, record.Companies} {
		if out.Stored[kind], err = m.drainer.source.Count(ctx, kind); err != nil {
			return out, err
		}
		if out.Indexed[kind], err = m.indexed(ctx, kind, out.Versions); err != nil {
			return out, err
		}
	}
	return out, nil
}

// indexed counts the documents of the active version; 0 without one.
func (m *Maintenance) indexed(ctx context.Context, kind record.Kind, versions []index.Version) (int64, error) {
	counter, ok := m.drainer.engine.Writer.(index.Counter)
	if !ok {
		return 0, nil
	}
	for _, v := range versions {
		if v.Active {
			return counter.Documents(ctx, collectionOf(kind), v.Name)
		}
	}
	return 0, nil
}

// Rebuild makes [Maintenance.Run] rebuild the index from all records. The error is of kind Conflict while any process
// is already rebuilding it.
func (m *Maintenance) Rebuild(ctx context.Context) error {
	release, ok, err := m.drainer.source.TryLock(ctx, lockReindex)
	if err != nil {
		return err
	}
	if ok {
		release()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if !ok || !m.rebuild.Began.IsZero() && m.rebuild.Ended.IsZero() {
		return errRebuilds()
	}
	m.rebuild = Rebuild{Began: time.Now().UTC()}
	m.wanted <- struct{}{} // has room: it is empty unless a rebuild is running
	return nil
}

func errRebuilds() error {
	return kith.Errorf(kith.Conflict, "INDEX_REBUILDS", "the index is already being rebuilt: wait until that ends")
}

// Prune drops inactive versions and returns their number. The error is of kind Conflict while the index is being
// rebuilt.
func (m *Maintenance) Prune(ctx context.Context) (dropped int, err error) {
	release, err := m.drainer.source.Lock(ctx, lockDrain)
	if err != nil {
		return 0, err
	}
	defer release()
	releaseReindex, ok, err := m.drainer.source.TryLock(ctx, lockReindex)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, errRebuilds()
	}
	defer releaseReindex()
	return m.drainer.dropInactive(ctx)
}

// Run carries out the rebuilds requested by [Maintenance.Rebuild], until ctx ends, and returns ctx's error.
func (m *Maintenance) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.wanted:
		}
		err := NewReindexer(m.drainer).Reindex(ctx, m.follow)
		if errors.Is(err, ErrReindexRuns) {
			err = errRebuilds()
		}
		if err != nil && ctx.Err() == nil {
			m.drainer.log.Error().Err(err).Msg("the index could not be rebuilt; it stays as it was")
		}
		m.mu.Lock()
		m.rebuild.Ended, m.rebuild.Err = time.Now().UTC(), err
		m.mu.Unlock()
	}
}

func (m *Maintenance) follow(p Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rebuild.Progress = p
}
