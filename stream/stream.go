// Package stream writes a sequence of events to one client as Server-Sent
// Events. Each client has its own bounded queue and its own write deadlines: a
// client that stops reading is cut, and holds up nobody.
package stream

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/tmaxmax/go-sse"
)

// Event is one event of a stream.
type Event struct {
	// Name is the event's name: one line.
	Name string
	// ID is what the client sends back as Last-Event-ID: one line; empty for none.
	ID string
	// Data is written as JSON.
	Data any
}

// Options bound what one client may take. The zero value takes the defaults.
type Options struct {
	// Queue is how many events may wait for a client; 64 by default.
	Queue int
	// Heartbeat is how long a stream may be silent before a comment line is
	// written; 15 s by default.
	Heartbeat time.Duration
	// WriteTimeout is how long the client may take to accept one event; 10 s
	// by default. A client that takes longer is cut.
	WriteTimeout time.Duration
}

const (
	defaultQueue        = 64
	defaultHeartbeat    = 15 * time.Second
	defaultWriteTimeout = 10 * time.Second
)

func (o Options) withDefaults() Options {
	if o.Queue <= 0 {
		o.Queue = defaultQueue
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = defaultHeartbeat
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = defaultWriteTimeout
	}
	return o
}

// ErrClientGone says that the client went away, or was cut because it did not
// read, before the stream's end.
var ErrClientGone = errors.New("stream: the client is gone")

// Serve answers a request with a stream of events and returns when the last
// one is written or the client is gone. Headers go out with the first event: a
// sequence without any leaves the response untouched.
//
// The sequence runs in the caller's goroutine, at most Queue events ahead of
// the client; one other goroutine encodes and writes. As soon as the client is
// gone Serve calls stop, which has to end the work behind the sequence, and
// takes no more from it. Nothing is left running when Serve returns, also when
// the sequence panics. The error is [ErrClientGone] when the client did not get
// everything.
func Serve(w http.ResponseWriter, r *http.Request, events iter.Seq[Event], stop context.CancelFunc, opts Options) (err error) {
	defer stop()
	var out *outlet
	defer func() {
		if out != nil {
			err = out.close(err)
		}
	}()
	for e := range events {
		if out == nil {
			if out, err = open(w, r, stop, opts.withDefaults()); err != nil {
				return err
			}
		}
		select {
		case out.queue <- e:
		case err := <-out.gone:
			return err
		}
	}
	return nil
}

// outlet is the queue to a client and the goroutine that empties it.
type outlet struct {
	queue chan Event
	gone  chan error
}

// open sends the headers and starts writing what comes into the queue.
func open(w http.ResponseWriter, r *http.Request, stop context.CancelFunc, opts Options) (*outlet, error) {
	c, err := newClient(w, r, opts)
	if err != nil {
		return nil, err
	}
	out := &outlet{queue: make(chan Event, opts.Queue), gone: make(chan error, 1)}
	go func() {
		defer close(out.gone)
		if err := c.pump(r.Context(), out.queue, opts.Heartbeat); err != nil {
			stop()
			out.gone <- err
		}
	}()
	return out, nil
}

// close waits until the client has everything or is gone.
func (out *outlet) close(err error) error {
	close(out.queue)
	if cause, failed := <-out.gone; failed || err != nil {
		return errors.Join(ErrClientGone, err, cause)
	}
	return nil
}

// client is the one writer of a stream.
type client struct {
	session *sse.Session
	control *http.ResponseController
	timeout time.Duration
}

// newClient sends the headers.
func newClient(w http.ResponseWriter, r *http.Request, opts Options) (*client, error) {
	h := w.Header()
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	session, err := sse.Upgrade(w, r)
	if err != nil {
		return nil, fmt.Errorf("stream: %w", err)
	}
	c := &client{session: session, control: http.NewResponseController(w), timeout: opts.WriteTimeout}
	if err := c.deadline(); err != nil {
		return nil, err
	}
	if err := session.Flush(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	return c, nil
}

// deadline gives the client its time for the next write. A writer without
// deadlines, such as a test's recorder, cannot stall.
func (c *client) deadline() error {
	err := c.control.SetWriteDeadline(time.Now().Add(c.timeout))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	return nil
}

// release lifts the deadline. A connection that cannot be told has none.
func (c *client) release() error {
	if err := c.control.SetWriteDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("releasing the connection: %w", err)
	}
	return nil
}

// pump writes what comes through the queue until it is closed, and leaves the
// connection without a deadline for the request that comes next.
func (c *client) pump(ctx context.Context, queue <-chan Event, heartbeat time.Duration) error {
	silence := time.NewTicker(heartbeat)
	defer silence.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-silence.C:
			if err := c.comment(); err != nil {
				return err
			}
		case e, more := <-queue:
			if !more {
				return c.release()
			}
			if err := c.event(e, len(queue) == 0); err != nil {
				return err
			}
			silence.Reset(heartbeat)
		}
	}
}
