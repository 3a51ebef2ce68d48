// Package faults_test is the matrix of faults and operations: what users do goes on while a part of an installation
// fails. No answer is wrong, nothing acknowledged is lost, nothing is done twice, and all go on when the fault is over.
// How long things take is noted, not tested. The long part has more faults and writes docs/reliability.md.
package faults_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

func TestMain(m *testing.M) { e2e.Main(m) }

func TestFaultsLoseNothing(t *testing.T) {
	s := newSite(t)
	s.fill(t)
	all, m := s.operations(), matrix{began: time.Now()}
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) { m.rows = append(m.rows, s.endure(t, f, all)) })
		expect.NoError(t, m.write())
	}
	t.Logf("\n%s", m)
}

// attempt is one try of an operation.
type attempt struct {
	began, ended time.Time
	err          error
}

// repeat has an operation go on until the end.
func (o *operation) repeat(ctx context.Context, ending <-chan struct{}) {
	for {
		a := attempt{began: time.Now()}
		limited, cancel := context.WithTimeout(ctx, patience)
		a.err = verdict(limited, o.try(limited, o.next))
		cancel()
		a.ended = time.Now()
		if a.err == nil {
			o.acknowledged++
		}
		if _, again := errors.AsType[refused](a.err); !again {
			o.next++
		}
		o.mu.Lock()
		o.attempts = append(o.attempts, a)
		o.mu.Unlock()
		select {
		case <-ending:
			return
		case <-time.After(o.pause):
		}
	}
}

// since are the attempts that ended at a time or later.
func (o *operation) since(at time.Time) []attempt {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(o.attempts), func(a attempt) bool { return a.ended.Before(at) })
}

// endure has all operations go on during a fault, and checks them.
func (s *site) endure(t *testing.T, f fault, all []*operation) row {
	var group sync.WaitGroup
	ending := make(chan struct{})
	end := sync.OnceFunc(func() {
		close(ending)
		group.Wait()
	})
	defer end()
	for _, o := range all {
		group.Go(func() { o.repeat(t.Context(), ending) })
	}
	allSucceed := func(when string) time.Time {
		t.Helper()
		from := time.Now()
		for _, o := range all {
			e2e.Eventually(t, o.name+" succeeds "+when+" the fault", func() bool {
				for _, a := range o.since(from) {
					if _, expected := errors.AsType[refused](a.err); a.err == nil || !expected {
						expect.NoError(t, a.err)
						return true
					}
				}
				return false
			})
		}
		return from
	}
	allSucceed("before")
	r := row{fault: f, from: time.Now()}
	heal := sync.OnceFunc(f.begin(t, s))
	defer heal()
	<-time.After(f.lasts)
	heal()
	r.until = allSucceed("after")
	effort.Within(t, patience+effort.Patience())
	end()
	for _, o := range all {
		c := r.sum(o)
		if err := errors.Join(c.wrong...); err != nil {
			t.Errorf("%s: %v", o.name, err)
		}
		r.cells = append(r.cells, c)
		r.check(t, o)
	}
	return r
}

// check waits until all that was acknowledged is there once: the index may be behind.
func (r *row) check(t *testing.T, o *operation) {
	t.Helper()
	if o.check == nil {
		return
	}
	var lost, doubled int
	var err error
	for deadline := time.Now().Add(effort.Patience()); time.Now().Before(deadline); <-time.After(often) {
		effort.Deadline(t)
		if lost, doubled, err = o.check(t.Context()); err == nil && lost == 0 && doubled == 0 {
			return
		}
	}
	r.lost, r.doubled = r.lost+lost, r.doubled+doubled
	t.Errorf("%s: of %d, %d are lost and %d are there twice; %v", o.name, o.acknowledged, lost, doubled, err)
}
