// Package bench measures searches, over HTTP as a client sends them and in process. The difference is the cost of HTTP,
// token and JSON. The people are generated, and requests take their values from them.
package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kith"
	"kith/internal/search"
)

// Engine is one engine with Kith on top.
type Engine struct {
	Name string
	// URL is the loopback address of Kith on this engine, with a rate limit that no
	// measurement reaches; Token is a bearer token for it.
	URL, Token string
	// Service is the service that this server uses, and Actor the user of the token.
	Service *search.Service
	Actor   kith.Actor
}

// Options configure a measurement. Zero values take the defaults given below.
type Options struct {
	Engines []Engine
	Shapes  []Shape
	// Rounds is how often each side runs each shape: 400. With fewer than 100 rounds, the p99 is the maximum.
	Rounds int
	// Budget limits the time for one shape on one engine: 10 s. At least ten rounds are made.
	Budget time.Duration
	// Streams is how many streams are timed for each shape: 20.
	Streams int
	// People is the number of people in the dataset, for the report.
	People int
	// Log is called for each completed shape; nil is allowed.
	Log func(line string)
}

const (
	defaultRounds  = 400
	defaultBudget  = 10 * time.Second
	defaultStreams = 20
	fewestRounds   = 10
	// warmUp limits the uncounted runs of each side, which fill caches.
	warmUp = 20
)

// Run measures every shape on every engine, one by one. All engines receive the same
// requests: their values are chosen on the first.
func Run(ctx context.Context, opts Options) (Report, error) {
	opts, err := opts.withDefaults()
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

func (o Options) withDefaults() (Options, error) {
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
