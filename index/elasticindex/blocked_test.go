package elasticindex_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"kith"
	"kith/index"
)

// A read-only index refuses no document, because it may become writable. The error says what to do.
func TestReadOnlyIndexIsUnavailable(t *testing.T) {
	d, prefix := openAt(t)
	block := func(value string) {
		t.Helper()
		if status, answer := raw(t, http.MethodPut, "/"+prefix+"-people-v1/_settings",
			`{"index.blocks.write":`+value+`}`); status != http.StatusOK {
			t.Fatalf("%d: %s", status, answer)
		}
	}
	write := func() error { return d.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil) }
	block("true")
	if err := d.CheckWritable(t.Context()); err == nil || !strings.Contains(err.Error(), prefix+"-people-v1") ||
		!strings.Contains(err.Error(), "index.blocks.write") {
		t.Errorf("the check of a blocked index returned %v", err)
	}
	if err := write(); kith.KindOf(err) != kith.Unavailable || !strings.Contains(err.Error(), "index.blocks") {
		t.Errorf("got %v, want Unavailable and what to do", err)
	}
	block("null")
	if err := d.CheckWritable(t.Context()); err != nil {
		t.Error(err)
	}
	if err := write(); err != nil {
		t.Error(err)
	}
}

// Credentials without the right to write refuse no document either.
func TestForbiddenWriteIsUnavailable(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		d, _ := standIn(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
		err := d.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil)
		if kith.KindOf(err) != kith.Unavailable ||
			!strings.Contains(err.Error(), "credentials") && !strings.Contains(err.Error(), "password") {
			t.Errorf("%d: got %v, want Unavailable and what to do", status, err)
		}
	}
}

// A full disk is reported as such at once, in whatever part of an answer it appears. No document is refused.
func TestFullDiskIsReportedWithoutRetries(t *testing.T) {
	const flood = `{"type":"cluster_block_exception",` +
		`"reason":"index [p-people-v1] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, ` +
		`index has read-only-allow-delete block];"}`
	d, n := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/_bulk" {
			_, _ = io.WriteString(w,
				`{"errors":true,"items":[{"index":{"status":201}},{"index":{"status":429,"error":`+flood+`}}]}`)
			return
		}
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":`+flood+`,"status":429}`)
	})
	if err := d.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil); !errors.Is(err, kith.ErrDiskFull) ||
		n.Load() != 1 {
		t.Errorf("writing: %v after %d requests", err, n.Load())
	}
	if err := d.Refresh(t.Context()); !errors.Is(err, kith.ErrDiskFull) || strings.HasSuffix(err.Error(), ";") {
		t.Errorf("another request: %v", err)
	}
}
