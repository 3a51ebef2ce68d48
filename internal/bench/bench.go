// Package bench measures Kith against the bare engine: each search in turn with a replay of its
// engine requests over a separate connection. The difference is the cost of Kith. Both are
// measured in process and over HTTP, where a bare server replays the requests.
//
// It knows no engine: drivers record and replay requests behind [Straight].
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kith"
	"kith/internal/search"
)

// Straight asks an engine without Kith.
type Straight interface {
	// Trace returns a context under which everything that the driver sends is
	// noted, while it works as always. What was noted until noted is called
	// comes as the requests in a reader's words, in their order, and as replay,
	// which sends them again one after the other over a connection that is kept
	// open, and reads the answers to their end without decoding them.
	Trace(ctx context.Context) (tracing context.Context,
		noted func() (requests []string, replay func(context.Context) error))
}

// Searcher is the part of [search.Service] that is measured.
type Searcher interface {
	Search(ctx context.Context, req search.Request) (*search.Results, error)
}

// Engine is one engine with Kith over it.
type Engine struct {
	Name string
	// URL is where Kith serves over this engine, on loopback, without a rate
	// limit that a measurement would meet; Token is a bearer token there.
	URL, Token string
	// Service is what that server asks, and Actor the user of the token.
	Service Searcher
	Actor   kith.Actor
	// Straight asks the engine without Kith; nil leaves that out.
	Straight Straight
}

// Options say what is measured, and for how long. Zero values take the
// defaults named.
type Options struct {
	Engines []Engine
	Shapes  []Shape
	// Rounds is how often each side is asked for each shape: 400. A p99 of
	// fewer than 100 is the maximum.
	Rounds int
	// Budget ends the rounds of one shape on one engine early: 10 s. Ten rounds
	// are made in any case.
	Budget time.Duration
	// Streams is how many streams are timed for each shape: 20.
	Streams int
	// People is how many people are in the directory, for the report.
	People int
	// Log hears of each shape that is done; nil is silence.
	Log func(line string)
}

const (
	defaultRounds  = 400
	defaultBudget  = 10 * time.Second
	defaultStreams = 20
	fewestRounds   = 10
	// warmUp is how often each side is asked at most before it counts: caches
	// are full then.
	warmUp = 20
)

// Run measures every shape on every engine, one after the other. The same
// requests go to all engines: their values are chosen on the first.
func Run(ctx context.Context, opts Options) (Report, error) {
	opts, err := opts.filled()
	if err != nil {
		return Report{}, err
	}
	shapes, err := choose(ctx, opts.Engines[0], opts.Shapes)
	if err != nil {
		return Report{}, fmt.Errorf("bench: choosing what to ask: %w", err)
	}
	report := Report{People: opts.People, Began: time.Now().UTC().Truncate(time.Second), Machine: machine()}
	for _, shape := range shapes {
		for _, engine := range opts.Engines {
			row, err := measure(ctx, opts, engine, shape)
			if err != nil {
				return report, fmt.Errorf("bench: %s over %s: %w", shape.Name, engine.Name, err)
			}
			report.Rows = append(report.Rows, row)
			opts.Log(row.line())
		}
	}
	report.Memory, err = ReadMemory()
	return report, err
}

func (o Options) filled() (Options, error) {
	if len(o.Engines) == 0 {
		return o, errors.New("bench: no engine to measure")
	}
	if len(o.Shapes) == 0 {
		all, err := Shapes()
		if err != nil {
			return o, err
		}
		o.Shapes = all
	}
	if o.Rounds <= 0 {
		o.Rounds = defaultRounds
	}
	if o.Budget <= 0 {
		o.Budget = defaultBudget
	}
	if o.Streams <= 0 {
		o.Streams = defaultStreams
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	return o, nil
}
