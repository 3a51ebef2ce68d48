package fair_test

import (
	"testing"

	"kith/index/fair"
	"kith/internal/expect"
)

// The cost of a slot without contention.
func BenchmarkTurn(b *testing.B) {
	ctx, all := fair.WithUser(b.Context(), 1), fair.New(12, 8)
	b.ReportAllocs()
	for b.Loop() {
		slot, err := all.Acquire(ctx)
		expect.NoError(b, err)
		slot.Release()
	}
}
