package index

import (
	"context"
	"encoding/json"

	"kith/query"
	"kith/query/indexed"
)

// Collection is one of the two sets of documents of an index version.
type Collection string

// The collections.
const (
	People    Collection = "people"
	Companies Collection = "companies"
)

// Searcher is the reading half of a driver. Queries come lowered and simplified, over the flat form of documents. In
// a query, Term, Terms and Exists of a flattened Number field ("current.companySize") refer to its buckets, Range to
// the numbers.
//
// Errors: context errors unchanged; a *kith.Error of kind Unavailable if the engine is unreachable or overloaded;
// anything else is a defect.
type Searcher interface {
	// Engine is the engine's name, shown as metadata.search_engine.
	Engine() string
	// Find returns at most req.Limit documents that satisfy req.Query and come after req.After, in the order (sort
	// value descending, id ascending).
	Find(ctx context.Context, c Collection, req FindRequest) ([]Hit, error)
	// Count returns how many documents satisfy q, up to limit: an answer of limit means limit or more. A limit of 0
	// is no limit.
	Count(ctx context.Context, c Collection, q query.Query, limit int) (int, error)
	// Facets returns the most frequent values of each facet, at most size, by count descending, then value ascending.
	// It counts the first people by rank who satisfy q, at most among; at that limit the counts are marked as capped.
	Facets(ctx context.Context, q query.Query, facets []indexed.Facet, size, among int) (FacetValues, error)
	// Batch answers several questions in one request: see [Batch].
	Batch(ctx context.Context, c Collection, b Batch) (BatchAnswer, error)
	// Check returns nil when the engine answers and has an active version.
	Check(ctx context.Context) error
}

// FindRequest is one step of a search within one stage.
type FindRequest struct {
	Query query.Query
	// SortBy is the Number field whose value orders the documents, highest first; documents without a value come last,
	// as if it were the lowest int64. The zero value means query.Rank.
	SortBy query.Field
	// After is the position before the first hit; nil for the start.
	After *Position
	// Limit is at least 1.
	Limit int
	// NoRecord leaves Hit.Record empty.
	NoRecord bool
	// Loose asks for everyone who satisfies the query, in any order. The driver may add uncertain people where
	// deciding costs more than finding candidates; it marks them with [Hit.Maybe]. If there are more than Limit, it
	// may return any of them.
	Loose bool
}

// Position is a position in the order of one stage.
type Position struct {
	Sort int64
	ID   int64
}

// Hit is one matching document.
type Hit struct {
	ID int64
	// Sort is the value of the field that ordered the search.
	Sort int64
	// Record is the document's record, as it was written.
	Record json.RawMessage
	// Maybe marks a hit of a [FindRequest.Loose] that may not satisfy the query.
	Maybe bool
}

// FacetValues are the values of each facet, the most frequent first.
type FacetValues map[indexed.Facet][]FacetValue

// FacetValue is one value of a facet and how many people have it.
type FacetValue struct {
	Value string `json:"value"`
	Count int    `json:"count"`
	// IsCapped says that too many people satisfy the query, so only the first by rank were counted.
	IsCapped bool `json:"is_capped"`
}

// Writer is the writing half of a driver. A version is one complete index of both collections. Exactly one version is
// active: the one that searches read.
type Writer interface {
	// Write stores documents into, and deletes identifiers from, one collection of the named versions. It skips a
	// document if the version already has one at least as new, by indexed.Document.Version. Write returns nil only if
	// everything is stored; otherwise an error says what was not. Repeating a Write is harmless. The error is of kind
	// NotFound if a version does not exist.
	Write(ctx context.Context, c Collection, versions []string, docs []indexed.Flat, deletes []int64) error
	// Refresh makes all writes so far visible to searches.
	Refresh(ctx context.Context) error
	// Versions lists the versions, oldest first.
	Versions(ctx context.Context) ([]Version, error)
	// Create makes a new, empty, inactive version, and names it.
	Create(ctx context.Context) (name string, err error)
	// Complete makes an inactive version ready for searches, while writes into it continue. It may take minutes for a
	// large version. Repeating it is harmless.
	Complete(ctx context.Context, name string) error
	// Activate atomically switches searches to the named version, which must be completed.
	Activate(ctx context.Context, name string) error
	// Drop removes an inactive version.
	Drop(ctx context.Context, name string) error
}

// Version is one index version.
type Version struct {
	Name   string
	Active bool
	// ID identifies a version for ever. Engines that can lose their versions, for example by a restart with an empty
	// disk, set it because they may reuse names; for others it is empty.
	ID string
	// Mark is the text of the version's last mark if the engine is a [Marker]; empty otherwise and before the first
	// mark.
	Mark string
}

// Counter is a Writer that counts the documents of a version, for a check before searches switch to it.
type Counter interface {
	// Documents returns how many documents of a collection a version has, as of the last Refresh.
	Documents(ctx context.Context, c Collection, version string) (int64, error)
}

// Checker is a Writer that can tell whether a version can be written at the moment, while a Write may still wait.
type Checker interface {
	// Available returns nil if a version can be written. It answers within about two seconds.
	Available(ctx context.Context, version string) error
}

// Completer is a Writer with a slow Complete that reports its progress.
type Completer interface {
	// Completed returns the share of a version that Complete has made ready, from 0 to 1, as far as known.
	Completed(ctx context.Context, version string) (share float64, err error)
}

// Marker is a Writer that keeps its versions apart from the records. A backup can then restore one of the two without
// the other; comparing marks detects that.
type Marker interface {
	// SetMark sets the mark of versions. If a version has a mark with a higher number, it keeps that one and SetMark
	// returns an error of kind Unavailable: another process has written the version meanwhile.
	SetMark(ctx context.Context, versions []Version, mark Mark) error
}

// Mark ties a version to its records. It is set before a write, so records are at least as new as the documents.
type Mark struct {
	// Number rises with every mark.
	Number int64
	// Text is unique to each mark.
	Text string
}
