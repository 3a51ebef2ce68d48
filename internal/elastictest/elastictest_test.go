package elastictest_test

import (
	"context"
	"net/http"
	"testing"

	"kith/internal/elastictest"
)

func TestNodeWithSecurityAndTLS(t *testing.T) {
	n, err := elastictest.Start(context.Background(), elastictest.Options{Security: true, TLS: true, Heap: "384m"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := n.Stop(); err != nil {
			t.Error(err)
		}
	}()
	status, _, err := n.Do(t.Context(), http.MethodGet, "/_security/_authenticate", nil)
	if err != nil || status != http.StatusOK {
		t.Fatalf("with credentials: %d, %v", status, err)
	}
	n.Username = ""
	if status, _, err = n.Do(t.Context(), http.MethodGet, "/_security/_authenticate", nil); err != nil || status != http.StatusUnauthorized {
		t.Errorf("without credentials: %d, %v", status, err)
	}
	if res, err := http.Get(n.URL); err == nil {
		_ = res.Body.Close()
		t.Error("a client without the authority's certificate was let in")
	}
}
