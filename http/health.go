package http

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"kith"
)

// checkTimeout is the maximum time for the check of one dependency.
const checkTimeout = 2 * time.Second

const (
	statusOK   = "ok"
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
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, healthAnswer{Status: statusOK})
}

// ready reports whether the server can answer searches, and which dependencies are down.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	answer := readyAnswer{Status: statusOK, Dependencies: s.checkAll(r.Context())}
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

func (s *Server) checkAll(ctx context.Context) []dependencyAnswer {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	out := make([]dependencyAnswer, len(s.cfg.Dependencies))
	var wg sync.WaitGroup
	for i, d := range s.cfg.Dependencies {
		wg.Go(func() { out[i] = s.check(ctx, d) })
	}
	wg.Wait()
	return out
}

func (s *Server) check(ctx context.Context, d Dependency) dependencyAnswer {
	err := kith.Safely(func() error { return d.Check(ctx) })
	if err == nil {
		return dependencyAnswer{Name: d.Name, Status: statusOK, Detail: "it answers"}
	}
	if !errors.Is(ctx.Err(), context.Canceled) { // else the requester has gone, which says nothing about the dependency
		s.log.Warn().Str("dependency", d.Name).Err(err).Msg("not ready")
	}
	return dependencyAnswer{Name: d.Name, Status: statusDown, Detail: downDetail(err)}
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
