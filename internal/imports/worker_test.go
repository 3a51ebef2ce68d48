package imports_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/imports"
	"kith/internal/test/expect"
)

// desk has imports of one status, one for each user. The deletion of the one named long lasts until end is closed.
type desk struct {
	imports.Desk
	status imports.Status
	users  map[string]int64
	long   string
	end    chan struct{}

	mu     sync.Mutex
	locks  int
	locked map[int64]bool
	undone map[string]bool
}

func newDesk(status imports.Status) *desk {
	return &desk{
		status: status, users: map[string]int64{"first": 1, "second": 2}, long: "first", end: make(chan struct{}),
		locked: map[int64]bool{}, undone: map[string]bool{},
	}
}

// run works on the imports until every goroutine waits, calls look, and ends.
func (d *desk) run(t *testing.T, look func()) {
	t.Helper()
	w := imports.NewWorker(imports.Config{
		Desk: d, Folder: imports.Folder(t.TempDir()), Logger: zerolog.Nop(),
		Open: func(context.Context) ([]string, error) { return []string{"first", "second"}, nil },
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- w.Run(ctx) }()
	synctest.Wait()
	d.mu.Lock()
	look()
	d.mu.Unlock()
	close(d.end)
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the worker ended with %v", err)
	}
}

func (d *desk) Waiting(_ context.Context, id string) (imports.Begun, bool, error) {
	return imports.Begun{
		Import: imports.Import{ID: id, Status: d.status, Created: time.Now()}, Actor: kith.Actor{UserID: d.users[id]},
	}, true, nil
}

func (d *desk) Lock(_ context.Context, user int64) (release func(), ok bool, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked[user] {
		return nil, false, nil
	}
	d.locks++
	d.locked[user] = true
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.locked, user)
	}, true, nil
}

func (d *desk) Undo(_ context.Context, b imports.Begun) error {
	if b.ID == d.long {
		<-d.end
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.undone[b.ID] = true
	return nil
}

// An import in progress is offered again and again, and keeps no other one out.
func TestImportsInProgressKeepNoOtherOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(imports.Deleting)
		d.run(t, func() {
			if !d.undone["second"] || d.undone["first"] {
				t.Errorf("undone while the first is in progress: %v", d.undone)
			}
		})
	})
}

// A server leaves imports to another one that has their files, and does not lock its users meanwhile.
func TestImportsAreLeftToTheServerWithTheFiles(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(imports.Queued)
		d.run(t, func() {
			if d.locks != 0 {
				t.Errorf("%d locks", d.locks)
			}
		})
	})
}

// lost is a desk whose servers go away in every attempt.
type lost struct {
	*desk

	continues []bool
}

func (l *lost) Begin(_ context.Context, _ string, continues bool) error {
	l.continues = append(l.continues, continues)
	return nil
}

func (*lost) Advance(context.Context, string, int) error { return nil }

// An attempt that loses its servers does not count against an import, however often that happens.
func TestLostServersDoNotCountAgainstImports(t *testing.T) {
	t.Parallel()
	folder := imports.Folder(t.TempDir())
	upload, err := folder.New()
	expect.NoError(t, err)
	expect.NoError(t, upload.Add("book.csv", strings.NewReader("First Name,Last Name,Company\nAnn,Abel,Acme\n")))
	synctest.Test(t, func(t *testing.T) {
		l := &lost{desk: newDesk(imports.Queued)}
		w := imports.NewWorker(imports.Config{
			Desk: l, Folder: folder, Logger: zerolog.Nop(),
			Open: func(context.Context) ([]string, error) { return []string{upload.ID}, nil },
			Owner: func(context.Context, int64) (string, error) {
				return "", kith.Errorf(kith.Unavailable, "AWAY", "postgres is away")
			},
		})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_ = w.Run(ctx) // it ends with its context
		if n := len(l.continues); n < 6 || l.continues[0] || slices.Contains(l.continues[1:], false) {
			t.Errorf("attempts that continue the one before: %v", l.continues)
		}
	})
}
