package http_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	kithhttp "kith/http"
	"kith/http/openapi"
	"kith/http/web"
	"kith/internal/test/expect"
)

// document is the OpenAPI description, closed: objects have no members besides those declared. So a check notices
// members that the server answers but the description lacks.
var document = sync.OnceValues(func() (*openapi3.T, error) {
	raw, err := closedDocument()
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(raw)
	if err != nil {
		return nil, err
	}
	return openapi3.NewLoader().LoadFromData(text)
})

var closedDocument = sync.OnceValues(func() (map[string]any, error) {
	raw, err := rawDocument()
	closeObjects(raw)
	return raw, err
})

func description() ([]byte, error) {
	doc, err := openapi.Parse()
	if err != nil {
		return nil, err
	}
	return doc.JSON()
}

func rawDocument() (map[string]any, error) {
	text, err := description()
	if err != nil {
		return nil, err
	}
	var raw map[string]any
	return raw, json.Unmarshal(text, &raw)
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		_, declares := v["properties"].(map[string]any)
		_, typed := v["type"]
		if _, says := v["additionalProperties"]; declares && typed && !says {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

// conforms checks an answer against the description: its status, media type, headers and body.
func conforms(t *testing.T, req *http.Request, res *http.Response, body []byte) {
	t.Helper()
	doc, err := document()
	if err != nil {
		t.Fatalf("openapi.yaml: %v", err)
	}
	for _, name := range []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if res.Header.Get(name) == "" {
			t.Errorf("%s %s: %d without the header %s", req.Method, req.URL.Path, res.StatusCode, name)
		}
	}
	op := operation(doc, req.Method, req.URL.Path)
	if op == nil {
		return // a path or method that is not served
	}
	response := op.Responses.Status(res.StatusCode)
	if response == nil {
		t.Fatalf("%s %s answers %d, which is not described: %.300s", req.Method, req.URL.Path, res.StatusCode, body)
	}
	for name := range response.Value.Headers {
		if res.Header.Get(name) == "" && needsHeader(name) {
			t.Errorf("%s %s: %d without the header %s", req.Method, req.URL.Path, res.StatusCode, name)
		}
	}
	if len(response.Value.Content) == 0 && len(body) == 0 {
		return // a redirect
	}
	mediaType, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	media := response.Value.Content.Get(mediaType)
	if err != nil || media == nil {
		t.Fatalf("%s %s: %d as %q, which is not described", req.Method, req.URL.Path, res.StatusCode, mediaType)
	}
	if mediaType == "application/json" && req.Method != http.MethodHead {
		conformsTo(t, media.Schema.Value, body)
	}
}

// needsHeader reports whether a header is always present, not only under a condition.
func needsHeader(name string) bool {
	return name != "Idempotency-Replayed" && name != "Retry-After"
}

func operation(doc *openapi3.T, method, path string) *openapi3.Operation {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	item := doc.Paths.Value(path)
	for pattern, candidate := range doc.Paths.Map() {
		if item == nil && matches(pattern, path) && candidate.GetOperation(method) != nil {
			item = candidate
		}
	}
	if item == nil {
		return nil
	}
	return item.GetOperation(method)
}

// matches reports whether a path fits a pattern such as /a/{id}.
func matches(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, part := range want {
		if part != got[i] && (!strings.HasPrefix(part, "{") || got[i] == "") {
			return false
		}
	}
	return true
}

// conformsEvent checks the data of one event of a stream.
func conformsEvent(t *testing.T, name string, data []byte) {
	t.Helper()
	doc, err := document()
	expect.NoError(t, err)
	media := doc.Paths.Value("/v2/people/search").Post.Responses.Status(
		http.StatusOK).Value.Content["text/event-stream"]
	events, ok := media.Extensions["x-events"].(map[string]any)
	if !ok {
		t.Fatal("the description lacks the events of a stream")
	}
	ref, ok := events[name].(map[string]any)
	if !ok {
		t.Fatalf("the description lacks event %q", name)
	}
	schema := doc.Components.Schemas[strings.TrimPrefix(fmt.Sprint(ref["$ref"]), "#/components/schemas/")]
	conformsTo(t, schema.Value, data)
}

func TestDocumentIsValid(t *testing.T) {
	t.Parallel()
	text, err := description()
	expect.NoError(t, err)
	doc, err := openapi3.NewLoader().LoadFromData(text)
	expect.NoError(t, err)
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEveryRouteIsDescribed(t *testing.T) {
	t.Parallel()
	server, err := kithhttp.New(kithhttp.Config{Datasets: []kithhttp.Dataset{{}}})
	expect.NoError(t, err)
	doc, err := document()
	expect.NoError(t, err)
	var described []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+path)
		}
	}
	served := server.Routes()
	slices.Sort(described)
	slices.Sort(served)
	if a, b := strings.Join(served, "\n"), strings.Join(described, "\n"); a != b {
		t.Errorf("served:\n%s\ndescribed:\n%s", a, b)
	}
}

func TestDescriptionIsServed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	res := f.call(http.MethodGet, "/openapi.json", "")
	var doc struct{ OpenAPI string }
	if err := json.Unmarshal(res.body, &doc); err != nil || doc.OpenAPI != "3.1.0" {
		t.Errorf("OpenAPI version %q, %v", doc.OpenAPI, err)
	}
	assets, err := fs.Glob(web.Files(), "assets/*")
	expect.NoError(t, err)
	pages := []string{"", "import", "lists", "paths", "people", "outreach", "settings", "sign-in", "docs"}
	for _, path := range append(pages, assets...) {
		path = "/" + path
		page := f.call(http.MethodGet, path, "")
		if page.StatusCode != http.StatusOK || len(page.body) == 0 {
			t.Errorf("%s answered %d", path, page.StatusCode)
		}
		for _, foreign := range []string{"http://", "https://", "innerHTML", "document.write"} {
			text := strings.ReplaceAll(string(page.body), "http://www.w3.org/2000/svg", "")
			if strings.Contains(text, foreign) {
				t.Errorf("%s has %s", path, foreign)
			}
		}
	}
	f.call(http.MethodGet, "/assets/nothing", "").wants(t, http.StatusNotFound, "ROUTE_NOT_FOUND")
}

// It adds up the bytes that a browser loads before the first search, and keeps: their names change with their content.
func TestStartPageIsSmall(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	page := string(f.call(http.MethodGet, "/", "").body)
	size := len(page)
	for _, asset := range regexp.MustCompile(`assets/[\w.-]+`).FindAllString(page, -1) {
		got := f.call(http.MethodGet, "/"+asset, "")
		size += len(got.body)
		if !strings.Contains(got.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %v", asset, got.Header)
		}
	}
	if size < 20_000 || size > 150_000 {
		t.Errorf("the start page has %d bytes, want at most 150,000", size)
	}
}
