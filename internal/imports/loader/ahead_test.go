package loader_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
)

// counted counts the bytes read from it.
type counted struct {
	io.Reader
	bytes int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes += n
	return n, err
}

// slow records, at the first sequence, how much is read while it is stored.
type slow struct {
	from *counted
	read int
}

func (s *slow) PutSequence(context.Context, loader.Sequence) (loader.Related, error) {
	if s.read == 0 {
		synctest.Wait()
		s.read = s.from.bytes
	}
	return loader.Related{Outcome: record.Created}, nil
}

// Sequences may be very large, so the loader reads only a few ahead.
func TestReadAheadOfSequencesIsBounded(t *testing.T) {
	const lines, size = 20, 1 << 20
	var text strings.Builder
	for i := range lines {
		fmt.Fprintf(&text, `{"app":"a","external_user_id":"u","name":"%d","description":"%s"}`+"\n", i,
			strings.Repeat("x", size))
	}
	rejects := filepath.Join(t.TempDir(), "r")
	synctest.Test(t, func(t *testing.T) {
		from := &counted{Reader: strings.NewReader(text.String())}
		store := &slow{from: from}
		load := loader.New(recordtest.NewStore())
		load.Sequences = store
		stats, err := load.File(t.Context(), record.ForEveryone(), "-",
			loader.Options{Kind: record.Sequences, Rejects: rejects, Stdin: from, BatchLines: 1})
		if err != nil || stats.Created != lines {
			t.Errorf("got the stats %+v, %v", stats, err)
		}
		if ahead := store.read/size - 1; ahead > 3 {
			t.Errorf("while one sequence is stored, %d are read ahead", ahead)
		}
	})
}
