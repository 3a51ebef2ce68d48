// Package openapi embeds the description of the API, openapi.yaml. [Parse] returns it; its methods write it
// as JSON and as pages of a reference, and return what requests may contain. Package http checks requests
// against that, so no shape of a body is written twice. Tests of package http compare answers with the description.
package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"
)

//go:embed openapi.yaml
var source []byte

// Document is the description of the API. Parsing takes far longer than its methods, and the tree is large:
// parse it once, and keep only what the methods return.
type Document struct{ root *yaml.Node }

// Parse parses the embedded description, and adds a curl command to each operation.
func Parse() (Document, error) {
	var file yaml.Node
	if err := yaml.Unmarshal(source, &file); err != nil {
		return Document{}, fmt.Errorf("openapi.yaml: %w", err)
	}
	d := Document{root: file.Content[0]}
	return d, d.operations(addCurl)
}

// JSON returns the description as JSON, in the order of the file.
func (d Document) JSON() ([]byte, error) { return appendNode(nil, d.root) }

// operations calls do for each operation, in file order, until one returns an error. shared are the parameters of
// the path.
func (d Document) operations(do func(method, path string, op, shared *yaml.Node) error) error {
	paths := member(d.root, "paths")
	for i := 0; i < len(paths.Content); i += 2 {
		path, item := paths.Content[i].Value, paths.Content[i+1]
		for j := 0; j < len(item.Content); j += 2 {
			method := item.Content[j].Value
			if !slices.Contains([]string{"get", "post", "put", "patch", "delete"}, method) {
				continue
			}
			if err := do(method, path, item.Content[j+1], member(item, "parameters")); err != nil {
				return fmt.Errorf("openapi.yaml: %s %s: %w", method, path, err)
			}
		}
	}
	return nil
}

// appendNode writes a YAML node as JSON. A Go map would lose the order of members, which readers of
// the reference rely on.
func appendNode(out []byte, n *yaml.Node) ([]byte, error) {
	switch n.Kind {
	case yaml.MappingNode:
		return appendMapping(out, n)
	case yaml.SequenceNode:
		return appendSequence(out, n)
	case yaml.AliasNode:
		return appendNode(out, n.Alias)
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return nil, fmt.Errorf("openapi.yaml: line %d: %w", n.Line, err)
	}
	return appendValue(out, v)
}

func appendValue(out []byte, v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	return append(out, text...), nil
}

func appendMapping(out []byte, n *yaml.Node) (_ []byte, err error) {
	out = append(out, '{')
	for i := 0; i < len(n.Content); i += 2 {
		if i > 0 {
			out = append(out, ',')
		}
		// A key is text whatever it looks like, such as a status.
		if out, err = appendValue(out, n.Content[i].Value); err != nil {
			return nil, err
		}
		out = append(out, ':')
		if out, err = appendNode(out, n.Content[i+1]); err != nil {
			return nil, err
		}
	}
	return append(out, '}'), nil
}

func appendSequence(out []byte, n *yaml.Node) (_ []byte, err error) {
	out = append(out, '[')
	for i, item := range n.Content {
		if i > 0 {
			out = append(out, ',')
		}
		if out, err = appendNode(out, item); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}
