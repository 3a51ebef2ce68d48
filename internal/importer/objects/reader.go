// Package objects finds the JSON objects in a file: one a line, concatenated, in an array, or
// in an array that is a member of an object. [Reader] returns the text of one after the other,
// in bounded memory.
package objects

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// MaxObject is the largest object that is read, in bytes.
const MaxObject = 4 << 20

// Object is the text of one object.
type Object struct {
	// Line is the number of the line on which it begins, from 1.
	Line int64
	// Text is good until the next is read; nil where Problem says why there is none.
	Text    []byte
	Problem string
}

// Problems of objects.
const (
	TooLong  = "the object is longer than 4 MiB"
	CutShort = "the object has no end: the file is cut short"
)

// Reader finds objects. Root is the path of the array that holds them, its names
// joined by dots; "" is the file itself.
type Reader struct {
	r     *bufio.Reader
	root  []string
	lines bool
	line  int64
	text  []byte
	// open are the containers around the position, keys the last name in each.
	open []byte
	keys []string
}

// NewReader finds objects below a root; where lines is true each is on a line of
// its own, so that a broken one does not harm the others.
func NewReader(r io.Reader, root string, lines bool) *Reader {
	o := &Reader{r: bufio.NewReaderSize(r, 64<<10), lines: lines, line: 1}
	if root != "" {
		o.root = strings.Split(root, ".")
	}
	return o
}

// Next returns the next object; [io.EOF] after the last.
func (o *Reader) Next() (Object, error) {
	if o.lines {
		return o.nextLine()
	}
	for {
		c, err := o.r.ReadByte()
		if err != nil {
			return Object{}, err
		}
		if c == '{' && o.wanted() {
			return o.object()
		}
		if err := o.step(c); err != nil {
			return Object{}, err
		}
	}
}

// maxDepth is how deep the objects of a file may lie.
const maxDepth = 32

// step takes a character outside of objects that are wanted.
func (o *Reader) step(c byte) error {
	switch c {
	case '\n':
		o.line++
	case '{', '[':
		if len(o.open) >= maxDepth {
			return o.skip()
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

// maxKey bounds a name that is remembered.
const maxKey = 200

// name reads a string outside of objects. Strings are taken for names until a name
// follows.
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

// wanted reports whether an object that begins here is one to hand on.
func (o *Reader) wanted() bool {
	var path []string
	for i, c := range o.open {
		if c == '{' {
			path = append(path, o.keys[i])
		}
	}
	if len(path) != len(o.root) {
		return false
	}
	for i := range path {
		if path[i] != o.root[i] {
			return false
		}
	}
	return true
}

// skip passes over a container that lies too deep.
func (o *Reader) skip() error {
	_, err := o.container(false)
	return err
}

// object reads an object of which the first brace is read.
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

// container reads up to the end of a container whose first bracket is read.
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

// nextLine returns the object of the next line that is not blank.
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
			at.Problem = "the line is no JSON object"
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
