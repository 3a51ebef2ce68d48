package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mattn/go-isatty"
	"github.com/schollz/progressbar/v3"

	"kith/internal/record/indexer"
)

// progress shows the progress of a long command on standard error: on a terminal as a bar
// with rate and remaining time, otherwise as a line every few seconds.
type progress struct {
	what    string
	total   int64 // -1 if unknown
	bar     *progressbar.ProgressBar
	began   time.Time
	printed time.Time
	done    int64
	// waiting is the reason why nothing goes on; empty otherwise.
	waiting string
	// completing is set after the completion phase has been announced.
	completing bool
}

// plainEvery is the interval of plain lines.
const plainEvery = 5 * time.Second

func newProgress(what string, total int64) *progress {
	p := &progress{what: what, total: total, began: time.Now(), printed: time.Now()}
	if isatty.IsTerminal(os.Stderr.Fd()) {
		p.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetDescription(what), progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetPredictTime(true), progressbar.OptionFullWidth(), progressbar.OptionClearOnFinish())
	}
	return p
}

// set updates the progress; a total below 1 keeps the known one.
func (p *progress) set(done, total int64) {
	p.done = done
	if total > 0 && total != p.total {
		p.total = total
		if p.bar != nil {
			p.bar.ChangeMax64(total)
		}
	}
	if p.bar != nil {
		_ = p.bar.Set64(done) // continue even if the terminal has gone
		return
	}
	if time.Since(p.printed) >= plainEvery {
		p.printed = time.Now()
		fmt.Fprintln(os.Stderr, p.line())
	}
}

// follow shows the progress of a reindex or a rerank; repeated calls with the same value are harmless.
func (p *progress) follow(at indexer.Progress) {
	p.wait(at.Waiting)
	if !at.Completing {
		p.set(at.Done, at.Total)
		return
	}
	if !p.completing {
		p.completing = true
		p.finish()
		p.began, p.printed = time.Now(), time.Now()
		fmt.Fprintf(os.Stderr, "%s: all written; the engine is building its indexes, which takes minutes for hundreds "+
			"of thousands\n", p.what)
		p.what = "indexes"
	}
	if at.Done > 0 || p.waiting != "" {
		p.set(at.Done, at.Total)
	}
}

// wait shows the reason why nothing goes on at once, instead of a remaining time.
func (p *progress) wait(reason string) {
	if reason == p.waiting {
		return
	}
	p.waiting, p.printed = reason, time.Time{}
	if p.bar == nil {
		return
	}
	if reason == "" {
		p.bar.Describe(p.what)
		return
	}
	p.bar.Describe(p.what + ": waiting: " + reason)
}

func (p *progress) line() string {
	if p.waiting != "" {
		return fmt.Sprintf("%s: %d of %d, waiting: %s", p.what, p.done, p.total, p.waiting)
	}
	rate := float64(p.done) / max(time.Since(p.began).Seconds(), 0.001)
	if p.total <= 0 || p.done == 0 {
		return fmt.Sprintf("%s: %d, %.0f/s", p.what, p.done, rate)
	}
	left := time.Duration(float64(p.total-p.done) / max(rate, 0.001) * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%s: %d of %d, %.0f/s, %s left", p.what, p.done, p.total, rate, left)
}

// finish closes the bar; it may be called again.
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
		for range ticks(ctx, time.Second) {
			look()
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
