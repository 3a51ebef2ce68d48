package http_test

import (
	"bytes"
	"encoding/json"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"kith/internal/test/expect"
)

func conformsTo(t *testing.T, schema *openapi3.Schema, body []byte) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("the body is not JSON: %v: %.300s", err, body)
	}
	checker, err := checkers.of(schema)
	expect.NoError(t, err)
	if err := checker.Validate(v); err != nil {
		t.Errorf("the body does not match its schema: %v\n%.600s", err, body)
	}
}

// checkers are the compiled schemas of answers. To compile one takes far longer than to check an answer.
var checkers = compiled{made: map[*openapi3.Schema]*jsonschema.Schema{}}

type compiled struct {
	mu   sync.Mutex
	made map[*openapi3.Schema]*jsonschema.Schema
}

func (c *compiled) of(schema *openapi3.Schema) (*jsonschema.Schema, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made[schema] == nil {
		made, err := compile(schema)
		if err != nil {
			return nil, err
		}
		c.made[schema] = made
	}
	return c.made[schema], nil
}

// compile resolves the references of a schema and compiles it.
func compile(schema *openapi3.Schema) (*jsonschema.Schema, error) {
	raw, err := closedDocument()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	own, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.RegisterFormat(&jsonschema.Format{Name: "int64", Validate: isInt64})
	if err := c.AddResource("answer.json",
		map[string]any{"allOf": []any{own}, "components": raw["components"]}); err != nil {
		return nil, err
	}
	return c.Compile("answer.json")
}

// isInt64 checks the range of integers, which JSON Schema leaves open.
func isInt64(v any) error {
	if n, ok := v.(json.Number); ok {
		_, err := n.Int64()
		return err
	}
	return nil
}
