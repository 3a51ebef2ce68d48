package source

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"kith"
	"kith/internal/test/expect"
)

// overdue is a context whose deadline has passed before its timer ran, as on a busy machine.
type overdue struct{}

func (overdue) Deadline() (time.Time, bool) { return time.Unix(0, 0), true }
func (overdue) Done() <-chan struct{}       { return nil }
func (overdue) Err() error                  { return nil }
func (overdue) Value(any) any               { return nil }

// A caller whose deadline has passed gets a timeout. The error blames neither the rate limit nor the provider.
func TestExpiredCallersGetATimeout(t *testing.T) {
	p, err := NewProvider(ProviderConfig{URL: "https://provider.example", Rate: 1000})
	expect.NoError(t, err)
	t.Cleanup(p.Close)
	ctx := overdue{}
	_, asked := p.Fetch(ctx, "https://social.example/in/jane-doe")
	for what, err := range map[string]error{
		"before it is asked": asked,
		"while it is dialed": explain(ctx, os.ErrDeadlineExceeded),
	} {
		if _, ok := errors.AsType[*kith.Error](err); ok || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
