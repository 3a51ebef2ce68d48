// Package content reads the content lines of vCard (2.1 to RFC 6350) and iCalendar (RFC
// 5545): folded lines, groups, parameters, quoted-printable. [Reader] returns components
// one by one, without nested ones, in bounded memory. A broken line affects only itself.
package content

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime/quotedprintable"
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// Limits of a component. Longer content, such as a photo, is cut.
const (
	MaxLine       = 64 << 10
	MaxProperties = 2000
	maxDepth      = 100
)

// Property is one content line. Value is raw, except that quoted-printable is decoded: see [Fields] and [Text].
type Property struct {
	Name   string
	Params []Param
	Value  string
}

// Param is a parameter of a property; Name is in upper case.
type Param struct{ Name, Value string }

// Has reports whether the values of a parameter include value, ignoring case.
func (p Property) Has(name, value string) bool {
	return slices.ContainsFunc(p.Params, func(q Param) bool {
		return q.Name == name && slices.ContainsFunc(strings.Split(q.Value, ","), func(v string) bool {
			return strings.EqualFold(strings.TrimSpace(v), value)
		})
	})
}

// Param returns the value of a parameter, or "".
func (p Property) Param(name string) string {
	for _, q := range p.Params {
		if q.Name == name {
			return q.Value
		}
	}
	return ""
}

// Component is a card or an event.
type Component struct {
	// Line is the number of its first line, from 1.
	Line       int64
	Properties []Property
}

// All returns the properties with a name, in order.
func (c *Component) All(name string) []Property {
	var all []Property
	for _, p := range c.Properties {
		if p.Name == name {
			all = append(all, p)
		}
	}
	return all
}

// Get returns the first property with a name.
func (c *Component) Get(name string) (Property, bool) {
	i := slices.IndexFunc(c.Properties, func(p Property) bool { return p.Name == name })
	if i < 0 {
		return Property{}, false
	}
	return c.Properties[i], true
}

// Reader reads components of one name.
type Reader struct {
	r      *bufio.Reader
	name   string
	line   int64
	peeked []byte
	ready  bool
	err    error
	// begun is the line of a component whose first line was read with the previous one.
	begun int64
}

// NewReader returns a reader of components with a name: VCARD, VEVENT.
func NewReader(r io.Reader, name string) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 16<<10), name: name}
}

// Next returns the next component, or [io.EOF] after the last.
func (r *Reader) Next() (*Component, error) {
	if line := r.begun; line > 0 {
		r.begun = 0
		return r.component(line)
	}
	for {
		p, line, err := r.property()
		if err != nil {
			return nil, err
		}
		if p.Name == "BEGIN" && strings.EqualFold(strings.TrimSpace(p.Value), r.name) {
			return r.component(line)
		}
	}
}

// component reads to the end of a component. It skips nested components. A card that
// begins within a card without an end is the next component.
func (r *Reader) component(line int64) (*Component, error) {
	c := &Component{Line: line}
	var inner []string
	last := ""
	for {
		p, at, err := r.property()
		if errors.Is(err, io.EOF) {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		value := strings.ToUpper(strings.TrimSpace(p.Value))
		begins, ends := p.Name == "BEGIN", p.Name == "END"
		another := value == r.name && len(inner) == 0 && last != "AGENT"
		switch {
		case begins && another:
			r.begun = at
			return c, nil
		case ends && value == r.name && !slices.Contains(inner, value):
			return c, nil
		case begins || ends:
			inner = nest(inner, begins, value)
		case len(inner) == 0:
			c.add(p)
		}
		if p.Name != "" {
			last = p.Name
		}
	}
}

// add stores a named property, up to MaxProperties.
func (c *Component) add(p Property) {
	if p.Name != "" && len(c.Properties) < MaxProperties {
		c.Properties = append(c.Properties, p)
	}
}

// nest returns the enclosing components after one begins or ends.
func nest(inner []string, begins bool, name string) []string {
	switch {
	case begins && len(inner) < maxDepth:
		return append(inner, name)
	case !begins && slices.Contains(inner, name):
		return inner[:len(inner)-1]
	}
	return inner
}

// property reads the next content line.
func (r *Reader) property() (Property, int64, error) {
	text, line, err := r.unfolded()
	if err != nil {
		return Property{}, 0, err
	}
	p, ok := parse(text)
	if !ok {
		return Property{}, line, nil
	}
	if p.Has("ENCODING", "QUOTED-PRINTABLE") || p.Has("TYPE", "QUOTED-PRINTABLE") {
		for strings.HasSuffix(p.Value, "=") && len(p.Value) < MaxLine {
			more, _, err := r.next()
			if err != nil {
				break
			}
			p.Value = p.Value[:len(p.Value)-1] + strings.TrimLeft(string(more), " \t")
		}
		p.Value = decodeValue(p)
	}
	return p, line, nil
}

// decodeValue returns the text of a quoted-printable value in the property's character set, if it names one.
func decodeValue(p Property) string {
	raw, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(p.Value)))
	if err != nil && len(raw) == 0 {
		return p.Value
	}
	if e, err := htmlindex.Get(p.Param("CHARSET")); err == nil {
		if text, err := e.NewDecoder().Bytes(raw); err == nil {
			return string(text)
		}
	}
	return string(raw)
}

// unfolded reads a line and its continuation lines.
func (r *Reader) unfolded() (text string, line int64, err error) {
	first, line, err := r.next()
	if err != nil {
		return "", 0, err
	}
	whole := slices.Clone(first)
	for {
		more, ok := r.peek()
		if !ok || len(more) == 0 || more[0] != ' ' && more[0] != '\t' {
			return string(whole), line, nil
		}
		if room := MaxLine - len(whole); room > 0 {
			whole = append(whole, more[1:min(len(more), room+1)]...)
		}
		_, _, _ = r.next() // peeked at above
	}
}

func (r *Reader) peek() ([]byte, bool) {
	if !r.ready && r.err == nil {
		r.peeked, r.err = r.physical()
		r.ready = r.err == nil
	}
	return r.peeked, r.ready
}

func (r *Reader) next() ([]byte, int64, error) {
	text, ok := r.peek()
	if !ok {
		return nil, 0, r.err
	}
	r.ready = false
	return text, r.line, nil
}

// physical reads one line and keeps at most MaxLine bytes.
func (r *Reader) physical() ([]byte, error) {
	r.line++
	var text []byte
	for {
		part, err := r.r.ReadSlice('\n')
		if room := MaxLine - len(text); room > 0 {
			text = append(text, part[:min(len(part), room)]...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(text) > 0:
			return bytes.TrimRight(text, "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}
