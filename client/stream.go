package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"
)

// Event is one event of a stream: [*Started], [*Result], [*Stage], [*Counted] or [*Done].
type Event interface{ isEvent() }

// Started is the first event: how the search was understood.
type Started struct{ Metadata SearchMetadata }

// Result is one person. Record is the person as the server sent it.
type Result struct {
	Index  int             `json:"index"`
	Record json.RawMessage `json:"person"`
	Person Person          `json:"-"`
}

// Stage says that a stage of the search has ended or, for stage closest, that the close matches follow.
type Stage struct {
	Stage    string `json:"stage"`
	Complete bool   `json:"complete"`
	Results  int    `json:"results"`
}

// Counted has the requested counts.
type Counted struct {
	Counts Counts `json:"counts"`
	Token  string `json:"counts_token"`
}

// Done is the last event. If the stream was resumed, its pagination and metadata cover only the part since then.
type Done struct {
	Complete   bool           `json:"complete"`
	Metadata   SearchMetadata `json:"metadata"`
	Pagination Pagination     `json:"pagination"`
}

func (*Started) isEvent() {}
func (*Result) isEvent()  {}
func (*Stage) isEvent()   {}
func (*Counted) isEvent() {}
func (*Done) isEvent()    {}

const (
	// maxEvent limits the size of an event, in bytes.
	maxEvent = 16 << 20
	// maxTries limits how often in a row a stream is resumed without a new person.
	maxTries   = 6
	firstPause = 250 * time.Millisecond
)

// Stream yields the events of a search, one page of it, as the server finds people. If the
// connection breaks, or the server is temporarily unable to continue, the stream resumes
// after the last person: every event comes once. It ends with [*Done] or an error.
func (c *Client) Stream(ctx context.Context, req SearchRequest) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		s := &streaming{client: c, req: req, yield: yield, stages: map[string]bool{}}
		s.run(ctx)
	}
}

// streaming is one stream over all of its connections.
type streaming struct {
	client *Client
	req    SearchRequest
	yield  func(Event, error) bool
	// last is the id from which the stream resumes, and next the index of the next person.
	last string
	next int
	// Events that were passed on already. A resumed stream repeats a stage with the count of what is left.
	started, counted bool
	stages           map[string]bool
	// left is true if the caller has stopped iterating.
	left bool
}

func (s *streaming) run(ctx context.Context) {
	for tries := 0; ; tries++ {
		before := s.next
		done, err := s.read(ctx)
		if done || s.left {
			return
		}
		if s.next > before {
			tries = 0
		}
		if !s.resumes(err) || tries == maxTries || !pause(ctx, tries, err) {
			s.yield(nil, err)
			return
		}
	}
}

// resumes reports whether to continue after an error.
func (s *streaming) resumes(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return s.started && (!ok || e.Retryable)
}

// pause waits before the next try. It reports false if ctx ends first.
func pause(ctx context.Context, tries int, after error) bool {
	wait := firstPause << tries
	if e, ok := errors.AsType[*Error](after); ok {
		wait = max(wait, e.RetryAfter)
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// read reads from one connection. It reports whether the stream is complete.
func (s *streaming) read(ctx context.Context) (done bool, err error) {
	req, err := s.client.request(ctx, http.MethodPost, searchPeople, struct {
		SearchRequest
		Stream bool `json:"stream"`
	}{s.req, true})
	if err != nil {
		return false, err
	}
	if s.last != "" {
		req.Header.Set("Last-Event-ID", s.last)
	}
	resp, err := s.client.send(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	var failed error
	for event, err := range sse.Read(resp.Body, &sse.ReadConfig{MaxEventSize: maxEvent}) {
		if err != nil {
			return false, fmt.Errorf("the stream was interrupted: %w", err)
		}
		if event.Type == "error" {
			failed = parseFailure(event.Data)
			continue
		}
		done, err := s.hand(event, failed)
		if done || err != nil || s.left {
			return done, err
		}
	}
	return false, errors.Join(failed, errors.New("the stream ended before its last event"))
}

// parseFailure parses an error event.
func parseFailure(data string) error {
	e := &Error{}
	if err := json.Unmarshal([]byte(data), e); err != nil {
		return fmt.Errorf("an error event cannot be read: %w", err)
	}
	return e
}

// hand passes an event to the caller unless it is a repeat. failed is the content of an earlier error event.
func (s *streaming) hand(raw sse.Event, failed error) (done bool, err error) {
	event, err := decode(raw)
	if event == nil || err != nil {
		return false, err
	}
	again := false
	switch e := event.(type) {
	case *Started:
		again, s.started = s.started, true
	case *Result:
		if again = e.Index < s.next; !again {
			s.next = e.Index + 1
		}
	case *Stage:
		again, s.stages[e.Stage] = s.stages[e.Stage], true
	case *Counted:
		again, s.counted = s.counted, true
	case *Done:
		if failed != nil {
			return false, failed
		}
		done = true
	}
	if raw.LastEventID != "" {
		s.last = raw.LastEventID
	}
	if !again {
		s.left = !s.yield(event, nil)
	}
	return done, nil
}

// decode parses an event; nil for an unknown kind.
func decode(raw sse.Event) (event Event, err error) {
	var into any
	switch raw.Type {
	case "metadata":
		started := &Started{}
		event, into = started, &started.Metadata
	case "result":
		event = &Result{}
	case "stage":
		event = &Stage{}
	case "counts":
		event = &Counted{}
	case "done":
		event = &Done{}
	default:
		return nil, nil
	}
	if into == nil {
		into = event
	}
	if err := json.Unmarshal([]byte(raw.Data), into); err != nil {
		return nil, fmt.Errorf("event %s cannot be read: %w", raw.Type, err)
	}
	if result, ok := event.(*Result); ok {
		if err := json.Unmarshal(result.Record, &result.Person); err != nil {
			return nil, fmt.Errorf("a person in the stream cannot be read: %w", err)
		}
	}
	return event, nil
}
