package tasks

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rs/zerolog"
)

// A cancellation is not logged as an error. Other errors are.
func TestLoggerOmitsCancellations(t *testing.T) {
	var out bytes.Buffer
	log := logger(zerolog.New(&out))
	log.Error("starting a transaction", "error", "context canceled")
	log.With("a", "b").Error("starting a transaction", "error", "begin: context canceled")
	log.Info("fetched")
	if out.Len() > 0 {
		t.Errorf("logged %s", out.String())
	}
	log.Error("starting a transaction", "error", "disk full")
	if !strings.Contains(out.String(), "disk full") {
		t.Errorf("logged %q", out.String())
	}
}
