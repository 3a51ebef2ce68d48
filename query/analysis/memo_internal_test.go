package analysis

import (
	"strconv"
	"strings"
	"testing"
)

func TestMemoIsBoundedAndReadsOnce(t *testing.T) {
	var m memo[string, int]
	reads := 0
	read := func(text string) int { reads++; return len(text) }
	for range 2 {
		for i := range maxMemo + 10 {
			text := strconv.Itoa(i)
			if got := m.of(text, len(text), read); got != len(text) {
				t.Fatalf("%q gave %d", text, got)
			}
		}
		if len(m.have) > maxMemo {
			t.Errorf("the memo keeps %d entries", len(m.have))
		}
	}
	before := reads
	for range 2 {
		m.of("new", 3, read)
		m.of(strings.Repeat("x", maxMemoText+1), maxMemoText+1, read)
	}
	if got := reads - before; got != 3 {
		t.Errorf("read %d times, want short texts once and a long one twice", got)
	}
}
