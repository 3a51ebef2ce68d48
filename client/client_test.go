package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"kith/client"
	"kith/internal/test/expect"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// over returns a client of a handler, over the network or within the process.
func over(t *testing.T, local bool, handler http.HandlerFunc) *client.Client {
	t.Helper()
	cfg := client.Config{URL: client.LocalURL, Token: "t", Transport: client.Local(handler)}
	if !local {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		transport := &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		cfg.URL, cfg.Transport = server.URL, transport
	}
	c, err := client.New(cfg)
	expect.NoError(t, err)
	return c
}

// onBoth runs a test over the network and within the process: both must behave alike.
func onBoth(t *testing.T, test func(t *testing.T, local bool)) {
	t.Helper()
	t.Run("network", func(t *testing.T) { test(t, false) })
	t.Run("local", func(t *testing.T) { test(t, true) })
}

func TestNewRefusesBadURLs(t *testing.T) {
	for _, url := range []string{"", "localhost:8080", "ftp://a", "http://", "://"} {
		if _, err := client.New(client.Config{URL: url}); err == nil {
			t.Errorf("New accepts %q", url)
		}
	}
}

func TestServerErrorsAreDecoded(t *testing.T) {
	onBoth(t, func(t *testing.T, local bool) {
		c := over(t, local, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer t" {
				t.Errorf("asked with %q", r.Header.Get("Authorization"))
			}
			w.Header().Set("Retry-After", "3")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"error":{"code":"AWAY","detail":"it is away","status":503,"retryable":true,`+
				`"errors":[{"field":"a","code":"B","message":"is wrong"}]},"metadata":{"request_id":"req_1"}}`)
		})
		_, err := c.Me(t.Context())
		e, ok := errors.AsType[*client.Error](err)
		if !ok || e.Code != "AWAY" || !e.Retryable || e.RetryAfter.Seconds() != 3 || e.RequestID != "req_1" {
			t.Errorf("the error is %#v", err)
		}
		if ok && e.Error() != "it is away; a: is wrong" {
			t.Errorf("it says %q", e)
		}
	})
}

// An answer of a proxy in place of the server is an error too.
func TestProxyErrorsAreReported(t *testing.T) {
	c := over(t, true, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "<html>bad gateway</html>")
	})
	_, err := c.Me(t.Context())
	if e, ok := errors.AsType[*client.Error](err); !ok || e.Status != http.StatusBadGateway || !e.Retryable {
		t.Errorf("the error is %#v", err)
	}
}

// Lists read page after page, up to the limit, whether the entries are the data or a member of it.
func TestListsReadPagesUpToTheLimit(t *testing.T) {
	pages := map[string]string{
		"":   `{"data":[{"id":"a"},{"id":"b"}],"pagination":{"cursor":"c1","has_next_page":true}}`,
		"c1": `{"data":{"lists":[{"id":"c"}]},"pagination":{"cursor":"","has_next_page":false}}`,
	}
	onBoth(t, func(t *testing.T, local bool) {
		asked := 0
		c := over(t, local, func(w http.ResponseWriter, r *http.Request) {
			asked++
			fmt.Fprint(w, pages[r.URL.Query().Get("cursor")])
		})
		for limit, want := range map[int]string{0: "abc", 3: "abc", 2: "ab"} {
			asked = 0
			all, err := client.Collect(c.Lists(t.Context()), limit)
			got := ""
			for _, l := range all {
				got += l.ID
			}
			if err != nil || got != want || asked != (len(want)+1)/2 {
				t.Errorf("limit %d: %q, %v, in %d requests", limit, got, err, asked)
			}
		}
	})
}

// The pages of a search arrive in order, and the first error ends them.
func TestSearchPagesEndAtTheFirstError(t *testing.T) {
	c := over(t, true, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), `"cursor":"c2"`):
			w.WriteHeader(http.StatusGatewayTimeout)
		case strings.Contains(string(body), `"cursor":"c1"`):
			fmt.Fprint(w, `{"data":[{"id":2}],"pagination":{"cursor":"c2","has_next_page":true}}`)
		default:
			fmt.Fprint(w, `{"data":[{"id":1,"social_url":null}],"pagination":{"cursor":"c1","has_next_page":true}}`)
		}
	})
	people, err := client.Collect(c.People(t.Context(), client.SearchRequest{Prompt: "x"}), 0)
	if len(people) != 2 || people[1].ID != 2 || err == nil {
		t.Errorf("people and error: %v, %v", people, err)
	}
}

// Table copies a CSV answer unchanged, and returns the cursor of its trailer.
func TestTableReturnsTheNextCursor(t *testing.T) {
	onBoth(t, func(t *testing.T, local bool) {
		c := over(t, local, func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept") != "text/csv" {
				t.Error("the request does not ask for CSV")
			}
			w.Header().Set("Trailer", "X-Next-Cursor")
			fmt.Fprint(w, "id\n1\n")
			w.Header().Set("X-Next-Cursor", "c1")
		})
		var out strings.Builder
		cursor, err := c.Table(t.Context(), client.SearchRequest{Prompt: "x"}, &out)
		if cursor != "c1" || out.String() != "id\n1\n" || err != nil {
			t.Errorf("%q, cursor %q, %v", out.String(), cursor, err)
		}
	})
}

// A handler that calls its own server gets a new request, with only the cancellation of the outer one.
func TestLocalCallsShareNoContextValues(t *testing.T) {
	type key struct{}
	c := over(t, true, func(_ http.ResponseWriter, r *http.Request) {
		if r.Context().Value(key{}) != nil {
			t.Error("the inner request has a context value of the outer one")
		}
	})
	_ = c.Do(context.WithValue(t.Context(), key{}, 1), http.MethodGet, "/", nil, nil)
}

// If a local handler panics, its answer is truncated. If its caller leaves, its context is canceled.
func TestLocalCallsEndEarly(t *testing.T) {
	c := over(t, true, func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":`)
		panic(http.ErrAbortHandler)
	})
	if _, err := c.Me(t.Context()); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error of a truncated answer: %v", err)
	}
	aborted := make(chan error, 1)
	c = over(t, true, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, metadata)
		<-r.Context().Done()
		aborted <- r.Context().Err()
	})
	for _, err := range c.Stream(t.Context(), client.SearchRequest{Prompt: "x"}) {
		if err != nil {
			t.Error(err)
		}
		break
	}
	if err := <-aborted; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler's context ended with %v", err)
	}
	ctx, leave := context.WithCancel(t.Context())
	c = over(t, true, func(w http.ResponseWriter, r *http.Request) {
		leave()
		<-r.Context().Done()
		_, err := w.Write([]byte(metadata))
		aborted <- err
	})
	if _, err := c.Me(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left got %v", err)
	}
	if err := <-aborted; err == nil {
		t.Error("the handler can still write to a caller that left")
	}
}
