package llm_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kith"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/llm"
)

func TestFailedRequestsFallBackToTheRules(t *testing.T) {
	const without = "; the prompt was read without it"
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, completion(good))
		}
	}
	elsewhere := httptest.NewServer(says(good))
	defer elsewhere.Close()
	for name, c := range map[string]struct {
		stand http.HandlerFunc
		note  string
	}{
		"500":       {status(500), "the language model could not be reached"},
		"401":       {status(401), "the language model could not be reached"},
		"no answer": {status(204), "the language model could not be reached"},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "the language model could not be reached"},
		"cut": {
			func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"the language model could not be reached",
		},
		"a page": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<html>Welcome</html>")
		}, "the answer of the language model was invalid"},
		"no choice": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"choices": []}`)
		}, "the answer of the language model was invalid"},
		"huge": {func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, strings.Repeat(" ", 1<<16)); err != nil {
					return
				}
			}
		}, "the answer of the language model was invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			wantFallback(t, plan(t, configured(t, c.stand, nil), asked, prompt.Auto), c.note+without)
		})
	}
}

// The endpoint sends nothing, or stops in the middle of its answer.
func TestHangingEndpointCostsOnlyTheTimeout(t *testing.T) {
	for name, begin := range map[string]string{"from the start": "", "in the middle": `{"choices": [`} {
		t.Run(name, func(t *testing.T) {
			p := configured(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client leaves
				if begin != "" {
					_, _ = io.WriteString(w, begin)
					_ = http.NewResponseController(w).Flush()
				}
				<-r.Context().Done()
			}), func(c *llm.Config) { c.Timeout = 50 * time.Millisecond })
			wantFallback(t, plan(t, p, asked, prompt.Auto),
				"the language model did not respond in time; the prompt was read without it")
		})
	}
}

// After three failures in a row, requests are no longer sent.
func TestFailingEndpointIsPaused(t *testing.T) {
	var requests atomic.Int64
	fails := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests.Add(1)
		w.WriteHeader(http.StatusBadGateway)
	})
	p := configured(t, fails, nil)
	for range 3 {
		plan(t, p, asked, prompt.Auto)
	}
	wantFallback(t, plan(t, p, asked, prompt.Auto),
		"the language model failed recently and is paused; the prompt was read without it")
	if n := requests.Load(); n != 3 {
		t.Errorf("%d requests, want 3", n)
	}
}

// After the cool-down, one valid answer ends the pause.
func TestEndpointIsRetriedAfterTheCoolDown(t *testing.T) {
	var requests atomic.Int64
	p := configured(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) <= 3 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		says(good)(w, r)
	}), func(c *llm.Config) { c.CoolDown = time.Nanosecond })
	for range 3 {
		plan(t, p, asked, prompt.Auto)
	}
	if got := plan(t, p, asked, prompt.Auto); got.Values()[query.FilterSkills] != "flumphology" {
		t.Errorf("got\n%s", got)
	}
}

// A caller who makes the model answer nonsense must not disable it for others.
func TestInvalidAnswersDoNotPauseTheEndpoint(t *testing.T) {
	var requests atomic.Int64
	p := configured(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		says("nonsense")(w, r)
	}), nil)
	for range 5 {
		plan(t, p, asked, prompt.Auto)
	}
	if n := requests.Load(); n != 10 {
		t.Errorf("%d requests, want 10: two for each prompt", n)
	}
}

// A canceled search says nothing about the endpoint.
func TestCanceledCallersDoNotPauseTheEndpoint(t *testing.T) {
	var requests atomic.Int64
	p := configured(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		says(good)(w, r)
	}), nil)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 5 {
		got, err := p.Plan(gone, kith.Operator(), asked, prompt.Auto)
		if err != nil || len(got.Notes) > len(embedded(t, asked, prompt.Auto).Notes) {
			t.Errorf("got %v, %v", got.Notes, err)
		}
	}
	if got := plan(t, p, asked, prompt.Auto); got.Values()[query.FilterSkills] != "flumphology" {
		t.Errorf("got\n%s", got)
	}
}
