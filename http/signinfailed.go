package http

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"kith"
)

// actionSignInFailed is the audit action for refused credentials.
const actionSignInFailed = "signin.failed"

const (
	// failuresEvery is the interval at which failed sign-ins are written to the audit.
	failuresEvery = time.Minute
	// maxFailures is the maximum number of entries per interval; one more counts the rest.
	maxFailures = 20
	// otherAddresses replaces the addresses beyond maxFailures.
	otherAddresses = "other addresses"
)

// failedSignIn is an address with the reason for refusing its credentials.
type failedSignIn struct{ address, code string }

// failedSignIns counts refused credentials, so that a guesser cannot fill the audit. It is safe for concurrent use.
type failedSignIns struct {
	mu    sync.Mutex
	count map[failedSignIn]int
}

// add counts one failure.
func (f *failedSignIns) add(address, code string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := failedSignIn{address, code}
	if _, known := f.count[key]; !known && len(f.count) >= maxFailures {
		key.address = otherAddresses
	}
	if f.count == nil {
		f.count = map[failedSignIn]int{}
	}
	f.count[key]++
}

// take returns the counts and resets them.
func (f *failedSignIns) take() map[failedSignIn]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.count
	f.count = nil
	return all
}

// countFailedSignIn counts a request with a bad credential.
func (s *Server) countFailedSignIn(address string, err error) {
	e, ok := errors.AsType[*kith.Error](err)
	if !ok || e.Code == codeTokenMissing || e.Code == codeKeyMissing {
		return
	}
	s.metrics.refused.WithLabelValues(e.Code).Inc()
	s.failures.add(address, e.Code)
}

// noteFailures writes the counts to the audit, every minute and when ctx ends.
func (s *Server) noteFailures(ctx context.Context) {
	tick := time.NewTicker(failuresEvery)
	defer tick.Stop()
	for open := true; open; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			open = false
		}
		s.writeFailures(context.WithoutCancel(ctx))
	}
}

// writeFailures writes the counts to the audit of the live dataset. If that fails, it logs the loss.
func (s *Server) writeFailures(ctx context.Context) {
	counted := s.failures.take()
	if len(counted) == 0 {
		return
	}
	of := s.audited()
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	keys := make([]failedSignIn, 0, len(counted))
	for key := range counted {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b failedSignIn) int {
		return cmp.Or(cmp.Compare(a.address, b.address), cmp.Compare(a.code, b.code))
	})
	for _, key := range keys {
		err := of.Audit.Note(ctx, kith.Principal{Name: "unknown"}, actionSignInFailed, subject(key),
			map[string]any{"code": key.code, "count": counted[key]})
		if err != nil {
			s.log.Warn().Err(err).Str("address", key.address).Str("code", key.code).Int("count", counted[key]).
				Msg("cannot write refused credentials to the audit log")
		}
	}
}

func subject(r failedSignIn) string {
	if r.address == otherAddresses {
		return otherAddresses
	}
	return "address " + r.address
}

// audited returns the dataset whose audit records unknown credentials.
func (s *Server) audited() *Dataset {
	for i := range s.cfg.Datasets {
		if !s.cfg.Datasets[i].Demo {
			return &s.cfg.Datasets[i]
		}
	}
	return &s.cfg.Datasets[0]
}
