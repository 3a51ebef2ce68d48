package trust_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"kith/internal/test/e2e"
)

// A canceled erasure hides a person and restores them in searches. The audit has both events.
func TestCancelledErasuresRestorePeople(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:50]))
		s, token := k.Serve(t, e2e.Unlimited()...), k.LiveToken(t)
		url, _ := g.People[0]["social_url"].(string)
		out := k.Run(t, "forget", "--yes", url)
		_, after, _ := strings.Cut(out, "kith erasures cancel ")
		var id int64
		if _, err := fmt.Sscan(after, &id); err != nil {
			t.Fatalf("erasure: %s: %v", out, err)
		}
		e2e.Eventually(t, "the person is hidden", func() bool { return s.Found(t, token) == 49 })
		k.Run(t, "erasures", "cancel", fmt.Sprint(id))
		e2e.Eventually(t, "the person is back", func() bool { return s.Found(t, token) == 50 })
		if out := k.Run(t, "audit"); !strings.Contains(out, "person.erased") || !strings.Contains(out,
			"erasure.canceled") || strings.Contains(out, url) {
			t.Errorf("audit: %s", out)
		}
		if out := k.Run(t, "audit", "verify"); !strings.Contains(out, "entries verified") {
			t.Errorf("verification of the audit: %s", out)
		}
	})
}

// A server is killed during requests with idempotency keys. Afterwards each key gives its first answer or makes
// its change, once.
func TestIdempotencyKeysSurviveAKill(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	s := k.Serve(t, e2e.Unlimited()...)
	token := k.LiveToken(t)
	const keys = 200
	create := func(s *e2e.Server, i int) (int, string) {
		req, err := s.Request(context.WithoutCancel(t.Context()), "/v2/sequences", token,
			map[string]any{"name": fmt.Sprint("Q", i)})
		if err != nil {
			return 0, err.Error()
		}
		req.Header.Set("Idempotency-Key", fmt.Sprint("key ", i))
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return 0, err.Error()
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			return 0, err.Error()
		}
		return res.StatusCode, string(text)
	}
	var mu sync.Mutex
	first := map[int]string{}
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() {
			status, text := create(s, i)
			mu.Lock()
			defer mu.Unlock()
			if status == http.StatusOK {
				first[i] = text
			}
			if len(first) == keys/4 {
				s.Kill()
			}
		})
	}
	all.Wait()
	s = k.Serve(t, e2e.Unlimited()...)
	for i := range keys {
		status, text := create(s, i)
		if known := first[i]; status != http.StatusOK || known != "" && text != known {
			t.Errorf("key %d: %d %s, first %s", i, status, text, known)
		}
	}
}
