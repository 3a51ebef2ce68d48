package strict

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"kith"
)

// Limits beyond the body's size, so that a small body cannot create a large tree. The largest list of a search fits.
const (
	maxDepth  = 32
	maxValues = 400_000
)

// Parse parses one JSON object. Its errors are *kith.Error of kind Malformed, with the byte offset.
func Parse(body []byte) (Value, error) {
	if !utf8.Valid(body) {
		return Value{}, malformed("INVALID_UTF8", invalidOffset(body), "the body is not valid UTF-8")
	}
	p := parser{in: body}
	p.space()
	if p.at == len(p.in) {
		return Value{}, malformed("INVALID_JSON", 0, "the body is empty; send one JSON object, such as {}")
	}
	v, err := p.value(0)
	if err != nil {
		return Value{}, err
	}
	if p.space(); p.at < len(p.in) {
		return Value{}, p.fail("there is more after the JSON value; send one JSON object")
	}
	if v.Kind != Object {
		return Value{}, malformed("INVALID_JSON", 0, "the body must be a JSON object, not %s", v.Kind)
	}
	return v, nil
}

func malformed(code string, offset int, format string, args ...any) error {
	return kith.Errorf(kith.Malformed, code, "%s (byte %d)", fmt.Sprintf(format, args...), offset)
}

func invalidOffset(body []byte) int {
	at := 0
	for at < len(body) {
		r, size := utf8.DecodeRune(body[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return at
}

// parser parses in, from position at.
type parser struct {
	in     []byte
	at     int
	values int
}

func (p *parser) fail(format string, args ...any) error {
	return malformed("INVALID_JSON", p.at, "the body is not JSON: "+format, args...)
}

func (p *parser) space() {
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

func (p *parser) value(depth int) (Value, error) {
	if depth > maxDepth {
		return Value{}, malformed("NESTED_TOO_DEEP", p.at, "the body is nested deeper than %d levels", maxDepth)
	}
	if p.values++; p.values > maxValues {
		return Value{}, malformed("TOO_MANY_VALUES", p.at, "the body has more than %d values", maxValues)
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		text, err := p.text()
		return Value{Kind: String, Text: text}, err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case c == 't':
		return Value{Kind: Bool, True: true}, p.word("true")
	case c == 'f':
		return Value{Kind: Bool}, p.word("false")
	case c == 'n':
		return Value{Kind: Null}, p.word("null")
	case p.at == len(p.in):
		return Value{}, p.fail("expected a value, found the end")
	}
	return Value{}, p.unexpected("a value")
}

func (p *parser) unexpected(wanted string) error {
	if p.at >= len(p.in) {
		return p.fail("expected %s, found the end", wanted)
	}
	r, _ := utf8.DecodeRune(p.in[p.at:])
	return p.fail("expected %s, found %q", wanted, r)
}

func (p *parser) word(word string) error {
	if len(p.in)-p.at < len(word) || string(p.in[p.at:p.at+len(word)]) != word {
		return p.unexpected("a value")
	}
	p.at += len(word)
	return nil
}

func (p *parser) array(depth int) (Value, error) {
	v := Value{Kind: Array}
	p.at++
	if p.space(); p.peek() == ']' {
		p.at++
		return v, nil
	}
	for {
		p.space()
		item, err := p.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		v.Items = append(v.Items, item)
		if more, err := p.more(']'); err != nil || !more {
			return v, err
		}
	}
}

// more parses the comma before another element, or the end of the container.
func (p *parser) more(end byte) (bool, error) {
	p.space()
	switch p.peek() {
	case ',':
		p.at++
		return true, nil
	case end:
		p.at++
		return false, nil
	}
	return false, p.unexpected(fmt.Sprintf("a comma or %q", end))
}

func (p *parser) object(depth int) (Value, error) {
	v := Value{Kind: Object}
	var seen names
	p.at++
	if p.space(); p.peek() == '}' {
		p.at++
		return v, nil
	}
	for {
		name, err := p.name(v.Members, &seen)
		if err != nil {
			return Value{}, err
		}
		member, err := p.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		v.Members = append(v.Members, Member{Name: name, Value: member})
		if more, err := p.more('}'); err != nil || !more {
			return v, err
		}
	}
}

// name parses the name of a member and its colon.
func (p *parser) name(members []Member, seen *names) (string, error) {
	if p.space(); p.peek() != '"' {
		return "", p.unexpected("the name of a member in double quotes")
	}
	start := p.at
	name, err := p.text()
	if err != nil {
		return "", err
	}
	if !seen.take(members, name) {
		return "", malformed("DUPLICATE_MEMBER", start, "the member %q appears twice in one object", clip(name))
	}
	if p.space(); p.peek() != ':' {
		return "", p.unexpected("a colon")
	}
	p.at++
	p.space()
	return name, nil
}

// names detects repeated member names. Most objects have few members, for which a scan is faster than a map.
type names struct{ many map[string]bool }

const fewNames = 16

// take adds a name after those of members; it returns false if one of them already has it.
func (n *names) take(members []Member, name string) bool {
	if n.many == nil && len(members) < fewNames {
		return !slices.ContainsFunc(members, func(m Member) bool { return m.Name == name })
	}
	if n.many == nil {
		n.many = make(map[string]bool, 2*fewNames)
		for _, m := range members {
			n.many[m.Name] = true
		}
	}
	had := n.many[name]
	n.many[name] = true
	return !had
}
