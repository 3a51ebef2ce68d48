package openapi

import (
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"kith/http/strict"
	"kith/internal/test/expect"
)

func operations(t *testing.T) map[string]Operation {
	t.Helper()
	doc, err := Parse()
	expect.NoError(t, err)
	all, err := doc.Operations()
	expect.NoError(t, err)
	return all
}

// A string without a pattern may have any character, and databases and pages would have to cope. Only imports
// allow that: they refuse single entries, not the request.
func TestStringsInBodiesHaveAPattern(t *testing.T) {
	var without []string
	var walk func(at string, s *strict.Schema)
	walk = func(at string, s *strict.Schema) {
		if s == nil {
			return
		}
		if s.Unchecked {
			without = append(without, at)
		}
		walk(at+"[]", s.Items)
		for _, f := range s.Fields {
			walk(at+"."+f.Name, f.Schema)
		}
	}
	for name, op := range operations(t) {
		walk(name+" ", op.Body)
	}
	slices.Sort(without)
	const entry = "POST /v2/user/relationships .people[]"
	if want := []string{entry, entry + ".identifier", entry + ".score"}; !slices.Equal(without, want) {
		t.Errorf("without a pattern: %q, want %q", without, want)
	}
}

// The server ignores keywords that it does not know, so their use would be a false promise.
func TestUnknownKeywordsAreRefused(t *testing.T) {
	for schema, want := range map[string]string{
		"{type: string, const: a}":      "cannot have the keyword const",
		"{anyOf: [{type: string}]}":     "cannot have the keyword anyOf",
		"{}":                            "needs a type",
		"{type: array}":                 "[]: line 0: needs a type",
		"{type: text}":                  "needs a type",
		"{type: string, pattern: '^a'}": "pattern must be",
		"{type: integer, enum: [1]}":    "only a string may have an enum",
		"{type: object}":                "needs additionalProperties: false",
		"{type: object, additionalProperties: false, maxProperties: 2}":    "must both be 1",
		"{$ref: '#/word', multipleOf: 2}":                                  "cannot have the keyword multipleOf",
		"{type: object, additionalProperties: false, properties: {a: {}}}": "a: line 3: needs a type",
	} {
		var file yaml.Node
		text := "word: {type: string, pattern: '" + line + "'}\n" +
			"paths: {/a: {post: {requestBody: {content: {application/json:\n  {schema: " + schema + "}}}}}}\n"
		expect.NoError(t, yaml.Unmarshal([]byte(text), &file))
		_, err := Document{root: file.Content[0]}.Operations()
		if err == nil || !strings.Contains(err.Error(), "post /a: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", schema, err, want)
		}
	}
}
