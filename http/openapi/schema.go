package openapi

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// deepest is the maximum depth of listed members.
const deepest = 3

// members lists the members of an object and of its nested objects.
func (d Document) members(p *page, schema *yaml.Node, prefix string, depth int) {
	properties, required := member(schema, "properties"), scalars(member(schema, "required"))
	for i := 0; i+1 < len(properties.Content); i += 2 {
		name, of := properties.Content[i].Value, properties.Content[i+1]
		mark := ""
		if slices.Contains(required, name) {
			mark = ", required"
		}
		says := fmt.Sprintf("`%s%s` (%s%s)", prefix, name, d.kind(of, 0), mark)
		about := text(of, "description") // precedes that of a shared schema
		of = d.resolve(of)
		if about = oneLine(cmp.Or(about, text(of, "description"))); about != "" {
			says += ": " + about
		}
		p.item(says)
		if depth < deepest {
			d.members(p, of, prefix+name+".", depth+1)
			d.members(p, d.resolve(member(of, "items")), prefix+name+"[].", depth+1)
		}
	}
}

// kind describes in words what a schema accepts.
func (d Document) kind(schema *yaml.Node, depth int) string {
	schema = d.resolve(schema)
	if any := member(schema, "anyOf"); any.Kind != 0 {
		var all []string
		for _, one := range any.Content {
			all = append(all, d.kind(one, depth+1))
		}
		return strings.Join(all, " or ")
	}
	says := []string{strings.Join(scalars(member(schema, "type")), " or ")}
	if enum := scalars(member(schema, "enum")); len(enum) > 0 {
		says = append(says, "one of "+strings.Join(enum, ", "))
	}
	says = append(says, bounds(schema)...)
	out := strings.Join(slices.DeleteFunc(says, func(s string) bool { return s == "" }), ", ")
	if items := member(schema, "items"); items.Kind != 0 && depth < deepest {
		out += " of " + d.kind(items, depth+1)
	}
	return out
}

// bounds describes the limits of a schema in words.
func bounds(schema *yaml.Node) []string {
	var out []string
	for _, b := range []struct{ low, high, noun string }{
		{"minimum", "maximum", ""}, {"minLength", "maxLength", " characters"}, {"minItems", "maxItems", " elements"},
	} {
		low, high := text(schema, b.low), text(schema, b.high)
		switch {
		case low == "" && high == "":
		case low == high:
			out = append(out, low+b.noun)
		case low == "":
			out = append(out, "at most "+high+b.noun)
		case high == "":
			out = append(out, "at least "+low+b.noun)
		default:
			out = append(out, low+" to "+high+b.noun)
		}
	}
	if format := text(schema, "format"); format != "" && format != "int64" {
		out = append(out, format)
	}
	return out
}

// resolve follows a reference; other nodes are returned unchanged.
func (d Document) resolve(n *yaml.Node) *yaml.Node {
	ref := text(n, "$ref")
	if ref == "" {
		return n
	}
	at := d.root
	for name := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		at = member(at, name)
	}
	return at
}

// text returns the scalar at a path of members, or "".
func text(n *yaml.Node, path ...string) string {
	for _, name := range path {
		n = member(n, name)
	}
	if n.Kind != yaml.ScalarNode {
		return ""
	}
	return n.Value
}

// scalars returns the scalars of a list, or the node's own scalar.
func scalars(n *yaml.Node) []string {
	if n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var out []string
	for _, item := range n.Content {
		out = append(out, item.Value)
	}
	return out
}
