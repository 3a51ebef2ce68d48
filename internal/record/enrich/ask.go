package enrich

import (
	"context"
	"errors"
	"sync"

	"kith"
)

// askAll asks the source about all profiles at once; callers limit their number. It returns the keys of those stored,
// and a failure for each of the others.
func askAll(ctx context.Context, finder Finder, keys []string) (failures map[string]*kith.Error, stored []string) {
	errs := make([]error, len(keys))
	var group sync.WaitGroup
	for i, key := range keys {
		group.Go(func() { errs[i] = kith.Safely(func() error { return finder.Find(ctx, "https://"+key) }) })
	}
	group.Wait()
	failures = map[string]*kith.Error{}
	for i, key := range keys {
		if errs[i] == nil {
			stored = append(stored, key)
			continue
		}
		failures[key] = callerError(errs[i])
	}
	return failures, stored
}

// callerError is the error of a failed look-up for the caller. Details of the source are for the log.
func callerError(err error) *kith.Error {
	e, ok := errors.AsType[*kith.Error](err)
	switch {
	case !ok:
		return &kith.Error{
			Kind: kith.Unavailable, Code: "SOURCE_UNAVAILABLE",
			Detail: "the data source could not be reached; try again later", Cause: err,
		}
	case e.Kind == kith.NotFound:
		return errNotFound()
	case e.Kind == kith.Invalid:
		// The source's answer is unusable, but the profile URL is valid.
		return &kith.Error{Kind: kith.NotFound, Code: e.Code, Detail: e.Detail, Cause: err}
	}
	return e
}
