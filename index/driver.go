package index

import (
	"context"
	"encoding/json"

	"kith/query"
)

// Searcher is the reading half of a driver. Queries come lowered and
// simplified, over the flat form of documents. In a query, Term, Terms and
// Exists of a flattened Number field ("current.companySize") ask for its
// buckets, Range for the numbers.
//
// Errors: context errors as they are; a *kith.Error of kind Unavailable where
// the engine is away or refuses for load; anything else is a defect.
type Searcher interface {
	// Engine is the engine's name as metadata.search_engine shows it.
	Engine() string
	// Find returns at most req.Limit documents that satisfy req.Query and come
	// after req.After, in the order (sort value descending, id ascending).
	Find(ctx context.Context, c Collection, req FindRequest) ([]Hit, error)
	// Count returns how many documents satisfy q, counting no further than
	// limit: an answer of limit means limit or more. A limit of 0 is no limit.
	Count(ctx context.Context, c Collection, q query.Query, limit int) (int, error)
	// Facets returns, for each facet, the at most size most frequent values of the
	// first people by rank who satisfy q, among of them, by count descending, then
	// value ascending. Where there are so many the counts are capped.
	Facets(ctx context.Context, q query.Query, facets []Facet, size, among int) (map[Facet][]FacetValue, error)
	// Batch answers several questions, as Find and Count would answer each.
	Batch(ctx context.Context, c Collection, b Batch) (BatchAnswer, error)
	// Check returns nil when the engine answers and has an active version.
	Check(ctx context.Context) error
}

// FindRequest is one step of a search within one stage.
type FindRequest struct {
	Query query.Query
	// SortBy is the Number field whose value orders the documents, highest
	// first; documents without a value come last, as if it were the lowest
	// int64. The zero value means query.Rank.
	SortBy query.Field
	// After is the position that the first hit must come behind; nil for the start.
	After *Position
	// Limit is at least 1.
	Limit int
	// NoRecord leaves Hit.Record empty.
	NoRecord bool
	// Loose asks for everyone who satisfies the query, in any order, and lets others
	// come along where to decide who does costs more than to find who may: those who
	// may not are marked, see [Hit.Maybe]. Where there are more than Limit any of them
	// are given.
	Loose bool
}

// Siever is a [Searcher] that keeps in memory what tells of most people that they
// do not satisfy a query.
type Siever interface {
	// Sieve returns a sieve for each query, as [Prepare] makes it; nil for one that
	// they cannot tell of. There are none at all while the driver does not have, or
	// may not keep, what it takes. What was written before the call they know.
	Sieve(ctx context.Context, queries []query.Query) ([]Sieve, error)
}

// Sieve returns those of some people who may satisfy a query, in the order
// given. All who do are among them, and few others; it asks no engine.
type Sieve func(people []int64) []int64

// Position is a place in the order of one stage.
type Position struct {
	Sort int64
	ID   int64
}

// Hit is one document found.
type Hit struct {
	ID int64
	// Sort is the value of the field that ordered the search.
	Sort int64
	// Record is the document's record, as it was written.
	Record json.RawMessage
	// Maybe says of a hit of a [FindRequest.Loose] that it may not satisfy the query.
	Maybe bool
}

// FacetValue is one value of a facet and how many people have it.
type FacetValue struct {
	Value string `json:"value"`
	Count int    `json:"count"`
	// IsCapped says that only the first people by rank were counted, because so many
	// satisfy the query.
	IsCapped bool `json:"is_capped"`
}

// Writer is the writing half of a driver. A version is one complete index of
// both collections; exactly one version is active, and searches read that.
type Writer interface {
	// Write stores documents into, and deletes identifiers from, one collection
	// of the named versions. A document that is not newer than what a version
	// has, by Document.Version, changes nothing there. Either all of it is
	// stored when Write returns nil, or an error says what was not; repeating
	// a Write is harmless. The error is of kind NotFound where a version is not
	// there.
	Write(ctx context.Context, c Collection, versions []string, docs []Flat, deletes []int64) error
	// Refresh makes everything written so far visible to searches.
	Refresh(ctx context.Context) error
	// Versions lists the versions, oldest first.
	Versions(ctx context.Context) ([]Version, error)
	// Create makes a new, empty version that is not active, and names it.
	Create(ctx context.Context) (name string, err error)
	// Complete makes a version that is not active ready for searches, while
	// writes into it go on. It may take minutes for a large one, and is harmless
	// to repeat.
	Complete(ctx context.Context, name string) error
	// Activate turns searches to the named version, which was completed, at once,
	// without a moment in which they find none.
	Activate(ctx context.Context, name string) error
	// Drop removes a version that is not active.
	Drop(ctx context.Context, name string) error
}

// Version is one index version.
type Version struct {
	Name   string
	Active bool
	// ID is another for each version that ever was, where an engine that loses
	// its versions, as by a restart with an empty disk, may use a name again;
	// else empty.
	ID string
	// Mark is the text of the last mark that the version was given, where the
	// engine is a [Marker]; else, and before the first, empty.
	Mark string
}

// Counter is a Writer that counts what a version has, for the caller that is about to turn searches
// to it.
type Counter interface {
	// Documents returns how many documents of a collection a version has, as far as a
	// Refresh has made them visible.
	Documents(ctx context.Context, c Collection, version string) (int64, error)
}

// Completer is a Writer whose Complete takes long, and that can say how far it is.
type Completer interface {
	// Completed returns which share of a version Complete has made ready, from 0 to 1, as far as that is known.
	Completed(ctx context.Context, version string) (share float64, err error)
}

// Marker is a Writer that does not keep its versions where the records are, so
// that one of the two can be put back to an earlier day without the other. The
// mark of a version tells.
type Marker interface {
	// SetMark gives versions a mark. One that has a mark of a higher number keeps
	// it, and the answer is an error of kind Unavailable: another process has
	// written that version meanwhile.
	SetMark(ctx context.Context, versions []Version, mark Mark) error
}

// Mark is what a version is given before it is written, so that it has the mark
// of records at least as new as its documents.
type Mark struct {
	// Number rises from mark to mark.
	Number int64
	// Text is another for each mark that ever was.
	Text string
}
