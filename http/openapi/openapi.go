// Package openapi embeds the description of the API, openapi.yaml, and serves it as JSON. Tests
// of package http compare the description with the server.
package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"gopkg.in/yaml.v3"
)

//go:embed openapi.yaml
var source []byte

// JSON returns the description as JSON, in the order of the file, with a curl command for each operation.
func JSON() ([]byte, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(source, &doc); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	if err := addCurl(doc.Content[0]); err != nil {
		return nil, err
	}
	return appendNode(nil, doc.Content[0])
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
