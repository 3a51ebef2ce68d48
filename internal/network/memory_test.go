package network_test

import (
	"fmt"
	"runtime"
	"testing"

	"kith"
	"kith/internal/network"
)

// BenchmarkMemory reports the memory for callers who know 30,000 of 200,000 people, as measured on
// the heap and as accounted for.
func BenchmarkMemory(b *testing.B) {
	const people, callers = 200_000, 4
	db, app := loadPeople(b, people)
	var actors []kith.Actor
	for i := range callers {
		actors = append(actors, caller(b, db, app, people, 30_000+i))
	}
	for b.Loop() {
		for _, room := range []int{128 << 20, 1 << 20} {
			circles := network.NewCircles(db.Network(), nil)
			circles.Bound(room)
			before := heap()
			for _, a := range actors {
				if _, err := circles.Now(b.Context(), a, network.Filter{}); err != nil {
					b.Fatal(err)
				}
			}
			held, accounted := heap()-before, circles.Bytes()
			b.ReportMetric(float64(held)/callers/(1<<20), fmt.Sprintf("MiB/caller-room-%d", room>>20))
			b.ReportMetric(float64(accounted)/callers/(1<<20), fmt.Sprintf("accounted-MiB/caller-room-%d", room>>20))
			runtime.KeepAlive(circles)
		}
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
