package search

import (
	"context"
	"errors"

	"kith"
	"kith/index"
)

// run is one execution of a job: one range over its events.
type run struct {
	*job
	ctx        context.Context //nolint:containedctx // a run is one range
	budget     *budget
	meta       Metadata
	yield      func(Event) bool
	gone       bool // the caller has stopped ranging
	background *background
	// gathered receives the ids of the people of a list, once.
	gathered chan []int64

	count int    // people yielded
	last  string // the cursor after the last of them
	// whole is true if the answer is collected in one piece: without [Started], and with one cursor for the page instead
	// of one per person. place is the position of that cursor.
	whole bool
	place place
	// behind is the index position of the last person yielded.
	behind index.Cursor

	// near is how many of them are within the caller's reach; inside is true while further ones may be.
	near   int
	inside bool

	buffered
}

func newRun(j *job, whole bool, yield func(Event) bool) *run {
	ctx, b := newBudget(j.ctx, j.svc.cfg.Budget-j.spent)
	r := &run{
		job: j, ctx: ctx, budget: b, meta: j.metadata(), yield: yield, whole: whole, last: j.resumed, place: j.at,
		gathered: make(chan []int64, 1),
	}
	r.background = r.startBackground()
	return r
}

// close cancels the background work and waits for it to end.
func (r *run) close() {
	r.budget.stop()
	r.background.wg.Wait()
}

// all runs the search from its first event to its last.
func (r *run) all() {
	if !r.whole {
		r.start()
	}
	if r.counted != nil {
		r.emit(*r.counted)
	}
	more, err := r.people()
	if err == nil && !more && !r.gone {
		err = r.closestPeople()
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
	r.end(more, err)
}

// start emits the first event. Like [run.end] it is separate from all: there, its copy of the metadata would stay on
// the stack of each open stream while people are sent.
//
//go:noinline
func (r *run) start() {
	r.describe(&r.meta)
	sql := r.meta.GeneratedSQL
	r.meta.GeneratedSQL = "" // it comes once, at the end; a copy of the metadata would double the stack of a stream
	r.emit(Started{Metadata: r.meta})
	r.meta.GeneratedSQL = sql
}

// end emits the failure, if any, and the last event.
//
//go:noinline
func (r *run) end(more bool, err error) {
	if err != nil {
		r.emit(Failed{Err: r.explainFailure(err)})
	}
	r.describe(&r.meta)
	r.meta.Source = r.sourceOf()
	r.emit(Done{Complete: err == nil, Metadata: r.meta, Pagination: r.pagination(more, err)})
}

// people yields the people; more is true if there are further ones.
func (r *run) people() (more bool, err error) {
	if r.list != nil {
		return false, r.wholeList()
	}
	if r.circle == nil && r.scope == ScopeNetwork && !r.resume {
		r.emit(StageEnd{Stage: ScopeNetwork, Complete: true})
	}
	if len(r.stages) == 0 {
		return false, nil
	}
	more, err = r.page()
	if err != nil || more || r.gone || r.narrowed() {
		return more, err
	}
	r.emit(StageEnd{Stage: ScopeGlobal, Complete: true, Results: r.at.Number + r.count - r.at.Network - r.near})
	return false, nil
}

// yieldFound yields one person.
func (r *run) yieldFound(f index.Found, m *match) error {
	epoch, err := r.background.epoch()
	if err != nil {
		return err
	}
	person, err := withMatch(f.Record, m)
	if err != nil {
		return err
	}
	number := r.at.Number + r.count
	r.behind = f.Cursor
	if r.withinReach(f.Cursor) {
		r.near++
	}
	at, token := place{Epoch: epoch, Cursor: f.Cursor, Number: number + 1, Network: r.at.Network + r.near}, ""
	if !r.whole {
		seal, err := r.sealer()
		if err != nil {
			return err
		}
		token = seal.at(at)
	}
	r.result(Result{Index: number, Person: person, Cursor: token})
	r.place = at
	return nil
}

func (r *run) result(e Result) {
	r.emit(e)
	r.count++
	r.last = e.Cursor
	r.background.ready(r)
}

// emit yields an event. Time spent in the caller does not count towards the budget; a whole page spends none there.
func (r *run) emit(e Event) {
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
func (r *run) pagination(more bool, err error) Pagination {
	p := Pagination{Count: r.count, HasNextPage: more}
	if err != nil && r.list == nil {
		p.HasNextPage = r.count > 0
	}
	if p.HasNextPage {
		p.Cursor = r.last
	}
	return p
}

// sealLast seals the page's only cursor.
func (r *run) sealLast() error {
	seal, err := r.sealer()
	if err == nil {
		r.last = seal.at(r.place)
	}
	return err
}

// explainFailure returns the budget error if the engine saw only a cancelled context.
func (r *run) explainFailure(err error) error {
	if errors.Is(context.Cause(r.ctx), errBudget) || errors.Is(err, context.DeadlineExceeded) {
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
		Kind: kith.Timeout, Code: "TIMEOUT", Cause: err,
		Detail: "the search took longer than it may; make it more particular, or try again",
	}
}
