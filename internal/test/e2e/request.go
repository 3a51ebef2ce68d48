package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// DemoToken is the published token of the demo dataset.
const DemoToken = "demo_token_global"

// Answer is what a request got.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Page is a search answer.
type Page struct {
	Data       []Person `json:"data"`
	Metadata   Metadata `json:"metadata"`
	Pagination struct {
		Cursor      string `json:"cursor"`
		HasNextPage bool   `json:"has_next_page"`
		Count       int    `json:"count"`
	} `json:"pagination"`
}

// Person is what tests read of a person.
type Person struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
}

// Metadata is that of a page.
type Metadata struct {
	RequestID    string `json:"request_id"`
	Mode         string `json:"mode"`
	Source       string `json:"source"`
	SearchEngine string `json:"search_engine"`
	GeneratedSQL string `json:"generated_sql"`
	Counts       struct {
		Global struct {
			Value    int  `json:"value"`
			IsCapped bool `json:"is_capped"`
			Cap      int  `json:"cap"`
		} `json:"global"`
	} `json:"counts"`
	Facets map[string]json.RawMessage `json:"facets"`
}

// Post sends a JSON body with a bearer token.
func (s *Server) Post(t *testing.T, path, token string, body any) Answer {
	t.Helper()
	effort.Deadline(t)
	req, err := s.Request(t.Context(), path, token, body)
	expect.NoError(t, err)
	a, err := Do(req)
	if err != nil {
		t.Fatalf("POST %s: %v\n%s", path, err, s.Output())
	}
	return a
}

// Request makes a request with a JSON body.
func (s *Server) Request(ctx context.Context, path, token string, body any) (*http.Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return req, nil
}

// Get asks for a path with a bearer token.
func (s *Server) Get(t *testing.T, path, token string) Answer {
	t.Helper()
	effort.Deadline(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	expect.NoError(t, err)
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := Do(req)
	if err != nil {
		t.Fatalf("GET %s: %v\n%s", path, err, s.Output())
	}
	return a
}

// Do sends a request and reads the whole answer.
func Do(req *http.Request) (Answer, error) {
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}, err
}

// Search asks for one page and fails the test unless it gets one.
func (s *Server) Search(t *testing.T, token string, body map[string]any) Page {
	t.Helper()
	a := s.Post(t, "/v2/people/search", token, body)
	if a.Status != http.StatusOK {
		t.Fatalf("search %v: status %d: %s", body, a.Status, a.Body)
	}
	return DecodePage(t, a)
}

// DecodePage reads a page.
func DecodePage(t *testing.T, a Answer) Page {
	t.Helper()
	var p Page
	if err := json.Unmarshal(a.Body, &p); err != nil {
		t.Fatalf("not a page: %v: %s", err, a.Body)
	}
	return p
}

// Found is how many people a server finds of all.
func (s *Server) Found(t *testing.T, token string) int {
	t.Helper()
	p := s.Search(t, token, map[string]any{
		"filters": Everyone(), "scope": "global", "limit": 1,
		"include_counts": "global",
	})
	return p.Metadata.Counts.Global.Value
}

// Has is how many of some people a server finds, asked for one by one.
func (s *Server) Has(t *testing.T, token string, people []Record) int {
	t.Helper()
	return len(s.Search(t, token, ListOf(people)).Data)
}

// ListOf is a search for particular people.
func ListOf(people []Record) map[string]any {
	list := make([]string, len(people))
	for i, p := range people {
		list[i] = fmt.Sprint(p.ID())
	}
	return map[string]any{"scope": "specific_list", "specific_list_data": list}
}

// Everyone is a filter that excludes no one who was generated.
func Everyone() map[string]string { return map[string]string{"position": "-zzz"} }
