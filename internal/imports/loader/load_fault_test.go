package loader_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/recordtest"
	"kith/internal/test/expect"
)

// A database that fails in the middle keeps whole batches. A second run completes the load.
func TestFailureOfTheStoreKeepsWholeBatches(t *testing.T) {
	s := recordtest.NewStore()
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&text, at(fmt.Sprintf("P%d", i), ""))
	}
	broken := &failingStore{Store: s, left: 3}
	opts := loader.Options{
		Kind: record.People, Stdin: strings.NewReader(text.String()), BatchLines: 100,
		Rejects: filepath.Join(t.TempDir(), "r"),
	}
	stats, err := loader.New(broken).File(t.Context(), record.ForEveryone(), "-", opts)
	if err == nil || !strings.Contains(err.Error(), "lines 301 to 400") || stats.Read != 300 ||
		len(s.State.PersonRows) != 300 {
		t.Fatalf("got %v, stats %+v, want a failure at lines 301 to 400", err, stats)
	}
	stats, _ = loadText(t, s, record.People, text.String())
	if stats.Unchanged != 300 || stats.Created != 700 {
		t.Fatalf("got the stats %+v, want 300 unchanged and 700 created", stats)
	}
}

type failingStore struct {
	*recordtest.Store
	left int
}

func (f *failingStore) Write(ctx context.Context, o record.Origin, do func(context.Context, record.Tx) error) error {
	if f.left--; f.left < 0 {
		return kith.Unreachable("postgres", errors.New("gone"))
	}
	return f.Store.Write(ctx, o, do)
}

// A line that only the database can judge invalid is rejected alone.
func TestStoreRejectsASingleLine(t *testing.T) {
	s := recordtest.NewStore()
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintln(&text, at(fmt.Sprintf("P%d", i), ""))
	}
	opts := loader.Options{
		Kind: record.People, Stdin: strings.NewReader(text.String()), Rejects: filepath.Join(t.TempDir(), "r"),
	}
	stats, err := loader.New(&refusingStore{Store: s, name: "P37"}).File(t.Context(), record.ForEveryone(), "-", opts)
	expect.NoError(t, err)
	checkSum(t, stats)
	rejects := readRejects(t, opts.Rejects)
	if stats.Created != 99 || len(rejects) != 1 || rejects[0].Line != 38 ||
		!strings.Contains(rejects[0].Reason, "too odd") {
		t.Fatalf("got the stats %+v, rejects %+v, want line 38 rejected", stats, rejects)
	}
}

type refusingStore struct {
	*recordtest.Store
	name string
}

func (r *refusingStore) Write(ctx context.Context, o record.Origin, do func(context.Context, record.Tx) error) error {
	return r.Store.Write(ctx, o, func(ctx context.Context, tx record.Tx) error {
		if err := do(ctx, tx); err != nil {
			return err
		}
		for _, p := range r.State.PersonRows {
			if p.Person.FullName == r.name {
				return kith.Errorf(kith.Invalid, "REFUSED", "the name is too odd")
			}
		}
		return nil
	})
}

// A canceled load from a terminal or a pipe ends, although its read stays blocked.
func TestLoadFromStdinCanBeCanceled(t *testing.T) {
	in, out := io.Pipe()
	t.Cleanup(func() { _ = out.Close() })
	ctx, cancel := context.WithCancel(t.Context())
	opts := loader.Options{Kind: record.People, Stdin: in, Rejects: filepath.Join(t.TempDir(), "r")}
	go func() {
		fmt.Fprintln(out, at("Ann", ""))
		cancel()
	}()
	if _, err := loader.New(recordtest.NewStore()).File(ctx, record.ForEveryone(), "-", opts); !errors.Is(
		err,
		context.Canceled,
	) {
		t.Fatalf("got %v", err)
	}
}
