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
	res, err := n.Do(t.Context(), http.MethodGet, "/_security/_authenticate", nil)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("with credentials: %v, %v", res, err)
	}
	n.Username = ""
	if res, err = n.Do(t.Context(), http.MethodGet, "/_security/_authenticate", nil); err != nil || res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without credentials: %v, %v", res, err)
	}
	if _, err := http.Get(n.URL); err == nil {
		t.Error("a client without the authority's certificate was let in")
	}
}
