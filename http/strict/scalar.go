package strict

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxClip is the maximum length of client text in an error message, in code points.
const maxClip = 60

// clip shortens a client's text for a message.
func clip(s string) string {
	if utf8.RuneCountInString(s) <= maxClip {
		return s
	}
	return string([]rune(s)[:maxClip]) + "…"
}

// number parses a number by the grammar of RFC 8259.
func (p *parser) number() (Value, error) {
	start := p.at
	if p.peek() == '-' {
		p.at++
	}
	if p.peek() == '0' {
		p.at++
	} else if p.digits() == 0 {
		return Value{}, p.unexpected("a digit")
	}
	if p.peek() == '.' {
		p.at++
		if p.digits() == 0 {
			return Value{}, p.unexpected("a digit")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.at++
		if c := p.peek(); c == '+' || c == '-' {
			p.at++
		}
		if p.digits() == 0 {
			return Value{}, p.unexpected("a digit")
		}
	}
	return Value{Kind: Number, Text: string(p.in[start:p.at])}, nil
}

func (p *parser) digits() (n int) {
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.at++
		n++
	}
	return n
}

// text parses a string; the body is valid UTF-8.
func (p *parser) text() (string, error) {
	p.at++
	start := p.at
	for p.at < len(p.in) {
		switch c := p.in[p.at]; {
		case c == '"':
			s := string(p.in[start:p.at])
			p.at++
			return s, nil
		case c == '\\':
			return p.escaped(start)
		case c < ' ':
			return "", p.fail("a string holds a raw control character; write it as \\u%04x", c)
		}
		p.at++
	}
	return "", p.fail("a string is not closed")
}

// escaped parses the rest of a string from its first escape on.
func (p *parser) escaped(start int) (string, error) {
	out := append(make([]byte, 0, 2*(p.at-start)+16), p.in[start:p.at]...)
	for p.at < len(p.in) {
		switch c := p.in[p.at]; {
		case c == '"':
			p.at++
			return string(out), nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return "", err
			}
			out = utf8.AppendRune(out, r)
		case c < ' ':
			return "", p.fail("a string holds a raw control character; write it as \\u%04x", c)
		default:
			out = append(out, c)
			p.at++
		}
	}
	return "", p.fail("a string is not closed")
}

// escape parses one escape sequence.
func (p *parser) escape() (rune, error) {
	p.at++
	c := p.peek()
	if c == 'u' {
		return p.unicode()
	}
	for i, short := range []byte(`"\/bfnrt`) {
		if c == short {
			p.at++
			return rune("\"\\/\b\f\n\r\t"[i]), nil
		}
	}
	return 0, p.unexpected("an escape such as \\n")
}

// unicode parses \u and four digits, or both halves of a surrogate pair.
func (p *parser) unicode() (rune, error) {
	r, err := p.hex()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if p.peek() == '\\' {
		if p.at++; p.peek() == 'u' {
			low, err := p.hex()
			if err != nil {
				return 0, err
			}
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, nil
			}
		}
	}
	return 0, p.fail("half of a surrogate pair is missing")
}

// hex parses u and four hexadecimal digits.
func (p *parser) hex() (rune, error) {
	p.at++
	if len(p.in)-p.at < 4 {
		return 0, p.fail("a \\u escape is cut short")
	}
	n, err := strconv.ParseUint(string(p.in[p.at:p.at+4]), 16, 16)
	if err != nil {
		return 0, p.fail("a \\u escape needs four hexadecimal digits")
	}
	p.at += 4
	return rune(n), nil
}
