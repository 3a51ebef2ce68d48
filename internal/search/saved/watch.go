package saved

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"kith"
)

// Watched is a saved search that may have new matches to report to webhooks.
type Watched struct {
	ID      int64
	Actor   kith.Actor
	Request json.RawMessage
	// Announced are the people already reported to webhooks.
	Announced []int64
	// Version is the version of the records that searches see.
	Version int64
}

// Due finds searches to evaluate for webhooks.
type Due interface {
	// NextDue returns the search with the oldest evaluation, among those last evaluated before fresh whose records have
	// changed since, and those last evaluated before stale. ok is false if there is none. It skips searches of apps
	// without webhooks and of disabled users.
	NextDue(ctx context.Context, fresh, stale time.Time) (w Watched, ok bool, err error)
	// Evaluated records the evaluation of a search: the people now reported to webhooks, and how many of them are new.
	// If news is positive, it reports them. With a failure, these people and their number stay as they were.
	Evaluated(ctx context.Context, w Watched, at time.Time, announced []int64, news int, failure string) error
}

const (
	// watchEvery is how often searches are evaluated for webhooks if records have changed, and watchAnyway if none
	// have: passing time or sharing alone can produce a match.
	watchEvery  = time.Hour
	watchAnyway = 24 * time.Hour
	// watchTurn is how long a pass may start further searches, and watchTime the time limit of one search: a job has 30
	// seconds in all.
	watchTurn = 12 * time.Second
	watchTime = 12 * time.Second
)

// Watch evaluates due searches one by one, and stops after watchTurn: the next pass continues. Webhooks get each new
// match once.
func (s *Searches) Watch(ctx context.Context, log zerolog.Logger) error {
	began := s.cfg.Now()
	for s.cfg.Now().Sub(began) < watchTurn {
		now := s.cfg.Now()
		w, ok, err := s.cfg.Store.NextDue(ctx, now.Add(-watchEvery), now.Add(-watchAnyway))
		if err != nil || !ok {
			return err
		}
		if err := s.evaluate(ctx, w, now, log); err != nil {
			return err
		}
		log.Debug().Int64("search", w.ID).Dur("took", s.cfg.Now().Sub(now)).Msg("a saved search was evaluated")
	}
	return nil
}

// evaluate finds new matches of a search. A search that fails, or has become too wide, does not hold up the others.
func (s *Searches) evaluate(ctx context.Context, w Watched, now time.Time, log zerolog.Logger) error {
	var unseen []int64
	req, err := s.cfg.Read(w.Request)
	if err == nil {
		inTime, cancel := context.WithTimeout(ctx, watchTime)
		unseen, err = s.matches(inTime, w.Actor.Viewer(), req)
		cancel()
	}
	if err == nil {
		unseen, err = s.cfg.Store.Unseen(ctx, w.ID, unseen)
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case kith.KindOf(err) == kith.Unavailable:
		return err
	case err != nil:
		log.Warn().Err(err).Int64("search", w.ID).Msg("a saved search cannot be evaluated")
		return s.cfg.Store.Evaluated(ctx, w, now, nil, 0, failureText(err))
	}
	announced := make(map[int64]bool, len(w.Announced))
	for _, id := range w.Announced {
		announced[id] = true
	}
	news := 0
	for _, id := range unseen {
		if !announced[id] {
			news++
		}
	}
	return s.cfg.Store.Evaluated(ctx, w, now, unseen, news, "")
}

// failureText is the text of an error for the user.
func failureText(err error) string {
	e, ok := errors.AsType[*kith.Error](err)
	switch {
	case !ok:
		return "it failed within kith; the operator finds more in the log"
	case len(e.Fields) > 0:
		return e.Fields[0].Field + " " + e.Fields[0].Message
	}
	return e.Detail
}
