package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"kith/index/load"
)

// progress tells how far a long command is: a bar with rate and time left on a
// terminal, a plain line every few seconds elsewhere. Both go to standard error.
type progress struct {
	what  string
	total int64 // -1 where it is not known
	bar   *progressbar.ProgressBar
	began time.Time
	told  time.Time
	done  int64
	// completing is set once that was told of.
	completing bool
}

// plainEvery is how often the plain form tells.
const plainEvery = 5 * time.Second

func newProgress(what string, total int64) *progress {
	p := &progress{what: what, total: total, began: time.Now(), told: time.Now()}
	if isatty.IsTerminal(os.Stderr.Fd()) {
		p.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetDescription(what), progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish())
	}
	return p
}

// set says that done of total are done; a total below 1 keeps the one known.
func (p *progress) set(done, total int64) {
	p.done = done
	if total > 0 && total != p.total {
		p.total = total
		if p.bar != nil {
			p.bar.ChangeMax64(total)
		}
	}
	if p.bar != nil {
		_ = p.bar.Set64(done) // a terminal that is gone is no reason to stop
		return
	}
	if time.Since(p.told) >= plainEvery {
		p.told = time.Now()
		fmt.Fprintln(os.Stderr, p.line())
	}
}

// follow shows how far a reindex or a rerank is; it may be called with the same
// again.
func (p *progress) follow(at load.Progress) {
	if !at.Completing {
		p.set(at.Done, at.Total)
		return
	}
	if !p.completing {
		p.completing = true
		p.finish()
		p.began, p.told = time.Now(), time.Now()
		fmt.Fprintf(os.Stderr, "%s: all written; the engine is building its indexes, which takes minutes for hundreds "+
			"of thousands\n", p.what)
		p.what = "indexes"
	}
	if at.Done > 0 {
		p.set(at.Done, at.Total)
	}
}

func (p *progress) line() string {
	rate := float64(p.done) / max(time.Since(p.began).Seconds(), 0.001)
	if p.total <= 0 || p.done == 0 {
		return fmt.Sprintf("%s: %d, %.0f/s", p.what, p.done, rate)
	}
	left := time.Duration(float64(p.total-p.done) / max(rate, 0.001) * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%s: %d of %d, %.0f/s, %s left", p.what, p.done, p.total, rate, left)
}

// finish closes the bar; to do so again is harmless.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}

// watch calls look once a second until it is stopped or ctx ends.
func watch(ctx context.Context, look func()) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				look()
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
