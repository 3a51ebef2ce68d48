package http_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	kithhttp "kith/http"
	"kith/internal/test/expect"
)

// A client that disconnects during the engine's work is no error of the server.
func TestDisconnectsAreNotLoggedAsErrors(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	finds := 0
	before := func(ctx context.Context) error {
		if finds++; finds == 1 {
			return nil
		}
		leave() // after the first people arrived
		<-ctx.Done()
		return ctx.Err()
	}
	said := &logs{}
	server, err := kithhttp.New(kithhttp.Config{Logger: zerolog.New(said), Datasets: []kithhttp.Dataset{{
		Name: "live", Services: kithhttp.Services{Auth: bearers{}}, Search: newSearch(t, epochs{}, before),
		Seal: newSealer(t),
	}}})
	expect.NoError(t, err)
	req := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v2/people/search",
		strings.NewReader(`{"filters":{"position":"Software Engineer"},"scope":"global","stream":true}`))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer 1")
	w := httptest.NewRecorder()
	server.ServeHTTP(w, req)
	if finds != 2 || !strings.Contains(w.Body.String(), "event: result") {
		t.Fatalf("%d requests to the engine; answered %d %.300s", finds, w.Code, w.Body)
	}
	if text := said.String(); strings.Contains(text, `"level":"error"`) || !strings.Contains(text,
		`"message":"request"`) {
		t.Errorf("the log has %s", text)
	}
}
