package indextest

import (
	"fmt"
	"strconv"
	"strings"

	"kith/query"
)

// Parse reads a query in the notation of the package comment.
func Parse(text string) (query.Query, error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	q, err := p.query()
	if err != nil {
		return nil, fmt.Errorf("%w in %q", err, text)
	}
	if len(p.tokens) > 0 {
		return nil, fmt.Errorf("%q after the end of %q", p.tokens[0].text, text)
	}
	return q, nil
}

// token is a parenthesis or an atom; a quoted atom is never a parenthesis.
type token struct {
	text   string
	quoted bool
}

func scan(text string) ([]token, error) {
	var tokens []token
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		switch text[0] {
		case '(', ')':
			tokens = append(tokens, token{text: text[:1]})
			text = text[1:]
		case '"':
			literal, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, fmt.Errorf("a string that does not end at %q", text)
			}
			value, _ := strconv.Unquote(literal) // QuotedPrefix returns well-formed literals
			tokens = append(tokens, token{text: value, quoted: true})
			text = text[len(literal):]
		default:
			end := strings.IndexAny(text, " \t\n()")
			if end < 0 {
				end = len(text)
			}
			tokens = append(tokens, token{text: text[:end]})
			text = text[end:]
		}
	}
	return tokens, nil
}

type parser struct{ tokens []token }

func (p *parser) next() (token, error) {
	if len(p.tokens) == 0 {
		return token{}, fmt.Errorf("unexpected end")
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t, nil
}

// query reads "(", the node's name, its operands and ")".
func (p *parser) query() (query.Query, error) {
	open, err := p.next()
	if err != nil || open.quoted || open.text != "(" {
		return nil, fmt.Errorf("a query that does not start with (")
	}
	name, err := p.next()
	if err != nil {
		return nil, err
	}
	switch name.text {
	case "and", "or", "not", "all", "none":
		return p.branch(name.text)
	case "nested":
		path, err := p.next()
		if err != nil {
			return nil, err
		}
		parts, err := p.queries()
		if err != nil || len(parts) != 1 {
			return nil, fmt.Errorf("nested takes one path and one query: %w", err)
		}
		return query.Nested{Path: query.Path(path.text), Part: parts[0]}, nil
	}
	args, err := p.atoms()
	if err != nil {
		return nil, err
	}
	return leaf(name.text, args)
}

func (p *parser) branch(name string) (query.Query, error) {
	parts, err := p.queries()
	if err != nil {
		return nil, err
	}
	switch {
	case name == "and":
		return query.And{Parts: parts}, nil
	case name == "or":
		return query.Or{Parts: parts}, nil
	case name == "not" && len(parts) == 1:
		return query.Not{Part: parts[0]}, nil
	case name == "all" && len(parts) == 0:
		return query.All{}, nil
	case name == "none" && len(parts) == 0:
		return query.None{}, nil
	}
	return nil, fmt.Errorf("%s with %d operands", name, len(parts))
}

// queries reads queries up to and including ")".
func (p *parser) queries() ([]query.Query, error) {
	var parts []query.Query
	for len(p.tokens) > 0 {
		if t := p.tokens[0]; !t.quoted && t.text == ")" {
			p.tokens = p.tokens[1:]
			return parts, nil
		}
		q, err := p.query()
		if err != nil {
			return nil, err
		}
		parts = append(parts, q)
	}
	return nil, fmt.Errorf("a missing )")
}

// atoms reads values up to and including ")".
func (p *parser) atoms() ([]string, error) {
	var values []string
	for {
		t, err := p.next()
		if err != nil {
			return nil, err
		}
		if !t.quoted && t.text == ")" {
			return values, nil
		}
		values = append(values, t.text)
	}
}

func leaf(name string, args []string) (query.Query, error) {
	if name == "ids" {
		return parseIDs(args)
	}
	if len(args) == 0 {
		return nil, fmt.Errorf("%s without a field", name)
	}
	field, args := query.Field(args[0]), args[1:]
	switch {
	case name == "term" && len(args) == 1:
		return query.Term{Field: field, Value: args[0]}, nil
	case name == "terms":
		return query.Terms{Field: field, Values: args}, nil
	case name == "words":
		return query.AllWords{Field: field, Words: args}, nil
	case name == "phrase":
		return query.Phrase{Field: field, Words: args}, nil
	case name == "together":
		return query.Phrase{Field: field, Words: args, AnyOrder: true}, nil
	case name == "exists" && len(args) == 0:
		return query.Exists{Field: field}, nil
	case name == "range" && len(args) == 2:
		low, high, err := parseBounds(args[0], args[1], "_")
		return query.Range{Field: field, Min: low, Max: high}, err
	}
	return nil, fmt.Errorf("no node %s with %d operands", name, len(args))
}

func parseIDs(args []string) (query.Query, error) {
	ids := query.IDs{}
	for _, arg := range args {
		id, err := strconv.ParseInt(arg, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("an identifier: %w", err)
		}
		ids.Values = append(ids.Values, id)
	}
	return ids, nil
}

// parseBounds reads two bounds; the text open stands for none.
func parseBounds(from, to, open string) (low, high *int64, err error) {
	for _, bound := range []struct {
		text string
		to   **int64
	}{{from, &low}, {to, &high}} {
		if bound.text == open {
			continue
		}
		v, err := strconv.ParseInt(bound.text, 10, 64)
		if err != nil {
			return nil, nil, fmt.Errorf("a bound: %w", err)
		}
		*bound.to = &v
	}
	return low, high, nil
}
