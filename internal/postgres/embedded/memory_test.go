package embedded

import "testing"

func TestBuffersAreAShareOfMemory(t *testing.T) {
	for _, c := range []struct {
		meminfo string
		want    string
	}{
		{"", "256MB"},
		{"MemFree: 1 kB\n", "256MB"},
		{"MemTotal:         524288 kB\nMemFree: 1 kB\n", "128MB"},
		{"MemFree: 1 kB\nMemTotal:       16777216 kB\n", "2048MB"},
		{"MemTotal:      1073741824 kB\n", "4096MB"},
	} {
		if got := megabytes(buffers(machineMemory(c.meminfo))); got != c.want {
			t.Errorf("%q: %s, want %s", c.meminfo, got, c.want)
		}
	}
}
