// Package search executes searches: it turns a request into a plan, the plan into stages, and the stages into one
// sequence of events. A JSON page is that sequence collected; a stream is the same sequence written out.
package search

import (
	"kith/query"
	"kith/query/indexed"
)

// Mode is how a search is interpreted.
type Mode string

// The modes. Auto is resolved to one of the others.
const (
	Auto    Mode = "auto"
	Lookup  Mode = "lookup"
	Simple  Mode = "simple"
	Complex Mode = "complex"
)

// The scopes of a request. The empty scope takes the default of the mode.
const (
	ScopeNetwork = "network"
	ScopeGlobal  = "global"
	ScopeList    = "specific_list"
)

// Limits of a request, from the specification.
const (
	DefaultLimit   = 25
	MaxLimit       = 100
	MaxListEntries = 50000
	MaxFacets      = 5
)

// Request is one search as a client sends it. The caller has checked its shape (types, known members); [Service.Search]
// checks its meaning.
type Request struct {
	// RequestID is echoed as metadata.request_id.
	RequestID string
	Prompt    string
	Filters   query.Filters
	// Limit is 0 for the default.
	Limit int
	// Reading is the number of the reading of the prompt to search for; 0 for the planner's choice.
	Reading int
	// Mode and Scope are empty for their defaults.
	Mode  Mode
	Scope string
	// Cursor continues an earlier search; no other member is needed.
	Cursor string
	// Resume is the cursor of the last person received of an interrupted page. The search resumes up to the end of that
	// page, which begins at Cursor. Counts and facets of a first page are sent again, because they may not have
	// arrived.
	Resume  string
	Network *NetworkFilters
	// IncludeCounts is "", "global", "network" or "all".
	IncludeCounts string
	// CountsToken returns counts that an earlier page computed.
	CountsToken string
	// List restricts the search to these people; nil if no list was given.
	List []ListEntry
	// KeptList is true for a list stored by the caller, which may be empty.
	KeptList bool
	// Explain keeps the setting of the page before if nil; on a first page nil means false.
	Explain *bool
	// Closest says whether near misses follow if there are few matches. If nil, it keeps the setting of the page
	// before; on a first page, nil means true if there is a prompt.
	Closest *bool
	Facets  []indexed.Facet
	// Refused is true if the request is already refused for its shape: Search then only looks for further problems and
	// searches nothing.
	Refused bool
}

// ListEntry is one entry of a specific list.
type ListEntry struct {
	// ID is a social identifier, a profile URL, an e-mail address or a person id.
	ID string
	// Number is true if ID was given as a number: a person id, never a social identifier of the same digits.
	Number bool
	// Score orders the entries, highest first; nil is lowest.
	Score *float64
}

// NetworkFilters narrow the network stage.
type NetworkFilters struct {
	ConnectionDegrees          []int
	IntroducerSocialIDs        []string
	UserToIntroducerTypes      []string
	UserToIntroducerMinScore   string
	IntroducerToTargetTypes    []string
	IntroducerToTargetMinScore string
	ExcludeTeams               bool
	ExcludeCommunity           bool
	// LastContact is nil for no condition.
	LastContact *LastContactFilter
	// Order is "", "strength" or "last_contact"; it is for degree 1 alone.
	Order string
}

// LastContactFilter restricts when the caller and a person were last in contact: from the day After (inclusive) to the
// day Before (exclusive). Channel is a kind of contact, or empty for any.
type LastContactFilter struct {
	After, Before, Channel string
}
