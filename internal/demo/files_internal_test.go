package demo

import (
	"crypto/rand"
	"errors"
	"testing"
)

type fullDisk struct{ err error }

func (d fullDisk) Write([]byte) (int, error) { return 0, d.err }

// Every layer above the file fails with the same write, but the error appears once.
func TestFullDiskIsReportedOnce(t *testing.T) {
	disk := fullDisk{errors.New("no space left")}
	k := recordKind{
		name: "people", total: 50_000, line: func(int64) ([]byte, error) { return []byte(rand.Text()), nil },
	}
	for _, compress := range []string{Plain, Gzip, Zstd} {
		err := k.compressTo(t.Context(), disk, compress, func(string, int, int) {})
		if err == nil || err.Error() != "no space left" {
			t.Errorf("%q: %v", compress, err)
		}
	}
}
