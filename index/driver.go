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
	// Facets returns, for each facet, the at most size most frequent values of
	// the people who satisfy q, by count descending, then value ascending.
	Facets(ctx context.Context, q query.Query, facets []Facet, size int) (map[Facet][]FacetValue, error)
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
	// come along where to decide who does costs more than to find who may. Where
	// there are more than Limit any of them are given.
	Loose bool
}

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
}

// FacetValue is one value of a facet and how many people have it.
type FacetValue struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// Writer is the writing half of a driver. A version is one complete index of
// both collections; exactly one version is active, and searches read that.
type Writer interface {
	// Write stores documents into, and deletes identifiers from, one collection
	// of the named versions. A document that is not newer than what a version
	// has, by Document.Version, changes nothing there. Either all of it is
	// stored when Write returns nil, or an error says what was not; repeating
	// a Write is harmless.
	Write(ctx context.Context, c Collection, versions []string, docs []Flat, deletes []int64) error
	// Refresh makes everything written so far visible to searches.
	Refresh(ctx context.Context) error
	// Versions lists the versions, oldest first.
	Versions(ctx context.Context) ([]Version, error)
	// Create makes a new, empty version that is not active, and names it.
	Create(ctx context.Context) (name string, err error)
	// Activate turns searches to the named version at once, without a moment
	// in which they find none.
	Activate(ctx context.Context, name string) error
	// Drop removes a version that is not active.
	Drop(ctx context.Context, name string) error
}

// Version is one index version.
type Version struct {
	Name   string
	Active bool
}
