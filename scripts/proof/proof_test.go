package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/expect"
)

// A server that did nothing, or is no server, is no proof.
func TestIdleServersAreNoProof(t *testing.T) {
	for name, c := range map[string]struct{ about, done, says string }{
		"at work": {
			`{"nodes":{"a":{"name":"n","version":"8"},"b":{}}}`,
			`{"nodes":{"a":{"indices":{"indexing":{"index_total":5}}},"b":{"indices":{"search":{"query_total":1}}}}}`,
			"<nil>",
		},
		"another node at work": {
			`{"nodes":{"a":{}}}`,
			`{"nodes":{"b":{"indices":{"indexing":{"index_total":5},"search":{"query_total":1}}}}}`,
			"1 nodes have indexed 0 documents and made 0 searches",
		},
		"no search": {
			`{"nodes":{"a":{}}}`, `{"nodes":{"a":{"indices":{"indexing":{"index_total":5}}}}}`,
			"5 documents and made 0",
		},
		"no JSON": {"hello", "{}", "invalid character"},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/none") {
				fmt.Fprint(w, c.about)
			} else {
				fmt.Fprint(w, c.done)
			}
		}))
		if err := elasticsearch(t.Context(), s.URL); !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: %v, want %s", name, err, c.says)
		}
		s.Close()
	}
}

// The work of all test databases counts together.
func TestIdleDatabasesAreNoProof(t *testing.T) {
	path := filepath.Join(t.TempDir(), "proof")
	if err := postgres(path); err == nil || !strings.Contains(err.Error(), "no test database") {
		t.Errorf("without a file: %v", err)
	}
	for text, says := range map[string]string{
		"170004 5 0\n170004 0 7\n": "<nil>", "170004 5 0\n": "the tests did not use it",
		"170004 0 7\n": "did not use it",
		"":             "did not use it", "170004 5 1\n17 x 1\n": `"17 x 1\n"`,
	} {
		expect.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		if err := postgres(path); !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
}
