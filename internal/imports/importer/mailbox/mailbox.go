// Package mailbox reads senders, recipients and dates of mail: from mbox files (RFC 4155) and single messages (RFC
// 5322). [Reader] reads only headers, in bounded memory, and keeps neither subjects nor bodies.
package mailbox

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// Limits of message headers; the rest is skipped.
const (
	maxLine   = 64 << 10
	maxHeader = 256 << 10
)

// Message is the header data of a message.
type Message struct {
	// Line is the number of its first line in the file, from 1.
	Line int64
	ID   string
	Date time.Time
	From *mail.Address
	To   []*mail.Address // including Cc
	// Reason says why the message is not a contact between people (a list, a machine, a draft); "" if it is one.
	Reason string
}

// Reader reads the messages of a file.
type Reader struct {
	r      *bufio.Reader
	line   int64
	single bool
	err    error
	words  *mime.WordDecoder
}

// NewReader returns a reader of an mbox file or a single message.
func NewReader(r io.Reader) *Reader {
	return &Reader{r: bufio.NewReaderSize(r, 32<<10), words: &mime.WordDecoder{CharsetReader: charsetReader}}
}

func charsetReader(name string, r io.Reader) (io.Reader, error) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return r, nil // as it is, which is right for ASCII
	}
	return e.NewDecoder().Reader(r), nil
}

// IsSeparator reports whether a line separates messages in an mbox file: From, an address, a time and a year.
func IsSeparator(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) || len(line) > 500 {
		return false
	}
	colon := bytes.IndexByte(line, ':')
	hasTime := colon > 10 && colon+2 < len(line) && line[colon+1] >= '0' && line[colon+1] <= '9'
	return hasTime && slices.ContainsFunc(bytes.Fields(line), func(w []byte) bool {
		return len(w) == 4 && (bytes.HasPrefix(w, []byte("19")) || bytes.HasPrefix(w, []byte("20")))
	})
}

// Next returns the next message, or [io.EOF] after the last.
func (m *Reader) Next() (Message, error) {
	if err := m.find(); err != nil {
		return Message{}, err
	}
	at := m.line + 1
	h := m.headers()
	if m.err != nil && !errors.Is(m.err, io.EOF) {
		return Message{}, m.err
	}
	if len(h) == 0 {
		return Message{Line: at, Reason: ReasonNoHeaders}, nil
	}
	return m.message(at, h), nil
}

// find moves to the first line of the next message.
func (m *Reader) find() error {
	if m.line == 0 {
		head, err := m.r.Peek(len("From "))
		if err != nil && len(head) == 0 {
			return err
		}
		if m.single = string(head) != "From "; m.single {
			return nil
		}
	}
	blank := true
	for m.err == nil {
		line, err := m.read()
		if err != nil {
			return err
		}
		if blank && !m.single && IsSeparator(line) {
			return nil
		}
		blank = len(line) == 0
	}
	return m.err
}

// headers reads the used headers, unfolded, up to the blank line.
func (m *Reader) headers() map[string]string {
	h := map[string]string{}
	name, size := "", 0
	for {
		line, err := m.read()
		if err != nil || len(line) == 0 {
			return h
		}
		if size += len(line); size > maxHeader {
			continue
		}
		if line[0] == ' ' || line[0] == '\t' {
			if name != "" {
				h[name] = strings.TrimSpace(h[name] + " " + decodeHeader(line))
			}
			continue
		}
		key, value, ok := bytes.Cut(line, []byte(":"))
		name = ""
		if key := strings.ToLower(string(bytes.TrimSpace(key))); ok && isRead(key) {
			if _, repeated := h[key]; !repeated {
				name, h[key] = key, decodeHeader(value)
			} else if key == "to" || key == "cc" {
				name, h[key] = key, h[key]+", "+decodeHeader(value)
			}
		}
	}
}

// decodeHeader returns the text of a header. If it is not UTF-8, it is read as Windows-1252, as in other files.
func decodeHeader(text []byte) string {
	text = bytes.TrimSpace(text)
	if !utf8.Valid(text) {
		if decoded, err := charmap.Windows1252.NewDecoder().Bytes(text); err == nil {
			text = decoded
		}
	}
	return string(text)
}

// isRead reports whether a header is used.
func isRead(name string) bool {
	switch name {
	case "from", "to", "cc", "date", "message-id", "list-id", "list-unsubscribe", "list-post", "auto-submitted",
		"precedence", "content-type",
		"x-gmail-labels", "return-path", "feedback-id", "x-mozilla-status", "x-mozilla-draft-info", "x-spam-flag":
		return true
	}
	return slices.Contains(machineHeaders(), name)
}

// read reads one line without its end. It truncates long lines.
func (m *Reader) read() ([]byte, error) {
	m.line++
	var text []byte
	for {
		part, err := m.r.ReadSlice('\n')
		if room := maxLine - len(text); room > 0 {
			text = append(text, part[:min(len(part), room)]...)
		}
		switch {
		case err == nil, errors.Is(err, io.EOF) && len(text) > 0:
			return bytes.TrimRight(text, "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			m.err = err
			return nil, err
		}
	}
}
