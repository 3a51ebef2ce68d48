package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/tmaxmax/go-sse"

	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// Streamed is what a stream has brought.
type Streamed struct {
	Events []string
	People []json.RawMessage
	IDs    []string
	Done   struct {
		Complete   bool
		Metadata   map[string]any
		Pagination map[string]any
	}
}

// Stream reads a stream to its done.
func (s *Server) Stream(t *testing.T, token string, body any) Streamed {
	t.Helper()
	effort.Deadline(t)
	req, err := s.Request(t.Context(), "/v2/people/search", token, body)
	expect.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	expect.NoError(t, err)
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("stream %v: content type %q, status %d", body, got, resp.StatusCode)
	}
	var out Streamed
	for event, err := range sse.Read(resp.Body, &sse.ReadConfig{MaxEventSize: 1 << 22}) {
		if err != nil {
			t.Fatalf("stream %v: %v", body, err)
		}
		out.Add(t, event)
	}
	if n := len(out.Events); n == 0 || out.Events[n-1] != "done" || out.Events[0] != "metadata" {
		t.Fatalf("stream %v: events %v", body, out.Events)
	}
	return out
}

// Add notes an event.
func (out *Streamed) Add(t *testing.T, event sse.Event) {
	t.Helper()
	out.Events = append(out.Events, event.Type)
	switch event.Type {
	case "result":
		var r struct {
			Index  int
			Person json.RawMessage
		}
		if err := json.Unmarshal([]byte(event.Data), &r); err != nil || r.Index != len(out.People) {
			t.Fatalf("result %d: %v: %s", len(out.People), err, event.Data)
		}
		out.People = append(out.People, r.Person)
		out.IDs = append(out.IDs, event.LastEventID)
	case "done":
		if err := json.Unmarshal([]byte(event.Data), &out.Done); err != nil {
			t.Fatalf("done: %v: %s", err, event.Data)
		}
	}
}

// Begin sends a search until it is answered with 200, and returns the body of the answer: on a machine with much else
// to do its first people may take longer than a search may. Any answer but that and 504 fails the test.
func (s *Server) Begin(t *testing.T, token string, body any) (answer io.ReadCloser) {
	t.Helper()
	Eventually(t, "the search is answered", func() bool {
		req, err := s.Request(t.Context(), "/v2/people/search", token, body)
		expect.NoError(t, err)
		res, err := http.DefaultClient.Do(req)
		expect.NoError(t, err)
		if res.StatusCode == http.StatusOK {
			answer = res.Body
			return true
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusGatewayTimeout {
			t.Fatalf("status %d: %s", res.StatusCode, text)
		}
		return false
	})
	return answer
}
