//go:build unix

package embedded_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"kith/internal/expect"
	"kith/internal/postgres/embedded"
)

// The test needs the registry, so it runs only on request.
func TestFetchedArchiveIsVerified(t *testing.T) {
	if os.Getenv("KITH_TEST_FETCH") == "" {
		t.Skip("set KITH_TEST_FETCH=1 to fetch PostgreSQL")
	}
	dir := t.TempDir()
	cache, err := os.MkdirTemp("/tmp", "kith-fetch") //nolint:usetesting // t.TempDir is closed to other users
	expect.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(cache) })
	expect.NoError(t, os.Chmod(cache, 0o755))
	opts := embedded.Options{AlwaysFetch: true, CacheDir: cache}
	s, err := embedded.Open(t.Context(), dir, opts)
	expect.NoError(t, err)
	if got := exec1(t, s.URL(), "select current_setting('server_version')"); !strings.HasPrefix(got, "17.") {
		t.Fatalf("version %s", got)
	}
	expect.NoError(t, s.Close())

	// A changed archive is refused and removed. The next start succeeds.
	archives, err := filepath.Glob(filepath.Join(cache, "archives", "*.txz"))
	expect.NoError(t, err)
	if len(archives) != 1 {
		t.Fatalf("archives: %v", archives)
	}
	unpacked, err := filepath.Glob(filepath.Join(cache, "17*"))
	expect.NoError(t, err)
	expect.NoError(t, os.RemoveAll(unpacked[0]))
	f, err := os.OpenFile(archives[0], os.O_APPEND|os.O_WRONLY, 0)
	expect.NoError(t, err)
	_, err = f.WriteString("x")
	expect.NoError(t, err)
	expect.NoError(t, f.Close())
	refusedOnce(t, dir, opts, archives[0])

	// The same holds for an incomplete archive.
	expect.NoError(t, os.RemoveAll(unpacked[0]))
	expect.NoError(t, os.Truncate(archives[0], 1<<20))
	refusedOnce(t, dir, opts, archives[0])
}

// Network errors are retried; answers of the repository are final. The checksum is requested after the archive.
func TestFetchRetriesOnlyNetworkErrors(t *testing.T) {
	t.Setenv("KITH_POSTGRES_BIN", "")
	sever := func(http.ResponseWriter) { panic(http.ErrAbortHandler) }
	half := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, "half of it")
	}
	missing := func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }
	text := func(w http.ResponseWriter) { _, _ = io.WriteString(w, "something else") }
	for name, tt := range map[string]struct {
		answers []func(http.ResponseWriter) // the last one is repeated
		want    int64                       // number of requests
		says    string
	}{
		"no connection":     {[]func(http.ResponseWriter){sever}, 3, "unable to connect"},
		"cut off":           {[]func(http.ResponseWriter){half}, 3, "EOF"},
		"no checksum":       {[]func(http.ResponseWriter){text, sever, text, sever, text, sever}, 6, "sha256"},
		"reachable at last": {[]func(http.ResponseWriter){sever, half, missing}, 3, "no version found"},
		"not found":         {[]func(http.ResponseWriter){missing}, 1, "no version found"},
		"wrong checksum":    {[]func(http.ResponseWriter){text}, 2, "checksums do not match"},
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int64
			repository := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				n := int(requests.Add(1))
				tt.answers[min(n, len(tt.answers))-1](w)
			}))
			repository.Config.SetKeepAlivesEnabled(false) // net/http itself retries on a used connection
			t.Cleanup(repository.Close)
			opts := embedded.FetchFrom(embedded.Options{AlwaysFetch: true, CacheDir: t.TempDir()}, repository.URL)
			if _, err := embedded.Programs(t.Context(), opts); err == nil || !strings.Contains(err.Error(), tt.says) ||
				requests.Load() != tt.want {
				t.Errorf("%d requests, %v", requests.Load(), err)
			}
		})
	}
}

// refusedOnce opens with a wrong archive. That is removed, and the next start fetches another one.
func refusedOnce(t *testing.T, dir string, opts embedded.Options, archive string) {
	t.Helper()
	_, err := embedded.Open(t.Context(), dir, opts)
	if strings.Contains(archive, "linux-amd64") && (err == nil || !strings.Contains(err.Error(), "SHA-256")) {
		t.Fatalf("a changed archive was not refused: %v", err)
	}
	s, err := embedded.Open(t.Context(), dir, opts)
	expect.NoError(t, err)
	expect.NoError(t, s.Close())
}
