package elastictest

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/effort"
	"kith/internal/test/leash"
)

// URLVariable is the environment variable with the address of a running node for all test
// processes; security must be off.
const URLVariable = "KITH_TEST_ELASTICSEARCH_URL"

// Main runs the tests of a package. In a package that calls [URL], TestMain consists of this call.
func Main(m *testing.M) { os.Exit(leash.Run(m)) }

// URL returns the address of a node for this test: the one in $KITH_TEST_ELASTICSEARCH_URL, or a node that all packages
// of a go test command share, which ends with the command.
func URL(t testing.TB) string {
	t.Helper()
	effort.Within(t, startLimit)
	defer effort.Deadline(t)
	if url := os.Getenv(URLVariable); url != "" {
		return strings.TrimRight(url, "/")
	}
	url, err := sharedNode()
	if err != nil {
		t.Fatalf("a test needs Elasticsearch: %v", err)
	}
	return url
}

// sharedNode starts the node that the packages of a go test command share, unless it runs already.
func sharedNode() (string, error) {
	dir, err := leash.Shared()
	if err != nil {
		return "", err
	}
	address := filepath.Join(dir, "elasticsearch.url")
	err = leash.Once(dir, "elasticsearch", func(path string) error {
		n, err := Start(context.Background(), Options{Dir: path, Detach: true, Brief: true, Log: os.Stderr})
		if err != nil {
			return err
		}
		return os.WriteFile(address, []byte(n.URL), 0o600)
	})
	if err != nil {
		return "", err
	}
	url, err := os.ReadFile(address)
	return string(url), err
}

// Prefix returns an index-name prefix that no other test uses. The test must delete its indices.
func Prefix(testing.TB) string {
	return "test-" + strings.ToLower(rand.Text()[:12])
}
