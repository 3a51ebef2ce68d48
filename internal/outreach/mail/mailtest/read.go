//go:build !foreign

package mailtest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strconv"
	"strings"
	"unicode"
)

// read decodes a message. What it cannot decode is a defect.
func read(text []byte) (m Message) {
	lines := bytes.Split(text, []byte("\r\n"))
	for _, line := range lines {
		m.Longest = max(m.Longest, len(line))
		m.BareEnds += bytes.Count(line, []byte("\n"))
	}
	m.ASCII = bytes.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
	parsed, err := mail.ReadMessage(bytes.NewReader(text))
	if err != nil {
		m.Defects = append(m.Defects, err.Error())
		return m
	}
	for name, values := range parsed.Header {
		for _, value := range values {
			value, err := decoded(name, value)
			m.note(err)
			m.Headers = append(m.Headers, [2]string{name, value})
		}
	}
	m.note(m.readBody(parsed))
	return m
}

func (m *Message) note(err error) {
	if err != nil {
		m.Defects = append(m.Defects, err.Error())
	}
}

// decoded returns the value of a header as a person reads it.
func decoded(name, value string) (string, error) {
	if name != "From" && name != "To" {
		return new(mime.WordDecoder).DecodeHeader(value)
	}
	a, err := mail.ParseAddress(value)
	if err != nil || a.Name == "" {
		return value, err
	}
	if strings.ContainsAny(a.Name, `()<>@,:;\"[].`) {
		a.Name = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a.Name) + `"`
	}
	return a.Name + " <" + a.Address + ">", nil
}

func (m *Message) readBody(parsed *mail.Message) error {
	kind, params, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	m.Kind = kind
	if !strings.HasPrefix(kind, "multipart/") {
		return errors.New("a message of one part: " + strconv.Quote(kind))
	}
	for parts := multipart.NewReader(parsed.Body, params["boundary"]); ; {
		p, err := parts.NextPart() // it decodes quoted-printable
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := io.ReadAll(p)
		if err != nil {
			return err
		}
		kind, _, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil {
			return err
		}
		if coding := p.Header.Get("Content-Transfer-Encoding"); coding != "" {
			return errors.New("a part that is not decoded: " + coding)
		}
		m.Parts = append(m.Parts, Part{Kind: kind, Text: string(text)})
	}
}
