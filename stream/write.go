package stream

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/tmaxmax/go-sse"
)

// frame encodes an event for the connection. JSON has no line breaks, so its data is one line.
func frame(e Event) ([]byte, error) {
	if _, err := sse.NewType(e.Name); err != nil {
		return nil, fmt.Errorf("event name %q: %w", e.Name, err)
	}
	if _, err := sse.NewID(e.ID); err != nil {
		return nil, fmt.Errorf("id of event %q: %w", e.Name, err)
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false) // an event is never part of a page
	if err := enc.Encode(e.Data); err != nil {
		return nil, fmt.Errorf("encoding event %q: %w", e.Name, err)
	}
	data := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	const members = "id: \nevent: \ndata: \n\n"
	b := make([]byte, 0, len(members)+len(e.ID)+len(e.Name)+len(data))
	if e.ID != "" {
		b = append(append(append(b, "id: "...), e.ID...), '\n')
	}
	b = append(append(append(b, "event: "...), e.Name...), '\n')
	return append(append(append(b, "data: "...), data...), "\n\n"...), nil
}

// comment is a line that clients ignore. It shows proxies that the stream is alive.
const comment = ": still here\n\n"

// send writes a frame. It flushes only if no other event is waiting: a burst of events
// takes few packets, and a single event is not delayed.
func (c *client) send(frame []byte, flush bool) error {
	if err := c.deadline(); err != nil {
		return err
	}
	if _, err := c.session.Res.Write(frame); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	if !flush {
		return nil
	}
	if err := c.session.Flush(); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
