package conn

import (
	"testing"
	"time"
)

// An address that was silent is avoided while another one serves in its place, and no longer.
func TestSilentAddressesAreAvoidedIfAnotherServes(t *testing.T) {
	type times = map[string]time.Time
	before, during, after := time.Now().Add(-3*time.Second), time.Now().Add(-2*time.Second), time.Now()
	for name, tt := range map[string]struct {
		silent, served times
		want           bool
	}{
		"none was silent":      {nil, times{"a": before, "b": before}, false},
		"no other one serves":  {times{"a": during}, times{"a": before}, false},
		"another one did":      {times{"a": during}, times{"a": before, "b": before}, false},
		"another one does":     {times{"a": during}, times{"a": before, "b": after}, true},
		"it serves again, too": {times{"a": during}, times{"a": after, "b": after}, false},
		"long ago": {
			times{"a": during.Add(-avoidance)}, times{"b": after}, false,
		},
	} {
		ls := newLines()
		ls.silent, ls.served = tt.silent, tt.served
		if got := ls.avoids("a"); got != tt.want {
			t.Errorf("%s: avoided %t", name, got)
		}
	}
}
