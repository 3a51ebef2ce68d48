package http_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	kithhttp "kith/http"
)

// A queue that cannot be read is missing from the metrics. The other ones stay.
func TestMetricsIncludeReadableQueues(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) {
		cfg.Queues = []kithhttp.Queue{
			{Dataset: "live", Look: func(context.Context) (kithhttp.QueueState, error) {
				return kithhttp.QueueState{Entries: 3, Refused: 1, Age: 90 * time.Second}, nil
			}},
			{Dataset: "demo", Look: func(context.Context) (kithhttp.QueueState, error) {
				return kithhttp.QueueState{}, errors.New("away")
			}},
		}
	})
	metrics := httptest.NewRecorder()
	f.server.Metrics().ServeHTTP(metrics, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	body := metrics.Body.String()
	for _, want := range []string{
		`kith_index_queue_entries{directory="live"} 3`, `kith_index_queue_age_seconds{directory="live"} 90`,
		`kith_index_refused_records{directory="live"} 1`, "go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if metrics.Code != http.StatusOK || strings.Contains(body, "demo") {
		t.Errorf("status %d; metrics with a queue that cannot be read:\n%s", metrics.Code, body)
	}
}
