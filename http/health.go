package http

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"kith"
)

// checkTimeout is the maximum time for the check of one dependency.
const checkTimeout = 2 * time.Second

// slowCheck is from when an answer to a check counts as slow.
const slowCheck = time.Second

const (
	statusOK   = "ok"
	statusSlow = "slow"
	statusDown = "down"
)

type healthAnswer struct {
	Status string `json:"status"`
}

type readyAnswer struct {
	Status       string             `json:"status"`
	Dependencies []dependencyAnswer `json:"dependencies"`
}

type dependencyAnswer struct {
	Name   string `json:"name"`
	Status string `json:"status"`
	Detail string `json:"detail"`
}

// health reports that the process runs. It checks no dependencies.
func health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, healthAnswer{Status: statusOK})
}

// probes answers probes of the server's health.
type probes struct {
	dependencies []Dependency
	log          zerolog.Logger
}

// ready reports whether the server can answer searches, and which dependencies are down or slow.
func (p probes) ready(w http.ResponseWriter, r *http.Request) {
	answer := readyAnswer{Status: statusOK, Dependencies: p.checkAll(r.Context())}
	status := http.StatusOK
	for _, d := range answer.Dependencies {
		if d.Status == statusDown {
			answer.Status, status = statusDown, http.StatusServiceUnavailable
		}
	}
	if status != http.StatusOK {
		w.Header().Set("Retry-After", "1")
	}
	writeJSON(w, status, answer)
}

func (p probes) checkAll(ctx context.Context) []dependencyAnswer {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	out := make([]dependencyAnswer, len(p.dependencies))
	var wg sync.WaitGroup
	for i, d := range p.dependencies {
		wg.Go(func() { out[i] = p.check(ctx, d) })
	}
	wg.Wait()
	return out
}

func (p probes) check(ctx context.Context, d Dependency) dependencyAnswer {
	began := time.Now()
	err := kith.Safely(func() error { return d.Check(ctx) })
	if err == nil {
		return d.answering(time.Since(began))
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // else the requester has gone, which says nothing about the dependency
		p.log.Warn().Str("dependency", d.Name).Err(err).Msg("not ready")
	}
	return dependencyAnswer{Name: d.Name, Status: statusDown, Detail: downDetail(err)}
}

// answering describes a dependency that answered a check.
func (d Dependency) answering(took time.Duration) dependencyAnswer {
	if d.Slow != nil {
		if why := d.Slow(); why != "" {
			return dependencyAnswer{Name: d.Name, Status: statusSlow, Detail: why}
		}
	}
	if took > slowCheck {
		return dependencyAnswer{
			Name: d.Name, Status: statusSlow, Detail: "it took longer than " + slowCheck.String() + " to answer",
		}
	}
	return dependencyAnswer{Name: d.Name, Status: statusOK, Detail: "it answers"}
}

// downDetail describes a failure without addresses and other internals, which are in the log.
func downDetail(err error) string {
	if e, ok := errors.AsType[*kith.Error](err); ok && e.Kind != kith.Internal {
		return e.Detail
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "it did not respond within " + checkTimeout.String()
	}
	return "it returned an error; see the log"
}
