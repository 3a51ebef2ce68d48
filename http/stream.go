package http

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"kith"
	"kith/internal/search"
	"kith/stream"
)

// streamResults answers with the events of a search. A search that fails
// before the engine has told anything is refused like any other request; from
// the first event on a failure is an event, because the status is sent.
func (s *Server) streamResults(ctx context.Context, w http.ResponseWriter, r *http.Request, results *search.Results,
	stop context.CancelFunc,
) error {
	s.metrics.streams.Inc()
	defer s.metrics.streams.Dec()
	run := &streaming{server: s, work: ctx, request: r, results: results}
	err := stream.Serve(w, r, run.events, stop, stream.Options{
		WriteTimeout: s.cfg.StreamWriteTimeout, Slow: results.DropBuffered,
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

// streaming is one search on its way to a client.
type streaming struct {
	server *Server
	// work is the context of the search; its cause says why it was broken off.
	work    context.Context //nolint:containedctx // the events of one search have one
	request *http.Request
	results *search.Results
	// held are the events that wait for the engine's first word.
	held []search.Event
	// begun is true when the client has been sent something.
	begun bool
	// refused is why nothing was sent.
	refused error
}

// events gives the events of a search as they go to the client. Once it has
// begun it always ends with done, also where the search panics.
func (st *streaming) events(yield func(stream.Event) bool) {
	defer func() {
		if p := recover(); p != nil {
			st.server.panicked(st.request, p)
			st.breakOff(fmt.Errorf("panic: %v", p), yield)
		}
	}()
	for event := range st.results.Events() {
		if failed, ok := event.(search.Failed); ok && !st.begun {
			st.refused = st.why(failed.Err)
			return
		}
		if !st.pass(event, yield) {
			return
		}
	}
}

// pass holds back what is said before the engine has answered, and hands on
// the rest.
func (st *streaming) pass(event search.Event, yield func(stream.Event) bool) bool {
	if !st.begun {
		switch event.(type) {
		case search.Started, search.StageEnd, search.Counted: // counts may have come with the request
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

// hand gives an event to the client.
func (st *streaming) hand(event search.Event, yield func(stream.Event) bool) bool {
	name, id, data := search.Wire(event, func(err error) any { return st.server.streamError(st.request, st.why(err)) })
	return yield(stream.Event{Name: name, ID: id, Data: data})
}

// breakOff ends a stream whose search cannot.
func (st *streaming) breakOff(err error, yield func(stream.Event) bool) {
	if !st.begun {
		st.refused = err
		return
	}
	if yield(stream.Event{Name: "error", Data: st.server.streamError(st.request, st.why(err))}) {
		yield(stream.Event{Name: "done", Data: search.Done{Metadata: st.results.Metadata()}})
	}
}

// why tells why a search was canceled, where the server or the end of the token did it.
func (st *streaming) why(err error) error {
	if cause, ok := errors.AsType[*kith.Error](context.Cause(st.work)); ok && errors.Is(err, context.Canceled) {
		return cause
	}
	return st.server.interrupted(err)
}

func (s *Server) streamError(r *http.Request, err error) errorObject {
	e := describe(err)
	if !errors.Is(err, context.Canceled) { // else the client has gone
		s.logFailure(r, e, err)
	}
	return e
}
