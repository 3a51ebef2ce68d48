package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/search"
)

// patient is a writer that knows until when the request is to be read.
type patient struct {
	*httptest.ResponseRecorder
	until time.Time
}

// SetReadDeadline implements what [http.ResponseController] looks for.
func (r *patient) SetReadDeadline(at time.Time) error {
	r.until = at
	return nil
}

// searcher is a search that is a function.
type searcher func()

func (s searcher) Search(context.Context, search.Request) (*search.Results, error) {
	s()
	return nil, kith.Errorf(kith.NotFound, "NOTHING", "nothing is searched")
}

// The time to read a request is that of its body: net/http takes the end of that time
// for a client that went away, which what is asked must not be broken off for.
func TestTimeToReadEndsWithTheBody(t *testing.T) {
	w := &patient{ResponseRecorder: httptest.NewRecorder(), until: time.Now().Add(time.Minute)}
	asked := false
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) {
		cfg.Directories[0].Search = searcher(func() {
			if asked = true; !w.until.IsZero() {
				t.Error("a search is at work in the time to read its request")
			}
		})
	})
	req := httptest.NewRequest(http.MethodPost, "/v2/people/search", strings.NewReader(`{"prompt":"engineer"}`))
	req.Header.Set("Authorization", "Bearer "+f.token)
	req.Header.Set("Content-Type", "application/json")
	if f.server.ServeHTTP(w, req); !asked {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
