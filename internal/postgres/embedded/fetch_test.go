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

	"kith/internal/postgres/embedded"
)

// TestFetch needs the registry, so it runs only where it is asked for.
func TestFetch(t *testing.T) {
	if os.Getenv("KITH_TEST_FETCH") == "" {
		t.Skip("set KITH_TEST_FETCH=1 to fetch PostgreSQL")
	}
	dir := t.TempDir()
	cache, err := os.MkdirTemp("/tmp", "kith-fetch") //nolint:usetesting // t.TempDir is closed to other users
	check(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(cache) })
	check(t, os.Chmod(cache, 0o755))
	opts := embedded.Options{AlwaysFetch: true, CacheDir: cache}
	s, err := embedded.Open(t.Context(), dir, opts)
	check(t, err)
	if got := exec1(t, s.URL(), "select current_setting('server_version')"); !strings.HasPrefix(got, "17.") {
		t.Fatalf("version %s", got)
	}
	check(t, s.Close())

	// An archive that was tampered with is refused and removed; then all is well.
	archives, err := filepath.Glob(filepath.Join(cache, "archives", "*.txz"))
	check(t, err)
	if len(archives) != 1 {
		t.Fatalf("archives: %v", archives)
	}
	unpacked, err := filepath.Glob(filepath.Join(cache, "17*"))
	check(t, err)
	check(t, os.RemoveAll(unpacked[0]))
	f, err := os.OpenFile(archives[0], os.O_APPEND|os.O_WRONLY, 0)
	check(t, err)
	_, err = f.WriteString("x")
	check(t, err)
	check(t, f.Close())
	refusedOnce(t, dir, opts, archives[0])

	// So is one that is only half there.
	check(t, os.RemoveAll(unpacked[0]))
	check(t, os.Truncate(archives[0], 1<<20))
	refusedOnce(t, dir, opts, archives[0])
}

// What the network does is tried again; what the repository says is believed. The
// sum is asked for after the archive.
func TestFetchIsTriedAgain(t *testing.T) {
	t.Setenv("KITH_POSTGRES_BIN", "")
	sever := func(http.ResponseWriter) { panic(http.ErrAbortHandler) }
	half := func(w http.ResponseWriter) {
		w.Header().Set("Content-Length", "1000")
		_, _ = io.WriteString(w, "half of it")
	}
	missing := func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotFound) }
	text := func(w http.ResponseWriter) { _, _ = io.WriteString(w, "something else") }
	for name, tt := range map[string]struct {
		answers []func(http.ResponseWriter) // the last one again and again
		want    int64                       // requests
		says    string
	}{
		"never there":     {[]func(http.ResponseWriter){sever}, 3, "unable to connect"},
		"breaks off":      {[]func(http.ResponseWriter){half}, 3, "EOF"},
		"no sum":          {[]func(http.ResponseWriter){text, sever, text, sever, text, sever}, 6, "sha256"},
		"there at last":   {[]func(http.ResponseWriter){sever, half, missing}, 3, "no version found"},
		"not there":       {[]func(http.ResponseWriter){missing}, 1, "no version found"},
		"not what it was": {[]func(http.ResponseWriter){text}, 2, "checksums do not match"},
	} {
		t.Run(name, func(t *testing.T) {
			var requests atomic.Int64
			repository := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				n := int(requests.Add(1))
				tt.answers[min(n, len(tt.answers))-1](w)
			}))
			repository.Config.SetKeepAlivesEnabled(false) // on a connection that was used before, net/http tries again itself
			t.Cleanup(repository.Close)
			opts := embedded.FetchFrom(embedded.Options{AlwaysFetch: true, CacheDir: t.TempDir()}, repository.URL)
			if _, err := embedded.Programs(t.Context(), opts); err == nil || !strings.Contains(err.Error(), tt.says) ||
				requests.Load() != tt.want {
				t.Errorf("%d requests, %v", requests.Load(), err)
			}
		})
	}
}

// refusedOnce opens with an archive that is not what it should be: that is removed, and
// the next start fetches another one.
func refusedOnce(t *testing.T, dir string, opts embedded.Options, archive string) {
	t.Helper()
	_, err := embedded.Open(t.Context(), dir, opts)
	if strings.Contains(archive, "linux-amd64") && (err == nil || !strings.Contains(err.Error(), "SHA-256")) {
		t.Fatalf("a changed archive was not refused: %v", err)
	}
	s, err := embedded.Open(t.Context(), dir, opts)
	check(t, err)
	check(t, s.Close())
}
