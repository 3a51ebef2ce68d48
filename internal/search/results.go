package search

import (
	"context"
	"encoding/json"
	"iter"

	"kith/query/prompt"
)

// Results is a search that is ready to run.
type Results struct {
	search  *search
	running *execution
}

// Metadata returns what is known before the engine has worked. It lacks counts, facets and the list summary: they come
// with [Done].
func (r *Results) Metadata() Metadata {
	m := r.search.metadata()
	r.search.describe(&m)
	return m
}

// Plan returns the plan of the prompt; without a prompt it has only a mode.
func (r *Results) Plan() prompt.Plan { return r.search.planned }

// Page is the answer to a search as one piece.
type Page struct {
	People     []json.RawMessage
	Metadata   Metadata
	Pagination Pagination
}

// Events runs the search and yields its events: [Started], then each [Result] as soon as the engine has it, with a
// [StageEnd] at the end of a stage and [Counted] when the counts are ready. If the search broke off, [Failed] follows.
// [Done] is always last. Result indices and the counts of a StageEnd start at the walk's first page. Ranging again runs
// the search again; a caller that stops ranging, or cancels ctx, stops the work.
func (r *Results) Events(ctx context.Context) iter.Seq[Event] { return r.events(ctx, false) }

// events yields the events; whole omits [Started] and the cursors of individual people.
func (r *Results) events(ctx context.Context, whole bool) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, run := newExecution(ctx, r.search, whole, yield)
		r.running = run
		defer func() {
			r.running = nil
			run.close()
		}()
		run.all(ctx)
	}
}

// DropBuffered drops the people fetched but not yet yielded. A caller that has to wait inside the loop over
// [Results.Events] calls it, so that many slow callers do not fill the memory. The search fetches the people again, a
// few at a time. Only the goroutine that ranges may call it; outside of a loop it does nothing.
func (r *Results) DropBuffered() {
	if r.running != nil {
		r.running.dropAll()
	}
}

// Collect runs a search and returns its answer in one piece, or the error that broke it off.
func Collect(ctx context.Context, r *Results) (*Page, error) {
	page := &Page{People: []json.RawMessage{}}
	var failure error
	for event := range r.events(ctx, true) {
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

// Wire returns the name, id and data of an event for the client of a stream; errorObject builds the error object of the
// API.
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
