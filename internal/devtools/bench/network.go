package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"kith"
	"kith/internal/search"
)

// Caller is a user with a network of a given size.
type Caller struct {
	Relationships int
	Actor         kith.Actor
}

// NetworkRow compares a search in scope network with the same search in scope global.
type NetworkRow struct {
	Engine, Shape   string
	Relationships   int
	Global, Network time.Duration // medians
	// First is the time of the caller's first search in scope network, before anything about the caller was cached.
	First time.Duration
}

// Ratio returns how many times longer the search takes in scope network.
func (r NetworkRow) Ratio() float64 { return float64(r.Network) / float64(max(r.Global, 1)) }

// FirstRatio is the same for the caller's first such search.
func (r NetworkRow) FirstRatio() float64 { return float64(r.First) / float64(max(r.Global, 1)) }

// Networks measures each shape that is a first page in both scopes, in turn, for each
// caller. It calls the service without HTTP.
func Networks(ctx context.Context, opts Options, callers []Caller) ([]NetworkRow, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	shapes, err := choose(ctx, opts.Engines[0], opts.Shapes)
	if err != nil {
		return nil, fmt.Errorf("bench: choosing what to ask: %w", err)
	}
	shapes = slices.DeleteFunc(shapes,
		func(s Shape) bool { return s.List > 0 || s.Page > 1 || s.Request.IncludeCounts != "" })
	if err := loadIntoMemory(ctx, opts, shapes, callers); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	var rows []NetworkRow
	for _, caller := range callers {
		for _, shape := range shapes {
			for _, e := range opts.Engines {
				row, err := bothScopes(ctx, opts, e, shape, caller)
				if err != nil {
					return rows, fmt.Errorf("bench: %s over %s: %w", shape.Name, e.Name, err)
				}
				rows = append(rows, row)
				opts.Log(row.line())
			}
		}
	}
	return rows, nil
}

// warmUpTime is how long an engine warms up before the measurement: it reads data for such
// searches into memory on first use.
const warmUpTime = 5 * time.Second

// loadIntoMemory runs the first shape on each engine for the last caller.
func loadIntoMemory(ctx context.Context, opts Options, shapes []Shape, callers []Caller) error {
	req := shapes[0].Request
	req.Scope = search.ScopeNetwork
	ctx = kith.WithActor(ctx, callers[len(callers)-1].Actor)
	for _, e := range opts.Engines {
		for ends := time.Now().Add(warmUpTime); time.Now().Before(ends); {
			if _, err := ask(ctx, e.Service, req); err != nil {
				return fmt.Errorf("%s over %s: %w", shapes[0].Name, e.Name, err)
			}
		}
	}
	return nil
}

func bothScopes(ctx context.Context, opts Options, e Engine, shape Shape, caller Caller) (NetworkRow, error) {
	ctx = kith.WithActor(ctx, caller.Actor)
	row := NetworkRow{Engine: e.Name, Shape: shape.Name, Relationships: caller.Relationships}
	took := map[string][]time.Duration{}
	ends := time.Now().Add(opts.Budget)
	for round := 0; round < fewestRounds || round < opts.Rounds && time.Now().Before(ends); round++ {
		for _, scope := range []string{search.ScopeGlobal, search.ScopeNetwork} {
			req := shape.Request
			req.Scope = scope
			began := time.Now()
			if _, err := ask(ctx, e.Service, req); err != nil {
				return NetworkRow{}, err
			}
			if round == 0 {
				row.First = time.Since(began) // scope network comes last
			}
			if round >= fewestRounds/3 { // caches are warm then
				took[scope] = append(took[scope], time.Since(began))
			}
		}
	}
	row.Global, row.Network = medianDuration(took[search.ScopeGlobal]), medianDuration(took[search.ScopeNetwork])
	return row, nil
}

func medianDuration(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

func (r NetworkRow) line() string {
	return fmt.Sprintf("%-13s %6d relationships  %-24s global %8s  network %8s  ratio %.2f  first %8s",
		r.Engine, r.Relationships, r.Shape, r.Global.Round(10*time.Microsecond), r.Network.Round(10*time.Microsecond),
		r.Ratio(), r.First.Round(10*time.Microsecond))
}

// WriteNetworks writes, for each engine and caller, the median of the ratios, the highest
// ratio, and the median for first searches. It returns the highest median.
func WriteNetworks(out io.Writer, rows []NetworkRow) (highest float64, err error) {
	type key struct {
		engine        string
		relationships int
	}
	ratios := map[key][]NetworkRow{}
	var order []key
	for _, r := range rows {
		k := key{r.Engine, r.Relationships}
		if ratios[k] == nil {
			order = append(order, k)
		}
		ratios[k] = append(ratios[k], r)
	}
	for _, k := range order {
		of := ratios[k]
		first := make([]float64, len(of))
		for i, r := range of {
			first[i] = r.FirstRatio()
		}
		slices.SortFunc(of, func(a, b NetworkRow) int { return int((a.Ratio() - b.Ratio()) * 1e6) })
		median, worst := of[len(of)/2].Ratio(), of[len(of)-1]
		highest = max(highest, median)
		if _, err := fmt.Fprintf(out, "%s, %d relationships: median of the ratios %.2f; highest %.2f (%s); of first "+
			"searches %.2f\n",
			k.engine, k.relationships, median, worst.Ratio(), worst.Shape, MedianOf(first)); err != nil {
			return highest, err
		}
	}
	return highest, nil
}
