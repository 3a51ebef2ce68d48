package e2e

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestWalk pages through more than 10,000 people by cursor while other
// processes change the directory: a walk sees everyone who matched throughout
// exactly once.
func TestWalk(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		w := newWalk(t, k)
		busy := w.keepChanging()
		w.run(map[int]func(){
			10: func() {
				w.load(changed(w.leaving, record{"work_relevant": job("Zzz Keeper"), "work_history": []any{}}))
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

// walk is a walk and what becomes of people during it.
type walk struct {
	t     *testing.T
	k     kith
	s     *server
	token string

	staying, leaving, deleted, added []record
	seen                             map[int64]int
	background, changing             sync.WaitGroup
}

func newWalk(t *testing.T, k kith) *walk {
	g := generate(t)
	base := g.people[:len(g.people)-300]
	w := &walk{t: t, k: k, added: g.people[len(base):], seen: map[int64]int{}}
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
	k.run(t, "load", g.companies, k.write(t, "people.ndjson", base))
	w.s = k.serve(t, unlimited()...)
	w.token = k.liveToken(t)
	if n := w.s.found(t, w.token); n != len(base) || len(w.staying) < 10_000 {
		t.Fatalf("%d of %d people match before the walk, and %d stay", n, len(base), len(w.staying))
	}
	return w
}

func job(title string) record {
	return record{"title": title, "company": record{"id": 1}, "start_date": "2024-01"}
}

// run walks in pages of 100 and lets something happen before some pages.
func (w *walk) run(steps map[int]func()) {
	w.t.Helper()
	body := map[string]any{"filters": everyone(), "limit": 100, "scope": "global"}
	last := 0
	for page := range steps {
		last = max(last, page)
	}
	for page := 1; ; page++ {
		if step := steps[page]; step != nil {
			step()
		}
		p := w.s.search(w.t, w.token, body)
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
		if n := w.seen[p.id()]; n != 1 {
			w.t.Errorf("person %d, who matched throughout, was seen %d times", p.id(), n)
		}
	}
	for id, n := range w.seen {
		if n > 1 {
			w.t.Errorf("person %d was seen %d times", id, n)
		}
	}
	gone := append(append([]record{}, w.deleted...), w.leaving...)
	if n := w.s.found(w.t, w.token); n != len(w.staying)+len(w.added) {
		w.t.Errorf("after the walk %d people match; %d stayed and %d came", n, len(w.staying), len(w.added))
	}
	if n := w.s.has(w.t, w.token, gone); n != len(w.leaving) {
		w.t.Errorf("after the walk %d are there of %d deleted and %d changed people", n, len(w.deleted), len(w.leaving))
	}
}

// command runs a command of another process to its end.
func (w *walk) command(args ...string) {
	w.t.Helper()
	w.k.run(w.t, args...)
}

func (w *walk) load(people []record) {
	w.t.Helper()
	w.command("load", w.k.write(w.t, "people-step.ndjson", people))
}

func (w *walk) delete(people []record) {
	w.t.Helper()
	args := []string{"delete"}
	for _, p := range people {
		args = append(args, fmt.Sprint(p.id()))
	}
	w.command(args...)
}

// begin lets a command run beside the walk until wait.
func (w *walk) begin(args ...string) {
	w.background.Go(func() { w.attempt(args...) })
}

func (w *walk) wait() { w.background.Wait() }

// attempt is command for another goroutine than the test's.
func (w *walk) attempt(args ...string) bool {
	_, stderr, err := w.k.try(w.t, args...)
	if err != nil {
		w.t.Errorf("kith %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return err == nil
}

// keepChanging loads people anew, each time with another headline and other
// skills, until the returned function is called, which tells how often it did.
func (w *walk) keepChanging() (stop func() int) {
	ending, rounds := make(chan struct{}), 0
	end := sync.OnceFunc(func() {
		close(ending)
		w.changing.Wait()
	})
	w.t.Cleanup(end)
	w.changing.Go(func() {
		for ; !closed(ending); rounds++ {
			var some []record
			for i := rounds % 40; i < len(w.staying); i += 40 {
				some = append(some, w.staying[i])
			}
			some = changed(some, record{"headline": fmt.Sprint("Round ", rounds), "skills": []any{"Walking", fmt.Sprint("Round ", rounds)}})
			if !w.attempt("load", w.k.write(w.t, "people-round.ndjson", some)) {
				return
			}
		}
	})
	return func() int {
		end()
		return rounds
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
