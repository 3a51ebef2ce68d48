package source

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"kith"
)

// overdue is a context whose time is over and whose timer is yet to run, as on a
// machine that has much else to do.
type overdue struct{ context.Context }

func (overdue) Deadline() (time.Time, bool) { return time.Unix(0, 0), true }

// Whoever has no more time is told so, and nothing of the provider: the limit of its
// rate was not reached, and it did not fail.
func TestCallersWhoseTimeIsOver(t *testing.T) {
	p, err := NewProvider(ProviderConfig{URL: "https://provider.example", Rate: 1000})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	ctx := overdue{t.Context()}
	_, asked := p.Fetch(ctx, "https://social.example/in/jane-doe")
	for what, err := range map[string]error{
		"before it is asked": asked,
		"while it is dialed": explain(ctx, os.ErrDeadlineExceeded),
	} {
		if _, told := errors.AsType[*kith.Error](err); told || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
