package turns_test

import (
	"testing"

	"kith"
	"kith/index/turns"
)

// What a turn costs whom nobody keeps waiting.
func BenchmarkTurn(b *testing.B) {
	ctx, all := kith.WithActor(b.Context(), kith.Actor{UserID: 1}), turns.New(12, 8)
	b.ReportAllocs()
	for b.Loop() {
		turn, err := all.Take(ctx)
		if err != nil {
			b.Fatal(err)
		}
		turn.GiveBack()
	}
}
