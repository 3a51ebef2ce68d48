// Package apitest holds malformed requests as data, each with its expected answer, and sends
// them to any server of the API.
package apitest

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"kith/internal/test/expect"
)

//go:embed cases.json
var cases []byte

// Case is one malformed request.
type Case struct {
	Name string `json:"name"`
	// Method defaults to POST.
	Method string `json:"method"`
	Path   string `json:"path"`
	// Credential is "token" (default), "secret_key", "none", or the value of the header Authorization.
	Credential *string `json:"credential"`
	// Headers are additional headers, "Name: value".
	Headers []string `json:"headers"`
	// ContentType defaults to application/json; an empty value sends no header.
	ContentType *string `json:"content_type"`
	// The body is Body, or is generated from Base64 or Repeat.
	Body   string  `json:"body"`
	Base64 string  `json:"base64"`
	Repeat *Repeat `json:"repeat"`

	Status int    `json:"status"`
	Code   string `json:"code"`
	// Field and FieldCode identify a problem that the answer must list.
	Field     string `json:"field"`
	FieldCode string `json:"field_code"`
}

// Repeat describes a long body.
type Repeat struct {
	Prefix string `json:"prefix"`
	Unit   string `json:"unit"`
	Times  int    `json:"times"`
	Suffix string `json:"suffix"`
}

// Cases returns all cases.
func Cases() ([]Case, error) {
	var out []Case
	dec := json.NewDecoder(bytes.NewReader(cases))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&out); err != nil {
		return nil, fmt.Errorf("cases.json: %w", err)
	}
	return out, nil
}

// Target is the server that the requests go to.
type Target struct {
	// BaseURL has no trailing slash.
	BaseURL string
	Client  *http.Client
	// Token and OtherToken belong to two users of the app of SecretKey.
	Token, OtherToken, SecretKey string
	// Prompt matches at least two people.
	Prompt string
	// Seen, if set, also gets every answer.
	Seen func(t *testing.T, req *http.Request, res *http.Response, body []byte)
}

// Run sends every case and compares the answers.
func Run(t *testing.T, target Target) {
	t.Helper()
	all, err := Cases()
	expect.NoError(t, err)
	fill := target.placeholders(t)
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) { target.run(t, c, fill) })
	}
}

// placeholders replaces {{name}} in the cases by values from the running server.
func (x Target) placeholders(t *testing.T) *strings.Replacer {
	t.Helper()
	cursor := x.cursor(t, x.Token)
	return strings.NewReplacer(
		"{{token}}", x.Token, "{{token.cut}}", x.Token[:len(x.Token)-1], "{{secret_key}}", x.SecretKey,
		"{{cursor}}", cursor, "{{cursor.cut}}", cursor[:len(cursor)-2], "{{cursor.tampered}}", tamper(cursor),
		"{{cursor.other}}", x.cursor(t, x.OtherToken),
	)
}

// tamper changes one character in the middle of s.
func tamper(s string) string {
	at, to := len(s)/2, "A"
	if s[at] == 'A' {
		to = "B"
	}
	return s[:at] + to + s[at+1:]
}

// cursor runs a search as a user and returns the cursor of the second page.
func (x Target) cursor(t *testing.T, token string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"prompt": x.Prompt, "limit": 1, "scope": "global"})
	expect.NoError(t, err)
	req := x.request(t, http.MethodPost, "/v2/people/search", bytes.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res := x.send(t, req)
	var page struct{ Pagination struct{ Cursor string } }
	if err := json.Unmarshal(res.text, &page); err != nil || page.Pagination.Cursor == "" {
		t.Fatalf("a search for %q gives no second page: %s", x.Prompt, res.text)
	}
	return page.Pagination.Cursor
}

func (x Target) request(t *testing.T, method, path string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, x.BaseURL+path, body)
	expect.NoError(t, err)
	return req
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	text []byte
}

func (x Target) send(t *testing.T, req *http.Request) answer {
	t.Helper()
	res, err := x.Client.Do(req)
	expect.NoError(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	expect.NoError(t, err)
	return answer{res, text}
}

func (x Target) run(t *testing.T, c Case, fill *strings.Replacer) {
	t.Helper()
	method := c.Method
	if method == "" {
		method = http.MethodPost
	}
	var body io.Reader
	if text := c.body(t, fill); text != "" {
		body = strings.NewReader(text)
	}
	req := x.request(t, method, c.Path, body)
	x.setHeaders(req, c, fill)
	res := x.send(t, req)
	c.compare(t, res)
	if x.Seen != nil {
		x.Seen(t, req, res.Response, res.text)
	}
}

func (c Case) body(t *testing.T, fill *strings.Replacer) string {
	t.Helper()
	if c.Repeat != nil {
		return c.Repeat.Prefix + strings.Repeat(c.Repeat.Unit, c.Repeat.Times) + c.Repeat.Suffix
	}
	raw, err := base64.StdEncoding.DecodeString(c.Base64)
	expect.NoError(t, err)
	return fill.Replace(c.Body) + string(raw)
}

func (x Target) setHeaders(req *http.Request, c Case, fill *strings.Replacer) {
	credential := "token"
	if c.Credential != nil {
		credential = *c.Credential
	}
	switch credential {
	case "none":
	case "token":
		req.Header.Set("Authorization", "Bearer "+x.Token)
	case "secret_key":
		req.Header.Set("secret-key", x.SecretKey)
	default:
		req.Header.Set("Authorization", fill.Replace(credential))
	}
	switch {
	case c.ContentType != nil && *c.ContentType != "":
		req.Header.Set("Content-Type", *c.ContentType)
	case c.ContentType == nil && req.Body != nil || c.ContentType == nil && c.Status == http.StatusBadRequest:
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range c.Headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Add(name, fill.Replace(value))
	}
}

// problem is an error of one field.
type problem struct{ Field, Code, Message string }

// failure is the error envelope.
type failure struct {
	Error struct {
		Type, Title, Detail, Code string
		Status                    int
		Errors                    []problem
	}
	Metadata struct {
		RequestID string `json:"request_id"`
	}
}

func (c Case) compare(t *testing.T, res answer) {
	t.Helper()
	body := res.text
	if res.StatusCode != c.Status {
		t.Fatalf("status %d, want %d: %.500s", res.StatusCode, c.Status, body)
	}
	if c.Method == http.MethodHead {
		return
	}
	var got failure
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("the answer is not the error envelope: %v: %.500s", err, body)
	}
	e := got.Error
	if e.Code != c.Code || e.Status != c.Status || e.Type == "" || e.Title == "" || e.Detail == "" {
		t.Errorf("error %+v, want code %s", e, c.Code)
	}
	if id := got.Metadata.RequestID; id == "" || id != res.Header.Get("X-Request-Id") {
		t.Errorf("request id %q in the body, %q in the header", id, res.Header.Get("X-Request-Id"))
	}
	c.compareProblems(t, e.Errors)
}

// compareProblems finds the field problem that a case expects.
func (c Case) compareProblems(t *testing.T, problems []problem) {
	t.Helper()
	if c.Field == "" && c.FieldCode == "" {
		return
	}
	for _, p := range problems {
		if (c.Field == "" || p.Field == c.Field) && (c.FieldCode == "" || p.Code == c.FieldCode) && p.Message != "" {
			return
		}
	}
	t.Errorf("no problem %s %s among %+v", c.Field, c.FieldCode, problems)
}
