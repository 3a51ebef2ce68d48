package search

import (
	"context"
	"errors"

	"kith"
	"kith/index"
)

// execution is one execution of a search: one range over its events.
type execution struct {
	*search
	budget     *budget
	meta       Metadata
	yield      func(Event) bool
	gone       bool // the caller has stopped ranging
	background *background
	// gathered receives the ids of the people of a list, once.
	gathered chan []int64

	count int    // matches yielded
	nears int    // near misses yielded
	last  string // the cursor after the last person
	// whole is true if the answer is collected in one piece: without [Started], and with one cursor for the page
	// instead of one per person. reached is the position of that cursor.
	whole   bool
	reached position
	// after is the index position of the last person yielded.
	after index.Cursor

	// near is how many of them are within the caller's reach; inside is true while further ones may be.
	near   int
	inside bool

	buffered
}

// newExecution starts the background work of a search. The context it returns ends with the budget of the search.
func newExecution(ctx context.Context, s *search, whole bool, yield func(Event) bool) (context.Context, *execution) {
	ctx, b := newBudget(ctx, s.timeLeft)
	r := &execution{
		search: s, budget: b, meta: s.metadata(), yield: yield, whole: whole, last: s.resumed, reached: s.at,
		gathered: make(chan []int64, 1),
	}
	r.background = r.startBackground(ctx)
	return ctx, r
}

// close cancels the background work and waits for it to end.
func (r *execution) close() {
	r.budget.stop()
	r.background.wg.Wait()
}

// all runs the search from its first event to its last.
func (r *execution) all(ctx context.Context) {
	if !r.whole {
		r.emitStarted()
	}
	if r.counted != nil {
		r.emit(*r.counted)
	}
	more, err := r.people(ctx)
	if err == nil && !more && !r.gone {
		err = r.closestPeople(ctx)
	}
	if err == nil {
		err = r.background.finish(r)
	}
	if err == nil && more && r.whole {
		err = r.sealLast()
	}
	if r.gone {
		return
	}
	r.end(ctx, more, err)
}

// emitStarted emits the first event. Like [execution.end] it is separate from all: there, its copy of the metadata
// would stay on the stack of each open stream while people are sent.
//
//go:noinline
func (r *execution) emitStarted() {
	r.describe(&r.meta)
	sql := r.meta.GeneratedSQL
	r.meta.GeneratedSQL = "" // it comes once, at the end; a copy of the metadata would double the stack of a stream
	r.emit(Started{Metadata: r.meta})
	r.meta.GeneratedSQL = sql
}

// end emits the failure, if any, and the last event.
//
//go:noinline
func (r *execution) end(ctx context.Context, more bool, err error) {
	if err != nil {
		r.emit(Failed{Err: r.explainFailure(ctx, err)})
	}
	r.describe(&r.meta)
	r.meta.Source = r.pageSource()
	r.emit(Done{Complete: err == nil, Metadata: r.meta, Pagination: r.pagination(more, err)})
}

// people yields the people; more is true if there are further ones.
func (r *execution) people(ctx context.Context) (more bool, err error) {
	if r.list != nil {
		return false, r.wholeList(ctx)
	}
	if r.at.Closest > 0 {
		return false, nil // all matches came before
	}
	if r.circle == nil && r.scope == ScopeNetwork && !r.resume {
		r.emit(StageEnd{Stage: ScopeNetwork, Complete: true})
	}
	if len(r.stages) == 0 {
		return false, nil
	}
	more, err = r.page(ctx)
	if err != nil || more || r.gone || r.isNarrowed() {
		return more, err
	}
	r.emit(StageEnd{Stage: ScopeGlobal, Complete: true, Results: r.at.Number + r.count - r.at.Network - r.near})
	return false, nil
}

// yieldFound yields one person.
func (r *execution) yieldFound(f index.Found, m *match) error {
	person, err := withMatch(f.Record, m)
	if err != nil {
		return err
	}
	number := r.at.Number + r.count
	r.after = f.Cursor
	if r.withinReach(f.Cursor) {
		r.near++
	}
	at := position{Cursor: f.Cursor, Number: number + 1, Network: r.at.Network + r.near}
	token, err := r.sealAt(&at)
	if err != nil {
		return err
	}
	r.result(Result{Index: number, Person: person, Cursor: token})
	r.reached = at
	return nil
}

// sealAt sets the epoch of a position and returns its cursor, unless the answer is one piece.
func (r *execution) sealAt(at *position) (token string, err error) {
	if at.Epoch, err = r.background.epoch(); err != nil || r.whole {
		return "", err
	}
	seal, err := r.sealer()
	if err != nil {
		return "", err
	}
	return seal.at(*at), nil
}

func (r *execution) result(e Result) {
	r.emit(e)
	r.count++
	r.last = e.Cursor
	r.background.ready(r)
}

// emit yields an event. Time spent in the caller does not count towards the budget; a whole page spends none there.
func (r *execution) emit(e Event) {
	if r.gone {
		return
	}
	if r.whole {
		r.gone = !r.yield(e)
		return
	}
	r.budget.pause()
	r.gone = !r.yield(e)
	r.budget.resume()
}

// pagination returns how to continue. Without a next page the cursor is empty; a search that broke off resumes after
// the last person yielded.
func (r *execution) pagination(more bool, err error) Pagination {
	p := Pagination{Count: r.count, HasNextPage: more}
	if err != nil && r.list == nil {
		p.HasNextPage = r.count+r.nears > 0
	}
	if p.HasNextPage {
		p.Cursor = r.last
	}
	return p
}

// sealLast seals the page's only cursor.
func (r *execution) sealLast() error {
	seal, err := r.sealer()
	if err == nil {
		r.last = seal.at(r.reached)
	}
	return err
}

// explainFailure returns the budget error if the engine saw only a canceled context.
func (r *execution) explainFailure(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errBudget) || errors.Is(err, context.DeadlineExceeded) {
		return overBudget(err)
	}
	return err
}

// overBudget returns the error for a search that exceeded its time, including time spent waiting for its turn.
func overBudget(err error) error {
	if kind := kith.KindOf(err); kind == kith.RateLimited || kind == kith.Unavailable {
		return err
	}
	if errors.Is(err, context.Canceled) { // by the budget, not by the caller
		err = errBudget
	}
	return &kith.Error{
		Kind: kith.Timeout, Code: "TIMEOUT", Cause: err, Detail: "the search took too long; narrow it, or try again",
	}
}
