package walk_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"kith/internal/test/e2e"
)

// A walk by cursor over more than 10,000 people sees everyone who matched throughout exactly once, while other
// processes change the dataset.
func TestWalksSeeEveryMatchOnce(t *testing.T) {
	e2e.OnEngines(t, func(t *testing.T, k e2e.Kith) {
		w := newWalk(t, k)
		busy := w.keepChanging()
		w.run(map[int]func(){
			10: func() {
				w.load(e2e.Changed(w.leaving, e2e.Record{
					"work_relevant": e2e.Job("Zzz Keeper"),
					"work_history":  []any{},
				}))
			},
			25: func() { w.delete(w.deleted[:len(w.deleted)/2]) },
			30: func() { w.command("reindex") },
			45: func() { w.begin("reindex") },
			60: w.wait,
			70: func() { w.load(w.added) },
			80: func() { w.delete(w.deleted[len(w.deleted)/2:]) },
			90: func() { w.command("reindex") },
		})
		rounds := busy()
		w.check()
		t.Logf("%d people seen, %d loads beside the walk", len(w.seen), rounds)
	})
}

// walk is a walk with the changes during it.
type walk struct {
	t     *testing.T
	k     e2e.Kith
	s     *e2e.Server
	token string

	staying, leaving, deleted, added []e2e.Record
	seen                             map[int64]int
	background, changing             sync.WaitGroup
	// turns has a token if a round of changes may begin.
	turns chan struct{}
}

func newWalk(t *testing.T, k e2e.Kith) *walk {
	g := e2e.Generate(t)
	base := g.People[:len(g.People)-300]
	w := &walk{t: t, k: k, added: g.People[len(base):], seen: map[int64]int{}, turns: make(chan struct{}, 1)}
	for i, p := range base {
		switch {
		case i%97 == 5:
			w.deleted = append(w.deleted, p)
		case i%101 == 7:
			w.leaving = append(w.leaving, p)
		default:
			w.staying = append(w.staying, p)
		}
	}
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", base))
	w.s = k.Serve(t, e2e.Unlimited()...)
	w.token = k.LiveToken(t)
	if n := w.s.Found(t, w.token); n != len(base) || len(w.staying) < 10_000 {
		t.Fatalf("before the walk %d of %d people match; %d of them stay", n, len(base), len(w.staying))
	}
	return w
}

// roundEvery is the number of pages between two rounds of changes.
const roundEvery = 10

// beginRound allows a round as soon as the last one is over.
func (w *walk) beginRound() {
	select {
	case w.turns <- struct{}{}:
	default:
	}
}

// run walks in pages of 100 and calls functions before some pages.
func (w *walk) run(steps map[int]func()) {
	w.t.Helper()
	body := map[string]any{"filters": e2e.Everyone(), "limit": 100, "scope": "global"}
	last := 0
	for page := range steps {
		last = max(last, page)
	}
	for page := 1; ; page++ {
		step := steps[page]
		if step != nil || page%roundEvery == 1 {
			w.beginRound()
		}
		if step != nil {
			step()
		}
		p := w.s.Search(w.t, w.token, body)
		for _, person := range p.Data {
			w.seen[person.ID]++
		}
		if !p.Pagination.HasNextPage {
			if page < last {
				w.t.Fatalf("the walk ended with page %d", page)
			}
			return
		}
		body = map[string]any{"cursor": p.Pagination.Cursor}
	}
}

func (w *walk) check() {
	w.t.Helper()
	for _, p := range w.staying {
		if n := w.seen[p.ID()]; n != 1 {
			w.t.Errorf("person %d, who matched throughout, was seen %d times", p.ID(), n)
		}
	}
	for id, n := range w.seen {
		if n > 1 {
			w.t.Errorf("person %d was seen %d times", id, n)
		}
	}
	gone := append(append([]e2e.Record{}, w.deleted...), w.leaving...)
	if n := w.s.Found(w.t, w.token); n != len(w.staying)+len(w.added) {
		w.t.Errorf("after the walk %d people match; %d stayed and %d were added", n, len(w.staying), len(w.added))
	}
	if n := w.s.Has(w.t, w.token, gone); n != len(w.leaving) {
		w.t.Errorf("after the walk %d people match of %d deleted and %d changed ones", n, len(w.deleted),
			len(w.leaving))
	}
}

// command runs another process to its end.
func (w *walk) command(args ...string) {
	w.t.Helper()
	w.k.Run(w.t, args...)
}

func (w *walk) load(people []e2e.Record) {
	w.t.Helper()
	w.command("load", w.k.Write(w.t, "people-step.ndjson", people))
}

func (w *walk) delete(people []e2e.Record) {
	w.t.Helper()
	args := []string{"delete", "--yes"}
	for _, p := range people {
		args = append(args, fmt.Sprint(p.ID()))
	}
	w.command(args...)
}

// begin runs a command beside the walk until wait.
func (w *walk) begin(args ...string) {
	w.background.Go(func() { w.attempt(args...) })
}

func (w *walk) wait() { w.background.Wait() }

// attempt is command for goroutines besides the test's.
func (w *walk) attempt(args ...string) bool {
	_, stderr, err := w.k.Try(w.t, args...)
	if err != nil {
		w.t.Errorf("kith %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return err == nil
}

// keepChanging loads people with new headlines and skills in rounds, until the caller calls stop, which returns the
// number of rounds. The pace is limited: as many rounds as the processor can do would only make the walk longer.
func (w *walk) keepChanging() (stop func() int) {
	ending, rounds := make(chan struct{}), 0
	end := sync.OnceFunc(func() {
		close(ending)
		w.changing.Wait()
	})
	w.t.Cleanup(end)
	w.changing.Go(func() {
		for ; w.mayBegin(ending); rounds++ {
			var some []e2e.Record
			for i := rounds % 40; i < len(w.staying); i += 40 {
				some = append(some, w.staying[i])
			}
			some = e2e.Changed(some, e2e.Record{
				"headline": fmt.Sprint("Round ", rounds),
				"skills":   []any{"Walking", fmt.Sprint("Round ", rounds)},
			})
			if !w.attempt("load", w.k.Write(w.t, "people-round.ndjson", some)) {
				return
			}
		}
	})
	return func() int {
		end()
		return rounds
	}
}

// mayBegin waits for the next round; it returns false once the walk is over.
func (w *walk) mayBegin(ending <-chan struct{}) bool {
	select {
	case <-w.turns:
		return true
	case <-ending:
		return false
	}
}
