package http

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"kith"
)

// progress is the requests in progress. It is safe for concurrent use.
type progress struct {
	// inProgress are their cancel functions, *context.CancelCauseFunc.
	inProgress sync.Map
	// aborted is true once the server aborts them.
	aborted atomic.Bool
}

// work returns the context for calls to domains. It ends with the request, or when the server
// aborts requests in progress.
func (p *progress) work(request context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(request)
	p.inProgress.Store(&cancel, nil)
	if p.aborted.Load() { // abort may have passed already
		cancel(errStopping())
	}
	return ctx, func() {
		p.inProgress.Delete(&cancel)
		cancel(nil)
	}
}

// abort cancels all work in progress and to come.
func (p *progress) abort() {
	p.aborted.Store(true)
	for cancel := range p.inProgress.Range {
		(*cancel.(*context.CancelCauseFunc))(errStopping())
	}
}

func errStopping() error {
	return &kith.Error{
		Kind: kith.Unavailable, Code: "SHUTTING_DOWN", RetryAfter: time.Second,
		Detail: "the server is stopping; try again",
	}
}

// stopReason returns the reason for canceled work if the server is stopping.
func (p *progress) stopReason(err error) error {
	if p.aborted.Load() && errors.Is(err, context.Canceled) {
		return errStopping()
	}
	return err
}
