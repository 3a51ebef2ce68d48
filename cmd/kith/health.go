package main

import (
	"context"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/index/elasticindex"
)

// dependencies are the services that the server needs.
func (s *system) dependencies() []kithhttp.Dependency {
	first := s.opened[0]
	all := []kithhttp.Dependency{{Name: "postgres", Check: first.db.Ping}}
	if s.flags.ElasticsearchURL != "" {
		engine := kithhttp.Dependency{Name: first.engine.Engine(), Check: first.engine.Check}
		if big, ok := first.engine.(*elasticindex.Driver); ok {
			engine.Slow = big.Slow
		}
		all = append(all, engine)
	}
	for _, d := range s.opened {
		all = append(all, kithhttp.Dependency{Name: d.name + " index", Check: d.checkIndex})
	}
	return all
}

// queues report the changes that the indices still lack.
func (s *system) queues() []kithhttp.Queue {
	all := make([]kithhttp.Queue, len(s.opened))
	for i, d := range s.opened {
		all[i] = kithhttp.Queue{Dataset: d.name, Look: func(ctx context.Context) (kithhttp.QueueState, error) {
			w, err := d.db.Waiting(ctx)
			if err != nil {
				return kithhttp.QueueState{}, err
			}
			failing, err := d.db.Outreach().FailingWebhooks(ctx)
			if err != nil {
				return kithhttp.QueueState{}, err
			}
			searches, err := d.db.Saved().Failing(ctx)
			if err != nil {
				return kithhttp.QueueState{}, err
			}
			seen, err := d.db.Operation().Watch(ctx)
			return kithhttp.QueueState{
				Entries: w.Entries, Refused: w.Refused, Age: w.Age, FailingWebhooks: failing, FailingSearches: searches,
				AuditEntries: seen.AuditEntries, Servers: seen.Servers, BackupAge: seen.BackupAge,
				KeyAge: time.Since(d.keys.Ring().Keys[0].Made),
			}, err
		}}
	}
	return all
}

// checkIndex returns an error if the index lacks records that it never had, or was built from others. If this cannot be
// determined, the database or the engine is unavailable, and their own checks report that.
func (d *dataset) checkIndex(ctx context.Context) error {
	state, err := d.drainer.State(ctx)
	switch {
	case err != nil:
		return nil
	case !state.Complete:
		return kith.Errorf(kith.Unavailable, "INDEX_INCOMPLETE",
			"the index is being built from the records; until then searches find only some of them")
	case !state.Current:
		return kith.Errorf(kith.Unavailable, "INDEX_OUTDATED",
			"the records or the index were restored to an earlier state; until the index is rebuilt, searches use the "+
				"old one")
	}
	return nil
}
