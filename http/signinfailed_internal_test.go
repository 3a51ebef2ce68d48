package http

import (
	"fmt"
	"sync"
	"testing"
)

// Many guessing addresses make few audit entries, and every guess counts.
func TestFailedSignInsAreBounded(t *testing.T) {
	var f failedSignIns
	var all sync.WaitGroup
	for i := range 500 {
		all.Go(func() {
			for _, code := range []string{"TOKEN_INVALID", "TOKEN_EXPIRED"} {
				f.add(fmt.Sprint("192.0.2.", i%250), code)
			}
		})
	}
	all.Wait()
	counted, n := f.take(), 0
	for _, count := range counted {
		n += count
	}
	if n != 1000 || len(counted) > maxFailures+2 || counted[failedSignIn{otherAddresses, "TOKEN_INVALID"}] == 0 {
		t.Errorf("%d failed sign-ins in %d entries: %v", n, len(counted), counted)
	}
	if again := f.take(); len(again) > 0 {
		t.Errorf("counted twice: %v", again)
	}
}
