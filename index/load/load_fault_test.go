package load_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"kith"
	"kith/index/load"
)

// A database that fails in the middle keeps whole batches. A second run completes the load.
func TestFailureOfTheStoreKeepsWholeBatches(t *testing.T) {
	s := newStore()
	var text strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&text, at(fmt.Sprintf("P%d", i), ""))
	}
	broken := &failingStore{store: s, left: 3}
	opts := load.Options{
		Kind: load.People, Stdin: strings.NewReader(text.String()), BatchLines: 100,
		Rejects: filepath.Join(t.TempDir(), "r"),
	}
	stats, err := load.NewLoader(broken).File(t.Context(), "-", opts)
	if err == nil || !strings.Contains(err.Error(), "lines 301 to 400") || stats.Read != 300 ||
		len(s.state.people) != 300 {
		t.Fatalf("got %v, stats %+v, want a failure at lines 301 to 400", err, stats)
	}
	stats, _ = loadText(t, s, load.People, text.String())
	if stats.Unchanged != 300 || stats.Created != 700 {
		t.Fatalf("got the stats %+v, want 300 unchanged and 700 created", stats)
	}
}

type failingStore struct {
	*store
	left int
}

func (f *failingStore) Write(ctx context.Context, do func(context.Context, load.Tx) error) error {
	if f.left--; f.left < 0 {
		return kith.Unreachable("postgres", errors.New("gone"))
	}
	return f.store.Write(ctx, do)
}

// A line that only the database can judge invalid is rejected alone.
func TestStoreRejectsASingleLine(t *testing.T) {
	s := newStore()
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintln(&text, at(fmt.Sprintf("P%d", i), ""))
	}
	opts := load.Options{
		Kind: load.People, Stdin: strings.NewReader(text.String()),
		Rejects: filepath.Join(t.TempDir(), "r"),
	}
	stats, err := load.NewLoader(&refusingStore{store: s, name: "P37"}).File(t.Context(), "-", opts)
	check(t, err)
	checkSum(t, stats)
	rejects := readRejects(t, opts.Rejects)
	if stats.Created != 99 || len(rejects) != 1 || rejects[0].Line != 38 ||
		!strings.Contains(rejects[0].Reason, "too odd") {
		t.Fatalf("got the stats %+v, rejects %+v, want line 38 rejected", stats, rejects)
	}
}

type refusingStore struct {
	*store
	name string
}

func (r *refusingStore) Write(ctx context.Context, do func(context.Context, load.Tx) error) error {
	return r.store.Write(ctx, func(ctx context.Context, tx load.Tx) error {
		if err := do(ctx, tx); err != nil {
			return err
		}
		for _, p := range r.state.people {
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
	opts := load.Options{Kind: load.People, Stdin: in, Rejects: filepath.Join(t.TempDir(), "r")}
	go func() {
		fmt.Fprintln(out, at("Ann", ""))
		cancel()
	}()
	if _, err := load.NewLoader(newStore()).File(ctx, "-", opts); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
}
