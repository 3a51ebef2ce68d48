package http_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"kith/internal/test/expect"
)

// forOperations calls a function with each operation of the description.
func forOperations(t *testing.T, do func(t *testing.T, method, path string, op *openapi3.Operation)) {
	t.Helper()
	doc, err := document()
	expect.NoError(t, err)
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			t.Run(op.OperationID, func(t *testing.T) { do(t, method, path, op) })
		}
	}
}

// Every operation with a text answer has an example that matches its schema.
func TestEveryOperationShowsAnAnswer(t *testing.T) {
	t.Parallel()
	forOperations(t, func(t *testing.T, _, _ string, op *openapi3.Operation) {
		for status, response := range op.Responses.Map() {
			if status[0] != '2' {
				continue
			}
			for mediaType, media := range response.Value.Content {
				if len(media.Examples) == 0 && mediaType != "image/gif" {
					t.Errorf("%s %s has no example", status, mediaType)
				}
				for name, example := range media.Examples {
					if mediaType != "application/json" {
						continue
					}
					text, err := json.Marshal(example.Value.Value)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					conformsTo(t, media.Schema.Value, text)
				}
			}
		}
	})
}

// Every operation has a curl command that a shell can parse, with its method, path and body.
func TestEveryOperationHasACommand(t *testing.T) {
	t.Parallel()
	forOperations(t, func(t *testing.T, method, path string, op *openapi3.Operation) {
		samples, _ := op.Extensions["x-codeSamples"].([]any)
		if len(samples) != 1 {
			t.Fatalf("the operation has %d commands", len(samples))
		}
		command, _ := samples[0].(map[string]any)["source"].(string)
		fixed, _, _ := strings.Cut(path, "{")
		if !strings.HasPrefix(command, "curl ") || !strings.Contains(command, `"$KITH_SERVER`+fixed) {
			t.Errorf("the command is %q", command)
		}
		sent := http.MethodGet
		switch _, rest, named := strings.Cut(command, "-X "); {
		case named:
			sent, _, _ = strings.Cut(rest, " ")
		case strings.Contains(command, "--json") || strings.Contains(command, "-F "):
			sent = http.MethodPost
		}
		if sent != method {
			t.Errorf("the command sends %s: %q", sent, command)
		}
		hasBody := strings.Contains(command, " --json '{") || strings.Contains(command, "-F ")
		if op.RequestBody != nil && op.RequestBody.Value.Required && !hasBody {
			t.Errorf("the command has no body: %q", command)
		}
		if out, err := exec.CommandContext(t.Context(), "sh", "-nc", command).CombinedOutput(); err != nil {
			t.Errorf("%q: %v\n%s", command, err, out)
		}
	})
}
