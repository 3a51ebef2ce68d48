//go:build unix

package embedded_test

import (
	"strings"
	"testing"

	"kith/internal/postgres/embedded"
	"kith/internal/test/expect"
)

// A fetched PostgreSQL serves a new data directory, whichever is installed.
func TestFetchedServerRuns(t *testing.T) {
	t.Setenv("KITH_POSTGRES_FETCH", "always")
	s, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{})
	expect.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	if got := exec1(t, s.URL(), "select current_setting('server_version')"); !strings.HasPrefix(got, "17.") {
		t.Errorf("version %s", got)
	}
}
