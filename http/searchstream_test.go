package http_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith"
	kithhttp "kith/http"
	"kith/internal/test/expect"
)

func TestStreamsAndPagesHaveTheSameResults(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, body := range []string{
		`{"prompt":"engineer","scope":"global","limit":5,"include_counts":"all"}`,
		`{"prompt":"example"}`,
		`{"prompt":"nobody at all"}`,
		`{"filters":{"name":"example"},"explain":true,"facets":["city"]}`,
		`{"scope":"specific_list","specific_list_data":["person-1",{"id":2,"score":3}]}`,
	} {
		page := f.search(body).wants(t, http.StatusOK, "").envelope(t)
		res := f.search(`{"stream":true,` + body[1:])
		if got := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || got != "text/event-stream" {
			t.Fatalf("status and media type: %d %s", res.StatusCode, got)
		}
		if res.Header.Get("Cache-Control") != "no-cache, no-transform" || res.Header.Get("X-Accel-Buffering") != "no" {
			t.Errorf("headers: %v", res.Header)
		}
		events := read(t, res.body)
		var people []json.RawMessage
		for _, e := range events {
			if e.name == "result" {
				var r struct{ Person json.RawMessage }
				expect.NoError(t, json.Unmarshal([]byte(e.data), &r))
				people = append(people, r.Person)
			}
		}
		collected, err := json.Marshal(people)
		expect.NoError(t, err)
		if len(people) == 0 {
			collected = []byte("[]")
		}
		if string(collected) != string(page.Data) {
			t.Errorf("%s:\nstream %s\npage   %s", body, collected, page.Data)
		}
		if all := names(events); !strings.HasPrefix(all, "metadata") || !strings.HasSuffix(all, "done") {
			t.Errorf("%s: events %s", body, all)
		}
		var done struct {
			Complete bool
			Metadata map[string]any
		}
		if err := json.Unmarshal([]byte(events[len(events)-1].data), &done); err != nil || !done.Complete {
			t.Errorf("%s: done %v, %v", body, done, err)
		}
		if done.Metadata["request_id"] != res.Header.Get("X-Request-Id") {
			t.Errorf("the stream has request id %v, the header %s", done.Metadata["request_id"],
				res.Header.Get("X-Request-Id"))
		}
	}
}

func TestStreamsResumeAfterAPerson(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	body := `{"prompt":"engineer","scope":"global","stream":true}`
	var all []event
	for _, e := range read(t, f.search(body).body) {
		if e.name == "result" {
			all = append(all, e)
		}
	}
	rest := f.call(http.MethodPost, "/v2/people/search", body, f.bearer(), "Last-Event-ID: "+all[2].id)
	var got []event
	for _, e := range read(t, rest.body) {
		if e.name == "result" {
			got = append(got, e)
		}
	}
	if len(got) != len(all)-3 {
		t.Fatalf("the resumed stream has %d of %d people", len(got), len(all))
	}
	for i, e := range got {
		if e.data != all[i+3].data {
			t.Errorf("got %s, want %s", e.data, all[i+3].data)
		}
	}
}

// If a search fails before its first results, a stream gets the same error as a page. Later failures are events.
func TestStreamsReportFailures(t *testing.T) {
	t.Parallel()
	panics := func(context.Context) error { panic("secret detail") }
	away := func(context.Context) error { return kith.Unreachable("elasticsearch", errors.New("secret detail")) }
	for name, c := range map[string]struct {
		fail   func(context.Context) error
		status int
		code   string
	}{
		"panic": {panics, http.StatusInternalServerError, "INTERNAL_ERROR"},
		"away":  {away, http.StatusServiceUnavailable, "ELASTICSEARCH_UNAVAILABLE"},
	} {
		t.Run(name, func(t *testing.T) {
			// "software engineer" is a search of two stages.
			body := `{"filters":{"position":"engineer, software engineer"},"stream":true,"scope":"global"}`
			res := failing(t, 1, c.fail).search(body)
			if res.StatusCode != c.status || !strings.Contains(string(res.body), c.code) ||
				strings.Contains(string(res.body), "secret detail") {
				t.Errorf("failure before the first results: status %d: %s", res.StatusCode, res.body)
			}
			res = failing(t, 2, c.fail).search(body)
			events := read(t, res.body)
			if got := names(events); !strings.HasPrefix(got, "metadata result ") || !strings.HasSuffix(got,
				"error done") || strings.Contains(string(res.body), "secret detail") {
				t.Errorf("failure after the first results: %s", res.body)
			}
			if last := events[len(events)-1].data; !strings.Contains(last, `"complete":false`) {
				t.Errorf("the done event is %s", last)
			}
		})
	}
}

// Counts from a counts token do not start the stream: if the engine then fails, the error still has its status.
func TestCountsDoNotHideAFailure(t *testing.T) {
	t.Parallel()
	body := `{"prompt":"engineer","scope":"global","limit":1,"include_counts":"global"`
	var away atomic.Bool
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Search = newSearch(t, f.db, func(context.Context) error {
			if away.Load() {
				return kith.Unreachable("elasticsearch", errors.New("refused"))
			}
			return nil
		})
	})
	var first struct {
		Metadata struct {
			CountsToken string `json:"counts_token"`
		}
	}
	if err := json.Unmarshal(f.search(body+"}").body, &first); err != nil || first.Metadata.CountsToken == "" {
		t.Fatalf("counts token of the first page: %v, %+v", err, first)
	}
	body += `,"stream":true,"counts_token":"` + first.Metadata.CountsToken + `"}`
	if got := names(read(t, f.search(body).body)); got != "metadata counts result done" {
		t.Errorf("events %q", got)
	}
	away.Store(true)
	f.search(body).wants(t, http.StatusServiceUnavailable, "ELASTICSEARCH_UNAVAILABLE")
}

// failing returns a fixture whose engine fails from its nth call on.
func failing(t *testing.T, nth int32, fail func(context.Context) error) *fixture {
	t.Helper()
	var calls atomic.Int32
	return newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Search = newSearch(t, f.db, func(ctx context.Context) error {
			if calls.Add(1) < nth {
				return nil
			}
			return fail(ctx)
		})
	})
}

// A stopping server lets streams finish. It refuses those without a result when the grace period ends.
func TestStoppingServersFinishStreams(t *testing.T) {
	t.Parallel()
	for name, grace := range map[string]time.Duration{"in time": time.Minute, "too late": 50 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			working, goOn := make(chan struct{}, 1), make(chan struct{})
			f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
				cfg.Logger, cfg.Grace = zerolog.Nop(), grace
				cfg.Datasets[0].Search = newSearch(t, f.db, func(ctx context.Context) error {
					working <- struct{}{}
					select {
					case <-goOn:
						return nil
					case <-ctx.Done():
						return ctx.Err()
					}
				})
			})
			stop, served := f.serve()
			go func() {
				<-working
				stop()
				if grace == time.Minute {
					close(goOn)
				}
			}()
			res := f.search(`{"prompt":"engineer","scope":"global","stream":true}`)
			if grace == time.Minute {
				if got := names(read(t, res.body)); got != "metadata result stage done" {
					t.Errorf("events %q", got)
				}
			} else if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(res.body),
				"SHUTTING_DOWN") {
				t.Errorf("status %d: %s", res.StatusCode, res.body)
			}
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}
