package elastictest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
)

// URLVariable is the environment variable that names a running node for all
// test processes to share; it must have security off.
const URLVariable = "KITH_TEST_ELASTICSEARCH_URL"

// shared is the one node of a test process.
type shared struct {
	mu   sync.Mutex
	ours bool // Main will stop the node
	node *Node
	err  error
}

var process shared //nolint:gochecknoglobals // one node for each test process is the point

// Main runs the tests of a package and then stops the node that they used. It
// is the whole body of TestMain in a package that calls [URL].
func Main(m *testing.M) { os.Exit(Run(m)) }

// Run is [Main] for a package that has more to clean up: it returns the exit
// code.
func Run(m *testing.M) int {
	process.mu.Lock()
	process.ours = true
	process.mu.Unlock()
	code := m.Run()
	if n := process.node; n != nil {
		if err := n.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop Elasticsearch:", err)
		}
	}
	return code
}

// URL returns the address of a node for this test: the one that
// $KITH_TEST_ELASTICSEARCH_URL names, else one that the test process starts on
// first use and [Main] stops. The test fails if there is none.
func URL(t testing.TB) string {
	t.Helper()
	url, err := process.url()
	if err != nil {
		t.Fatalf("a test needs Elasticsearch: %v", err)
	}
	return url
}

func (s *shared) url() (string, error) {
	if url := os.Getenv(URLVariable); url != "" {
		return strings.TrimRight(url, "/"), nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ours {
		return "", errors.New("let TestMain call elastictest.Main, which stops the node again")
	}
	if s.node == nil && s.err == nil {
		s.node, s.err = Start(context.Background(), Options{})
	}
	if s.err != nil {
		return "", s.err
	}
	return s.node.URL, nil
}

// Prefix returns an index-name prefix that no other test uses. It is up to the
// test to drop its indices.
func Prefix(testing.TB) string {
	return "test-" + strings.ToLower(rand.Text()[:12])
}
