package elastictest_test

import (
	"context"
	"encoding/json"
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
	res, err := n.Do(t.Context(), http.MethodPost, "/_security/api_key", []byte(`{"name":"test"}`))
	if err != nil {
		t.Fatal(err)
	}
	var key struct {
		Encoded string `json:"encoded"`
	}
	if err := json.NewDecoder(res.Body).Decode(&key); err != nil || key.Encoded == "" {
		t.Fatalf("API key: status %d, error %v, key %+v", res.StatusCode, err, key)
	}
	if _, err := http.Get(n.URL); err == nil {
		t.Error("a client without the authority's certificate was let in")
	}
}
