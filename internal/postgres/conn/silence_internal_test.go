package conn

import (
	"testing"
	"time"
)

// An address that was silent is avoided while another one serves in its place, and no longer.
func TestSilentAddressesAreAvoidedIfAnotherServes(t *testing.T) {
	before, during, after := time.Now().Add(-3*time.Second), time.Now().Add(-2*time.Second), time.Now()
	for name, tt := range map[string]struct {
		silent, served map[string]time.Time
		want           bool
	}{
		"none was silent":      {nil, map[string]time.Time{"a": before, "b": before}, false},
		"no other one serves":  {map[string]time.Time{"a": during}, map[string]time.Time{"a": before}, false},
		"another one did":      {map[string]time.Time{"a": during}, map[string]time.Time{"a": before, "b": before}, false},
		"another one does":     {map[string]time.Time{"a": during}, map[string]time.Time{"a": before, "b": after}, true},
		"it serves again, too": {map[string]time.Time{"a": during}, map[string]time.Time{"a": after, "b": after}, false},
		"long ago": {
			map[string]time.Time{"a": during.Add(-avoidance)}, map[string]time.Time{"b": after}, false,
		},
	} {
		ls := newLines()
		ls.silent, ls.served = tt.silent, tt.served
		if got := ls.avoids("a"); got != tt.want {
			t.Errorf("%s: avoided %t", name, got)
		}
	}
}
