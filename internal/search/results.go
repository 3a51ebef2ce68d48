package search

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"kith"
	"kith/index"
	"kith/internal/search/proximity"
	"kith/query/prompt"
)

// Results is a search that is about to run.
type Results struct {
	job     *job
	running *run
}

// Metadata is what is known before the engine has worked. It lacks counts,
// facets and the list summary: they come with [Done].
func (r *Results) Metadata() Metadata {
	m := r.job.metadata()
	r.job.tell(&m)
	return m
}

// Plan is what the prompt was understood to ask; without a prompt it has only a
// mode.
func (r *Results) Plan() prompt.Plan { return r.job.planned }

// Page is the answer to a search as one piece.
type Page struct {
	People     []json.RawMessage
	Metadata   Metadata
	Pagination Pagination
}

// Events runs the search and yields what it has to tell: [Started], then each
// [Result] as soon as the engine has it, with a [StageEnd] where a stage ends and
// [Counted] when the counts are ready, then, where the search broke off,
// [Failed], and last always [Done]. Result indices and the people of a StageEnd
// count from the walk's first page. Ranging again runs the search again; a
// caller that stops ranging stops the work.
func (r *Results) Events() iter.Seq[Event] { return r.events(false) }

// events are the events; in one piece they go without [Started] and the cursors
// of the single people.
func (r *Results) events(piece bool) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		run := newRun(r.job, piece, yield)
		r.running = run
		defer func() {
			r.running = nil
			run.close()
		}()
		run.all()
	}
}

// LetGo drops the people who are fetched and not yielded yet: a caller who has
// to wait within the loop over [Results.Events] calls it, so that many slow
// callers do not fill the memory. They are fetched again, few at a time. It has
// to be called by the goroutine that ranges; outside of a loop it does nothing.
func (r *Results) LetGo() {
	if r.running != nil {
		r.running.letGo()
	}
}

// Collect runs a search and returns its answer in one piece, or the error that
// it broke off with.
func Collect(r *Results) (*Page, error) {
	page := &Page{People: []json.RawMessage{}}
	var failure error
	for event := range r.events(true) {
		switch e := event.(type) {
		case Started, StageEnd, Counted:
		case Result:
			page.People = append(page.People, e.Person)
		case Failed:
			failure = e.Err
		case Done:
			page.Metadata, page.Pagination = e.Metadata, e.Pagination
		}
	}
	if failure != nil {
		return nil, failure
	}
	return page, nil
}

// Wire gives the name, the id and the data under which an event goes to the
// client of a stream; errorObject makes the error object of the API.
func Wire(event Event, errorObject func(error) any) (name, id string, data any) {
	switch e := event.(type) {
	case Started:
		return "metadata", "", e.Metadata
	case Result:
		return "result", e.Cursor, e
	case StageEnd:
		return "stage", "", e
	case Counted:
		return "counts", "", e
	case Failed:
		return "error", "", errorObject(e.Err)
	case Done:
		return "done", "", e
	}
	return "", "", nil
}

// run is one range over the events of a job.
type run struct {
	*job
	ctx    context.Context //nolint:containedctx // a run is one range
	budget *budget
	meta   Metadata
	yield  func(Event) bool
	gone   bool // the caller has stopped ranging
	side   *side
	// gathered takes the ids of the people of a list, once.
	gathered chan []int64

	count int    // people yielded
	last  string // the cursor behind the last of them
	// piece says that the answer is wanted whole: without [Started], and without
	// cursors but one for the page. place is where that stands.
	piece bool
	place place
	// behind is the last of them, as the index knows the place.
	behind index.Cursor

	// near is how many of them are within reach of the caller, and inside whether
	// further ones may be.
	near   int
	inside bool

	held
}

func newRun(j *job, piece bool, yield func(Event) bool) *run {
	ctx, b := newBudget(j.ctx, j.svc.cfg.Budget-j.spent)
	r := &run{job: j, ctx: ctx, budget: b, meta: j.metadata(), yield: yield, piece: piece, gathered: make(chan []int64, 1)}
	r.side = r.startSide()
	return r
}

// close ends the work on the side and waits for it.
func (r *run) close() {
	r.budget.stop()
	r.side.wg.Wait()
}

// all runs the search from its first event to its last.
func (r *run) all() {
	if !r.piece {
		r.tell(&r.meta)
		r.emit(Started{Metadata: r.meta})
	}
	if r.counted != nil {
		r.emit(*r.counted)
	}
	more, err := r.people()
	if err == nil {
		err = r.side.finish(r)
	}
	if err == nil && more && r.piece {
		err = r.sealLast()
	}
	if r.gone {
		return
	}
	if err != nil {
		r.emit(Failed{Err: r.explainFailure(err)})
	}
	r.tell(&r.meta)
	r.meta.Source = r.sourceOf()
	r.emit(Done{Complete: err == nil, Metadata: r.meta, Pagination: r.pagination(more, err)})
}

// people yields the people; more is true when there are further ones.
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
	more, err = r.walked()
	if err != nil || more || r.gone || r.walk.Network != nil {
		return more, err
	}
	r.emit(StageEnd{Stage: ScopeGlobal, Complete: true, Results: r.at.Number + r.count - r.at.Network - r.near})
	return false, nil
}

// found yields one person.
func (r *run) found(f index.Found, m *match) error {
	epoch, err := r.side.epoch()
	if err != nil {
		return err
	}
	person, err := withMatch(f.Record, m)
	if err != nil {
		return err
	}
	number := r.at.Number + r.count
	r.behind = f.Cursor
	if r.circle != nil && proximity.WithinReach(f.Cursor.Stage) {
		r.near++
	}
	at, token := place{Epoch: epoch, Cursor: f.Cursor, Number: number + 1, Network: r.at.Network + r.near}, ""
	if !r.piece {
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
	r.side.ready(r)
}

// emit hands an event out. Time that the caller takes is not the engine's; a page
// takes none.
func (r *run) emit(e Event) {
	if r.gone {
		return
	}
	if r.piece {
		r.gone = !r.yield(e)
		return
	}
	r.budget.pause()
	r.gone = !r.yield(e)
	r.budget.resume()
}

// pagination says how to go on. Without a next page the cursor is empty; a
// search that broke off can go on behind the last person that it gave.
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

// sealLast seals the one cursor of a page.
func (r *run) sealLast() error {
	seal, err := r.sealer()
	if err == nil {
		r.last = seal.at(r.place)
	}
	return err
}

// explainFailure names the reason where the engine only saw a cancelled context.
func (r *run) explainFailure(err error) error {
	if errors.Is(context.Cause(r.ctx), errBudget) || errors.Is(err, context.DeadlineExceeded) {
		return overBudget(err)
	}
	return err
}

// overBudget is the error of a search that took longer than it may.
func overBudget(err error) error {
	return &kith.Error{
		Kind: kith.Timeout, Code: "TIMEOUT", Cause: err,
		Detail: "the search took longer than it may; make it more particular, or try again",
	}
}
