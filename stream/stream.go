// Package stream writes a sequence of events to one client as Server-Sent Events. Each client
// has a bounded queue and write deadlines: a client that stops reading is cut and delays nobody
// else.
package stream

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"sync/atomic"
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
	// Heartbeat is how long a stream may be silent before a comment line is
	// written; 15 s by default.
	Heartbeat time.Duration
	// WriteTimeout is how long the client may take to accept one event; 10 s
	// by default. A client that takes longer is cut.
	WriteTimeout time.Duration
	// Slow is called, in the goroutine of the sequence and while it waits, when
	// the queue stays full: what the sequence has ready and can make again, it
	// should let go of, because the wait may be long. It is called before each
	// long wait; nil for nothing to let go.
	Slow func()
}

const (
	// maxQueue is how many events may wait for a client. They wait as they go over
	// the wire, hold nothing else in memory, and are fewer where they are more than
	// queueBytes together.
	maxQueue            = 8
	queueBytes          = 6 << 10
	defaultHeartbeat    = 15 * time.Second
	defaultWriteTimeout = 10 * time.Second
	// patience is how long the queue may be full before the client is taken for
	// slow: a client that reads empties it in less.
	patience = 50 * time.Millisecond
)

func (o Options) withDefaults() Options {
	if o.Heartbeat <= 0 {
		o.Heartbeat = defaultHeartbeat
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = defaultWriteTimeout
	}
	if o.Slow == nil {
		o.Slow = func() {}
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
// The sequence runs in the caller's goroutine, a few events ahead of the
// client, and is encoded there; one other goroutine writes. As soon as the client is
// gone Serve calls stop, which has to end the work behind the sequence, and
// takes no more from it. Nothing is left running when Serve returns, also when
// the sequence panics. The error is [ErrClientGone] when the client did not get
// everything.
func Serve(w http.ResponseWriter, r *http.Request, events iter.Seq[Event], stop context.CancelFunc,
	opts Options,
) (err error) {
	defer stop()
	opts = opts.withDefaults()
	var out *outlet
	defer func() {
		if out != nil {
			err = out.close(err)
		}
	}()
	for e := range events {
		if out == nil {
			if out, err = open(w, r, stop, opts); err != nil {
				return err
			}
		}
		text, err := frame(e)
		if err != nil {
			return err
		}
		if err := out.put(text, opts.Slow); err != nil {
			return err
		}
	}
	if out == nil {
		return nil
	}
	return context.Cause(r.Context()) // with which the sequence may have ended before its end
}

// outlet is the queue to a client and the goroutine that empties it.
type outlet struct {
	queue chan []byte
	// bytes is how many wait in the queue, and taken says that some no longer do.
	bytes atomic.Int64
	taken chan struct{}
	gone  chan error
}

// put queues an event, and waits for its place where the queue is full.
func (out *outlet) put(text []byte, slow func()) error {
	if out.hasRoom(text) {
		return out.add(text)
	}
	soon := time.NewTimer(patience)
	defer soon.Stop()
	for !out.hasRoom(text) {
		select {
		case <-out.taken:
		case err := <-out.gone:
			return err
		case <-soon.C:
			slow()
		}
	}
	return out.add(text)
}

// hasRoom reports whether an event may go into the queue: always into an empty
// one.
func (out *outlet) hasRoom(text []byte) bool {
	waiting := out.bytes.Load()
	return waiting == 0 || waiting+int64(len(text)) <= queueBytes && len(out.queue) < cap(out.queue)
}

// add queues an event for which there is room: only this goroutine adds.
func (out *outlet) add(text []byte) error {
	out.bytes.Add(int64(len(text)))
	select {
	case out.queue <- text:
		return nil
	case err := <-out.gone:
		return err
	}
}

// took notes that an event has left the queue.
func (out *outlet) took(text []byte) {
	out.bytes.Add(-int64(len(text)))
	select {
	case out.taken <- struct{}{}:
	default:
	}
}

// open sends the headers and starts writing what comes into the queue.
func open(w http.ResponseWriter, r *http.Request, stop context.CancelFunc, opts Options) (*outlet, error) {
	c, err := newClient(w, r, opts)
	if err != nil {
		return nil, err
	}
	out := &outlet{queue: make(chan []byte, maxQueue), taken: make(chan struct{}, 1), gone: make(chan error, 1)}
	go func() {
		defer close(out.gone)
		if err := c.pump(r.Context(), out, opts.Heartbeat); err != nil {
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
func (c *client) pump(ctx context.Context, out *outlet, heartbeat time.Duration) error {
	silence := time.NewTicker(heartbeat)
	defer silence.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-silence.C:
			if err := c.send([]byte(comment), true); err != nil {
				return err
			}
		case text, more := <-out.queue:
			if !more {
				return c.release()
			}
			out.took(text)
			if err := c.send(text, len(out.queue) == 0); err != nil {
				return err
			}
			silence.Reset(heartbeat)
		}
	}
}
