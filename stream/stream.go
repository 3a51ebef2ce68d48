// Package stream writes a sequence of events to one client as Server-Sent Events. Each client has a bounded queue and
// write deadlines: a client that stops reading is disconnected and delays nobody else.
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
	// ID is the value that the client sends back as Last-Event-ID: one line; empty for none.
	ID string
	// Data is written as JSON.
	Data any
}

// Options limit one client. The zero value uses the defaults.
type Options struct {
	// Heartbeat is how long a stream may be silent before a comment line is written; 15 s by default.
	Heartbeat time.Duration
	// WriteTimeout is how long the client may take to accept one event; 10 s by default. A slower client is
	// disconnected.
	WriteTimeout time.Duration
	// Slow is called when the queue stays full, before each long wait, in the goroutine of the sequence. The sequence
	// should then release data that it can recompute. nil means nothing to release.
	Slow func()
}

const (
	// maxQueue limits the events that wait for a client. They are encoded already and hold no
	// other memory. Fewer wait if they exceed queueBytes in total.
	maxQueue            = 8
	queueBytes          = 6 << 10
	defaultHeartbeat    = 15 * time.Second
	defaultWriteTimeout = 10 * time.Second
	// slowAfter is how long the queue may be full before the client counts as slow. A client that reads empties it
	// sooner.
	slowAfter = 50 * time.Millisecond
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

// ErrClientGone says that the client went away, or was disconnected because it did not
// read, before the end of the stream.
var ErrClientGone = errors.New("stream: the client is gone")

// Serve answers a request with a stream of events. It returns when the last event is written or the client is gone. It
// sends the headers with the first event: an empty sequence leaves the response untouched.
//
// The sequence runs and is encoded in the caller's goroutine, a few events ahead of the client; one other goroutine
// writes. When the client is gone, Serve calls stop, which must end the work of the sequence, and reads no more events.
// Serve leaves nothing running when it returns, even if the sequence panics. The error is [ErrClientGone] if the client
// did not receive everything.
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
	return context.Cause(r.Context()) // the sequence may have ended early because of it
}

// outlet is the queue of a client and the goroutine that empties it.
type outlet struct {
	queue chan []byte
	// bytes is the size of the queued events. taken receives a value when an event has left the queue.
	bytes atomic.Int64
	taken chan struct{}
	gone  chan error
}

// put queues an event, and waits if the queue is full.
func (out *outlet) put(text []byte, slow func()) error {
	if out.hasRoom(text) {
		return out.add(text)
	}
	soon := time.NewTimer(slowAfter)
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

// hasRoom reports whether an event fits into the queue. An empty queue accepts any.
func (out *outlet) hasRoom(text []byte) bool {
	waiting := out.bytes.Load()
	return waiting == 0 || waiting+int64(len(text)) <= queueBytes && len(out.queue) < cap(out.queue)
}

// add queues an event that fits; only this goroutine adds.
func (out *outlet) add(text []byte) error {
	out.bytes.Add(int64(len(text)))
	select {
	case out.queue <- text:
		return nil
	case err := <-out.gone:
		return err
	}
}

// took records that an event has left the queue.
func (out *outlet) took(text []byte) {
	out.bytes.Add(-int64(len(text)))
	select {
	case out.taken <- struct{}{}:
	default:
	}
}

// open sends the headers and starts the writing goroutine.
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

// client is the only writer of a stream.
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

// deadline sets the deadline for the next write. A writer without deadlines, such as a test's recorder, cannot stall.
func (c *client) deadline() error {
	err := c.control.SetWriteDeadline(time.Now().Add(c.timeout))
	if err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("%w: %w", ErrClientGone, err)
	}
	return nil
}

// release removes the deadline. A connection without support for deadlines has none.
func (c *client) release() error {
	if err := c.control.SetWriteDeadline(time.Time{}); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("releasing the connection: %w", err)
	}
	return nil
}

// pump writes the queued events until the queue is closed, and then removes the deadline
// for the next request on the connection.
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
