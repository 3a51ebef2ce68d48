package http

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"kith/internal/search"
	"kith/stream"
)

// streamResults answers with the events of a search. From here on a failure is
// an event: the status is sent.
func (s *Server) streamResults(w http.ResponseWriter, r *http.Request, results *search.Results, stop context.CancelFunc) {
	s.metrics.streams.Inc()
	defer s.metrics.streams.Dec()
	// The time to read a request is over when its stream is long, and must not
	// be taken for a client that went away.
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	err := stream.Serve(w, r, s.events(r, results), stop, stream.Options{Heartbeat: s.cfg.Heartbeat})
	if err != nil {
		s.metrics.cut.Inc()
		s.log.Debug().Str("request_id", requestID(r.Context())).Err(err).Msg("stream cut")
	}
}

// events gives the events of a search as they go to the client. It always ends
// with done, also where the search panics.
func (s *Server) events(r *http.Request, results *search.Results) iter.Seq[stream.Event] {
	return func(yield func(stream.Event) bool) {
		defer func() {
			if p := recover(); p != nil {
				s.panicked(r, p)
				s.breakOff(r, results, fmt.Errorf("panic: %v", p), yield)
			}
		}()
		for event := range results.Events() {
			name, id, data := search.Wire(event, func(err error) any { return s.streamError(r, err) })
			if !yield(stream.Event{Name: name, ID: id, Data: data}) {
				return
			}
		}
	}
}

func (s *Server) streamError(r *http.Request, err error) Error {
	err = s.interrupted(err)
	e := describe(err)
	s.logFailure(r, e, err)
	return e
}

// breakOff ends a stream whose search cannot.
func (s *Server) breakOff(r *http.Request, results *search.Results, err error, yield func(stream.Event) bool) {
	if yield(stream.Event{Name: "error", Data: s.streamError(r, err)}) {
		yield(stream.Event{Name: "done", Data: search.Done{Metadata: results.Metadata}})
	}
}
