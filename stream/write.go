package stream

import (
	"encoding/json"
	"fmt"

	"github.com/tmaxmax/go-sse"
)

// event writes one event, and sends what is written when nothing else waits,
// so that a burst of events takes few packets and a lone event none too late.
func (c *client) event(e Event, flush bool) error {
	data, err := json.Marshal(e.Data)
	if err != nil {
		return fmt.Errorf("encoding event %q: %w", e.Name, err)
	}
	m := &sse.Message{}
	if m.Type, err = sse.NewType(e.Name); err != nil {
		return fmt.Errorf("event name %q: %w", e.Name, err)
	}
	if e.ID != "" {
		if m.ID, err = sse.NewID(e.ID); err != nil {
			return fmt.Errorf("id of event %q: %w", e.Name, err)
		}
	}
	m.AppendData(string(data))
	return c.send(m, flush)
}

// comment writes a line that clients ignore and proxies take for life.
func (c *client) comment() error {
	m := &sse.Message{}
	m.AppendComment("still here")
	return c.send(m, true)
}

func (c *client) send(m *sse.Message, flush bool) error {
	if err := c.deadline(); err != nil {
		return err
	}
	if err := c.session.Send(m); err != nil {
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
