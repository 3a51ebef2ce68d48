package saved

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/rs/zerolog"

	"kith"
)

// Watched is a saved search whose app is to be told of new matches.
type Watched struct {
	ID      int64
	Actor   kith.Actor
	Request json.RawMessage
	// Told are the people of whom webhooks have been told.
	Told []int64
	// Version is that of the records which searches see.
	Version int64
}

// Due gives searches that webhooks may be told of.
type Due interface {
	// NextDue returns the search that was evaluated longest ago, of those that were last
	// evaluated before fresh and have since seen other records, or before stale. ok is
	// false where there is none. Searches of apps without webhooks never come, nor do
	// those of users who are disabled.
	NextDue(ctx context.Context, fresh, stale time.Time) (w Watched, ok bool, err error)
	// Evaluated notes that a search was evaluated at a time: of whom webhooks have been
	// told then, and how many people are news, of which they are told now. failure is why
	// it could not be evaluated; then told and news stay.
	Evaluated(ctx context.Context, w Watched, at time.Time, told []int64, news int, failure string) error
}

const (
	// watchEvery is how often searches are evaluated for webhooks where records have
	// changed, and watchAnyway where none have: time alone, or sharing, can make somebody
	// match.
	watchEvery  = time.Hour
	watchAnyway = 24 * time.Hour
	// watchTurn bounds how long a pass goes on to further searches, and watchTime one
	// search: a job has half a minute in all.
	watchTurn = 12 * time.Second
	watchTime = 12 * time.Second
)

// Watch evaluates the searches that are due, one after the other, and stops after a turn:
// the rest are due at the next. Webhooks are told of each new match once.
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

// evaluate looks for new matches of a search. A search that cannot be done, or is too
// wide by now, does not hold up the others.
func (s *Searches) evaluate(ctx context.Context, w Watched, now time.Time, log zerolog.Logger) error {
	var unseen []int64
	req, err := s.cfg.Read(w.Request)
	if err == nil {
		inTime, cancel := context.WithTimeout(kith.WithActor(ctx, w.Actor), watchTime)
		unseen, err = s.matches(inTime, req)
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
		return s.cfg.Store.Evaluated(ctx, w, now, nil, 0, failureOf(err))
	}
	told := make(map[int64]bool, len(w.Told))
	for _, id := range w.Told {
		told[id] = true
	}
	news := 0
	for _, id := range unseen {
		if !told[id] {
			news++
		}
	}
	return s.cfg.Store.Evaluated(ctx, w, now, unseen, news, "")
}

// failureOf is what its user is told of an error.
func failureOf(err error) string {
	e, ok := errors.AsType[*kith.Error](err)
	switch {
	case !ok:
		return "it failed within kith; the operator finds more in the log"
	case len(e.Fields) > 0:
		return e.Fields[0].Field + " " + e.Fields[0].Message
	}
	return e.Detail
}
