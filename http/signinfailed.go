package http

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"

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
	// audit has the entries.
	audit Audit
	log   zerolog.Logger

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

// follow writes the counts to the audit, every minute and when ctx ends.
func (f *failedSignIns) follow(ctx context.Context) {
	tick := time.NewTicker(failuresEvery)
	defer tick.Stop()
	for open := true; open; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			open = false
		}
		f.write(context.WithoutCancel(ctx))
	}
}

// write writes the counts to the audit. If that fails, it logs the loss.
func (f *failedSignIns) write(ctx context.Context) {
	counted := f.take()
	if len(counted) == 0 {
		return
	}
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
		err := f.audit.Note(ctx, kith.Principal{Name: "unknown"}, actionSignInFailed, subject(key),
			map[string]any{"code": key.code, "count": counted[key]})
		if err != nil {
			f.log.Warn().Err(err).Str("address", key.address).Str("code", key.code).Int("count", counted[key]).
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

// auditOf returns the audit that records unknown credentials: that of the live dataset.
func auditOf(all []Dataset) Audit {
	for i := range all {
		if !all[i].Demo {
			return all[i].Audit
		}
	}
	return all[0].Audit
}
