package openapi

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"kith/http/strict"
)

// Operation is what a request of an operation may contain.
type Operation struct {
	// HasBody reports whether it reads a body, of any media type.
	HasBody bool
	// Body is the shape of the JSON body; nil if there is none, or if it may have any member.
	Body *strict.Schema
	// Query are the parameters in the query of the address, in the order of the description.
	Query []strict.Field
}

// Operations returns all operations by method and path, as in "POST /v2/people/search". It returns an error for
// keywords that [strict.Schema] does not have, rather than ignoring them.
func (d Document) Operations() (map[string]Operation, error) {
	out := map[string]Operation{}
	err := d.operations(func(method, path string, op, shared *yaml.Node) (err error) {
		content := member(d.resolve(member(op, "requestBody")), "content")
		asked := Operation{HasBody: content.Kind != 0}
		body := member(member(content, "application/json"), "schema")
		if body.Kind != 0 && text(d.resolve(body), "additionalProperties") != "true" {
			if asked.Body, err = d.shape(body); err != nil {
				return err
			}
		}
		asked.Query, err = d.query(slices.Concat(shared.Content, member(op, "parameters").Content))
		out[strings.ToUpper(method)+" "+path] = asked
		return err
	})
	return out, err
}

func (d Document) query(parameters []*yaml.Node) (query []strict.Field, err error) {
	for _, p := range parameters {
		if p = d.resolve(p); text(p, "in") != "query" {
			continue
		}
		f := strict.Field{Name: text(p, "name"), Required: text(p, "required") == "true"}
		if f.Schema, err = d.shape(member(p, "schema")); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		if s := f.Schema; s.Kinds == strict.Integer && (s.Min == nil || s.Max == nil) {
			return nil, fmt.Errorf("%s: an integer in a query needs minimum and maximum", f.Name)
		}
		query = append(query, f)
	}
	return query, nil
}

// keywords is a schema with the keywords that requests use.
type keywords struct {
	Type                 yaml.Node      `yaml:"type"`
	Enum                 []*string      `yaml:"enum"`
	MinLength            int            `yaml:"minLength"`
	MaxLength            int            `yaml:"maxLength"`
	Pattern              string         `yaml:"pattern"`
	Minimum              *float64       `yaml:"minimum"`
	Maximum              *float64       `yaml:"maximum"`
	MinItems             int            `yaml:"minItems"`
	MaxItems             int            `yaml:"maxItems"`
	Items                yaml.Node      `yaml:"items"`
	Properties           yaml.Node      `yaml:"properties"`
	Required             []string       `yaml:"required"`
	MinProperties        int            `yaml:"minProperties"`
	MaxProperties        int            `yaml:"maxProperties"`
	AdditionalProperties *bool          `yaml:"additionalProperties"`
	Others               map[string]any `yaml:",inline"`
}

// unchecked are keywords for the reader. The code that uses a value checks its format.
func unchecked() []string { return []string{"$ref", "description", "format", "uniqueItems"} }

// Patterns of the strings of a body.
const (
	line  = `^[^\x00-\x1f\x7f-\x9f]*$`
	lines = `^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$`
	// digits is the pattern of an id that may also be a number.
	digits = `^[1-9][0-9]{0,15}$`
)

// shape returns the schema that a node describes.
func (d Document) shape(n *yaml.Node) (*strict.Schema, error) {
	var k keywords
	if err := d.read(n, &k); err != nil {
		return nil, err
	}
	s := &strict.Schema{
		MinLength: k.MinLength, MaxLength: k.MaxLength, Lines: k.Pattern == lines, Digits: k.Pattern == digits,
		Min: k.Minimum, Max: k.Maximum, MinItems: k.MinItems, MaxItems: k.MaxItems, OneMember: k.MaxProperties == 1,
	}
	for _, name := range scalars(&k.Type) {
		s.Kinds |= kinds()[name]
	}
	if err := k.check(s.Kinds); err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	for _, value := range k.Enum {
		if value != nil {
			s.Enum = append(s.Enum, *value)
		}
	}
	s.Unchecked = s.Kinds&strict.String != 0 && k.Pattern == "" && len(s.Enum) == 0
	return s, d.inner(s, &k)
}

// inner adds the shapes of elements and members.
func (d Document) inner(s *strict.Schema, k *keywords) (err error) {
	if s.Kinds&strict.Array != 0 {
		if s.Items, err = d.shape(&k.Items); err != nil {
			return fmt.Errorf("[]: %w", err)
		}
	}
	for i := 0; i+1 < len(k.Properties.Content); i += 2 {
		f := strict.Field{Name: k.Properties.Content[i].Value}
		f.Required = slices.Contains(k.Required, f.Name)
		if f.Schema, err = d.shape(k.Properties.Content[i+1]); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		s.Fields = append(s.Fields, f)
	}
	return nil
}

// read reads a schema, first the one that it refers to.
func (d Document) read(n *yaml.Node, into *keywords) error {
	if target := d.resolve(n); target != n {
		if err := d.read(target, into); err != nil {
			return err
		}
	}
	if err := n.Decode(into); err != nil {
		return err
	}
	for name := range into.Others {
		if !slices.Contains(unchecked(), name) {
			return fmt.Errorf("line %d: requests cannot have the keyword %s", n.Line, name)
		}
	}
	return nil
}

// check returns an error for values of keywords that a [strict.Schema] cannot have.
func (k *keywords) check(kinds strict.Kind) error {
	switch {
	case kinds == 0:
		return errors.New("needs a type")
	case k.Pattern != "" && k.Pattern != line && k.Pattern != lines && k.Pattern != digits:
		return fmt.Errorf("pattern must be %s, %s or %s", line, lines, digits)
	case len(k.Enum) > 0 && kinds&strict.String == 0:
		return errors.New("only a string may have an enum")
	case kinds&strict.Object != 0 && (k.AdditionalProperties == nil || *k.AdditionalProperties):
		return errors.New("needs additionalProperties: false")
	case k.MaxProperties > 1 || k.MinProperties != k.MaxProperties:
		return errors.New("minProperties and maxProperties must both be 1")
	}
	return nil
}

func kinds() map[string]strict.Kind {
	return map[string]strict.Kind{
		"null": strict.Null, "boolean": strict.Bool, "number": strict.Number, "integer": strict.Integer,
		"string": strict.String, "array": strict.Array, "object": strict.Object,
	}
}
