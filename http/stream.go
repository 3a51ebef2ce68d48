package http

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"kith"
	"kith/client"
	"kith/internal/search"
	"kith/stream"
)

// streamResults answers with the events of a search. A search that fails before the engine's first event
// is refused like any other request. Later failures become events, because the status has been sent.
func (s searching) streamResults(ctx context.Context, w http.ResponseWriter, r *http.Request, results *search.Results,
	stop context.CancelFunc,
) error {
	s.metrics.streams.Inc()
	defer s.metrics.streams.Dec()
	run := &streaming{
		server: s, request: r, turn: callerFrom(ctx).turn, results: results,
		aborted: func() error { return context.Cause(ctx) },
	}
	events := func(yield func(stream.Event) bool) { run.events(ctx, yield) }
	err := stream.Serve(w, r, events, stop, stream.Options{
		WriteTimeout: s.cfg.StreamWriteTimeout, Slow: func() { run.turn.pause(); results.DropBuffered() },
	})
	if run.refused != nil {
		return run.refused
	}
	if err != nil {
		s.metrics.cut.Inc()
		s.log.Debug().Str("request_id", requestID(r.Context())).Err(err).Msg("stream cut")
	}
	return nil
}

// streaming is one search in transmission to a client.
type streaming struct {
	server searching
	// aborted says why the search was aborted, if it was.
	aborted func() error
	request *http.Request
	turn    *turn
	results *search.Results
	// held are events that wait for the engine's first event.
	held []search.Event
	// begun is true once something was sent to the client.
	begun bool
	// refused is the reason why nothing was sent.
	refused error
}

// events yields the events of a search for the client. Once begun, it always ends with done, even if the search panics.
func (st *streaming) events(ctx context.Context, yield func(stream.Event) bool) {
	defer func() {
		st.turn.pause() // the client may still be reading
		if p := recover(); p != nil {
			st.server.panicked(st.request, p)
			st.breakOff(fmt.Errorf("panic: %v", p), yield)
		}
	}()
	for event := range st.results.Events(ctx) {
		if failed, ok := event.(search.Failed); ok && !st.begun {
			st.refused = st.why(failed.Err)
			return
		}
		if !st.pass(event, yield) {
			return
		}
		if err := st.turn.resume(ctx); err != nil {
			st.breakOff(err, yield)
			return
		}
	}
}

// pass holds back events before the engine's first answer, and passes on the rest.
func (st *streaming) pass(event search.Event, yield func(stream.Event) bool) bool {
	if !st.begun {
		switch event.(type) {
		case search.Started, search.StageEnd, search.Counted: // counts may come from the request
			st.held = append(st.held, event)
			return true
		case search.Result, search.Failed, search.Done:
			st.begun = true
		}
		for _, e := range st.held {
			if !st.hand(e, yield) {
				return false
			}
		}
		st.held = nil
	}
	return st.hand(event, yield)
}

// hand passes an event to the client.
func (st *streaming) hand(event search.Event, yield func(stream.Event) bool) bool {
	name, id, data := search.Wire(event, func(err error) any { return st.server.streamError(st.request, st.why(err)) })
	return yield(stream.Event{Name: name, ID: id, Data: data})
}

// breakOff ends the stream of a search that cannot end it.
func (st *streaming) breakOff(err error, yield func(stream.Event) bool) {
	if !st.begun {
		st.refused = err
		return
	}
	if yield(stream.Event{Name: "error", Data: st.server.streamError(st.request, st.why(err))}) {
		yield(stream.Event{Name: "done", Data: search.Done{Metadata: st.results.Metadata()}})
	}
}

// why returns the reason for a canceled search if the server or the end of the token canceled it.
func (st *streaming) why(err error) error {
	if cause, ok := errors.AsType[*kith.Error](st.aborted()); ok && errors.Is(err, context.Canceled) {
		return cause
	}
	return st.server.stopReason(err)
}

func (s searching) streamError(r *http.Request, err error) client.Error {
	e := describe(err)
	if !errors.Is(err, context.Canceled) { // else the client has gone
		s.logFailure(r, e, err)
	}
	return e
}
