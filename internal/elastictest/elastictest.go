package elastictest

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/leash"
)

// URLVariable is the environment variable that names a running node for all
// test processes to share; it must have security off.
const URLVariable = "KITH_TEST_ELASTICSEARCH_URL"

// WithoutVariable is the environment variable that accepts, with the value
// "elasticsearch", that a machine cannot run Elasticsearch: the tests on it are skipped
// then, and no test fails because of that.
const WithoutVariable = "KITH_TEST_WITHOUT"

// Main runs the tests of a package. It is the whole body of TestMain in a package that
// calls [URL].
func Main(m *testing.M) { os.Exit(leash.Run(m)) }

// URL returns the address of a node for this test: the one that
// $KITH_TEST_ELASTICSEARCH_URL names, else one that all packages of a go test command
// share, which ends with the command. The test is skipped where [Missing] is, and fails
// where there is no node for another reason.
func URL(t testing.TB) string {
	t.Helper()
	if url := os.Getenv(URLVariable); url != "" {
		return strings.TrimRight(url, "/")
	}
	Need(t)
	url, err := sharedNode()
	if err != nil {
		t.Fatalf("a test needs Elasticsearch: %v", err)
	}
	return url
}

// Need skips a test that starts a node of its own on a machine that cannot run one.
func Need(t testing.TB) {
	t.Helper()
	if err := Missing(); err != nil {
		t.Skipf("not run, because it needs Elasticsearch: %v", err)
	}
}

// sharedNode starts the node that the packages of a go test command share, unless one of
// them has.
func sharedNode() (string, error) {
	dir, err := leash.Shared()
	if err != nil {
		return "", err
	}
	address := filepath.Join(dir, "elasticsearch.url")
	err = leash.Once(dir, "elasticsearch", func(path string) error {
		n, err := Start(context.Background(), Options{Dir: path, Detach: true})
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

// Prefix returns an index-name prefix that no other test uses. It is up to the
// test to drop its indices.
func Prefix(testing.TB) string {
	return "test-" + strings.ToLower(rand.Text()[:12])
}
