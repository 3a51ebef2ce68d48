package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"
)

// A failed backup is logged, and the next one runs at the next tick until the command ends.
func TestBackupsContinueAfterAFailure(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var log bytes.Buffer
	ticks := make(chan time.Time, 2)
	ticks <- time.Now()
	ticks <- time.Now()
	made := 0
	repeat(ctx, zerolog.New(&log), ticks, func() error {
		switch made++; made {
		case 2:
			return errors.New("no space left on device")
		case 3:
			cancel()
		}
		return nil
	})
	if made != 3 {
		t.Errorf("%d backups ran, want 3", made)
	}
	if n := strings.Count(log.String(), "no space left on device"); n != 1 {
		t.Errorf("the log has the failure %d times:\n%s", n, log.String())
	}
}

// The command checks its interval and retention before it writes anything.
func TestBackupFlagsAreChecked(t *testing.T) {
	for _, tt := range []struct {
		cmd  backupCmd
		want string
	}{
		{backupCmd{To: t.TempDir(), Every: time.Second}, "--every must be at least 1m"},
		{backupCmd{To: t.TempDir(), Keep: -1}, "--keep must not be negative"},
		{backupCmd{To: "backup.kith", Keep: 7}, "need an existing directory"},
		{backupCmd{To: "nowhere/"}, "there is no directory"},
		{backupCmd{To: t.TempDir(), Every: 24 * time.Hour, Keep: 7}, ""},
	} {
		err := tt.cmd.check()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: %v, want %q", tt.cmd, err, tt.want)
		}
	}
}
