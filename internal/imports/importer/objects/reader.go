// Package objects finds the JSON objects in a file: one per line, concatenated, in an array, or in an array within an
// object. [Reader] returns their texts one by one, in bounded memory.
package objects

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
)

// MaxObject limits the size of an object, in bytes.
const MaxObject = 4 << 20

// Object is the text of one object.
type Object struct {
	// Line is the number of its first line, from 1.
	Line int64
	// Text is valid until the next call of Next; nil if Problem is set.
	Text    []byte
	Problem string
}

// Problems of objects.
const (
	TooLong  = "the object is longer than 4 MiB"
	CutShort = "the object has no end: the file is cut short"
)

// Reader finds objects in the array at a path of names.
type Reader struct {
	r     *bufio.Reader
	root  []string
	lines bool
	line  int64
	text  []byte
	// open are the enclosing containers, keys the last name read in each.
	open []byte
	keys []string
}

// NewReader returns a reader of the objects in the array at root, a path joined by dots; "" is the file itself. If
// lines is true, each object is on its own line, so that a broken one does not affect the others.
func NewReader(r io.Reader, root string, lines bool) *Reader {
	o := &Reader{r: bufio.NewReaderSize(r, 64<<10), lines: lines, line: 1}
	if root != "" {
		o.root = strings.Split(root, ".")
	}
	return o
}

// Next returns the next object, or [io.EOF] after the last.
func (o *Reader) Next() (Object, error) {
	if o.lines {
		return o.nextLine()
	}
	for {
		c, err := o.r.ReadByte()
		if err != nil {
			return Object{}, err
		}
		if c == '{' && o.isBelowRoot() {
			return o.object()
		}
		if err := o.step(c); err != nil {
			return Object{}, err
		}
	}
}

// maxDepth limits the nesting around objects.
const maxDepth = 32

// step processes a character outside the wanted objects.
func (o *Reader) step(c byte) error {
	switch c {
	case '\n':
		o.line++
	case '{', '[':
		if len(o.open) >= maxDepth { // skip a container that is nested too deeply
			_, err := o.container(false)
			return err
		}
		o.open, o.keys = append(o.open, c), append(o.keys, "")
	case '}', ']':
		if n := len(o.open); n > 0 {
			o.open, o.keys = o.open[:n-1], o.keys[:n-1]
		}
	case '"':
		name, err := o.name()
		if n := len(o.open); n > 0 && o.open[n-1] == '{' && err == nil {
			o.keys[n-1] = name
		}
		return err
	}
	return nil
}

// maxKey limits the stored length of a name.
const maxKey = 200

// name reads a string outside objects. Any string counts as a name until the next one.
func (o *Reader) name() (string, error) {
	var b []byte
	escaped := false
	for {
		c, err := o.r.ReadByte()
		if err != nil {
			return "", err
		}
		switch {
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		case c == '"':
			return string(b), nil
		case c == '\n':
			o.line++
		}
		if len(b) < maxKey {
			b = append(b, c)
		}
	}
}

// isBelowRoot reports whether an object that begins here is below the root.
func (o *Reader) isBelowRoot() bool {
	var path []string
	for i, c := range o.open {
		if c == '{' {
			path = append(path, o.keys[i])
		}
	}
	return slices.Equal(path, o.root)
}

// object reads an object whose first brace has been read.
func (o *Reader) object() (Object, error) {
	at := Object{Line: o.line}
	o.text = append(o.text[:0], '{')
	tooLong, err := o.container(true)
	switch {
	case errors.Is(err, io.EOF):
		at.Problem = CutShort
	case err != nil:
		return Object{}, err
	case tooLong:
		at.Problem = TooLong
	default:
		at.Text = o.text
	}
	return at, nil
}

// container reads to the end of a container whose first bracket has been read.
func (o *Reader) container(keep bool) (tooLong bool, err error) {
	depth, inString, escaped := 1, false, false
	for depth > 0 {
		c, err := o.r.ReadByte()
		if err != nil {
			return tooLong, err
		}
		if tooLong = tooLong || len(o.text) >= MaxObject; keep && !tooLong {
			o.text = append(o.text, c)
		}
		if c == '\n' {
			o.line++
		}
		switch {
		case escaped:
			escaped = false
		case inString:
			inString, escaped = c != '"', c == '\\'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
	}
	return tooLong, nil
}

// nextLine returns the object on the next line that is not blank.
func (o *Reader) nextLine() (Object, error) {
	for {
		at := Object{Line: o.line}
		text, tooLong, err := o.readLine()
		if err != nil {
			return Object{}, err
		}
		text = bytes.TrimSuffix(bytes.TrimSpace(text), []byte(","))
		switch {
		case tooLong:
			at.Problem = TooLong
			return at, nil
		case len(text) > 0 && text[0] == '{':
			at.Text = text
			return at, nil
		case len(text) > 1:
			at.Problem = "the line is not a JSON object"
			return at, nil
		}
	}
}

func (o *Reader) readLine() (text []byte, tooLong bool, err error) {
	o.text = o.text[:0]
	for {
		part, err := o.r.ReadSlice('\n')
		if tooLong = tooLong || len(o.text)+len(part) > MaxObject; !tooLong {
			o.text = append(o.text, part...)
		}
		switch {
		case err == nil:
			o.line++
			return o.text, tooLong, nil
		case errors.Is(err, io.EOF) && (len(o.text) > 0 || tooLong):
			return o.text, tooLong, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}
