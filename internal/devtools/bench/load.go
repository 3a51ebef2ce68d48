package bench

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Loader loads documents and returns their number when all of them can be searched.
type Loader func(ctx context.Context) (documents int, err error)

// Load compares a bulk load through Kith with one of the same people, as ready-made
// documents or rows, into the engine alone.
type Load struct {
	Engine string `json:"engine"`
	// Kith reads a load file, stores the records and indexes them; Straight indexes documents
	// in memory, or copies the same rows into tables with the same indexes.
	Kith, Straight LoadTime
}

// LoadTime is one bulk load.
type LoadTime struct {
	Documents int           `json:"documents"`
	Took      time.Duration `json:"took_ns"`
}

// PerSecond returns the documents loaded per second.
func (l LoadTime) PerSecond() float64 {
	if l.Took == 0 {
		return 0
	}
	return float64(l.Documents) / l.Took.Seconds()
}

// Ratio returns the speed of Kith divided by that of the engine alone.
func (l Load) Ratio() float64 {
	if l.Straight.PerSecond() == 0 {
		return 0
	}
	return l.Kith.PerSecond() / l.Straight.PerSecond()
}

// String returns the comparison in one line.
func (l Load) String() string {
	return fmt.Sprintf("%s, bulk load: kith %.0f people/s (%d in %.1f s, all included), straight %.0f documents/s (%d "+
		"in %.1f s), ratio %.2f",
		l.Engine, l.Kith.PerSecond(), l.Kith.Documents, l.Kith.Took.Seconds(),
		l.Straight.PerSecond(), l.Straight.Documents, l.Straight.Took.Seconds(), l.Ratio())
}

// CompareLoads runs and times both loads, one after the other. It prepares the straight one, which may need what Kith
// loaded, in between.
func CompareLoads(ctx context.Context, engine string, kith Loader,
	straight func(ctx context.Context) (Loader, error),
) (Load, error) {
	out := Load{Engine: engine}
	var err error
	if out.Kith, err = timed(ctx, kith); err != nil {
		return out, fmt.Errorf("bench: loading through Kith over %s: %w", engine, err)
	}
	load, err := straight(ctx)
	if err == nil {
		out.Straight, err = timed(ctx, load)
	}
	if err != nil {
		return out, fmt.Errorf("bench: loading straight into %s: %w", engine, err)
	}
	return out, nil
}

func timed(ctx context.Context, load Loader) (LoadTime, error) {
	began := time.Now()
	n, err := load(ctx)
	t := LoadTime{Documents: n, Took: time.Since(began)}
	if err == nil && n == 0 {
		return t, errNothingLoaded
	}
	return t, err
}

var errNothingLoaded = errors.New("no document was loaded")
