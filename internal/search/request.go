// Package search executes searches: it turns a request into a plan, the plan into stages, and
// the stages into one sequence of events. A JSON page is that sequence collected; a stream is
// the same sequence written out.
package search

import (
	"kith/index"
	"kith/query"
)

// Mode is how a search is understood.
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

// Request is one search as a client asks for it. Its shape has been checked
// (types, known members); its meaning is checked by [Service.Search].
type Request struct {
	// RequestID is what metadata.request_id says.
	RequestID string
	Prompt    string
	Filters   query.Filters
	// Limit is 0 for the default.
	Limit int
	// Mode and Scope are empty for their defaults.
	Mode  Mode
	Scope string
	// Cursor goes on with an earlier search; it alone is enough.
	Cursor string
	// Resume is the cursor of the last person who came of a page that was cut; the search goes on to the end of the page,
	// which Cursor begins. Counts and facets of a first page may not have arrived and come again.
	Resume  string
	Network *NetworkFilters
	// IncludeCounts is "", "global", "network" or "all".
	IncludeCounts string
	// CountsToken gives back counts that an earlier page made.
	CountsToken string
	// List restricts the search to these people; nil where no list was given.
	List []ListEntry
	// KeptList says that the list is one that the caller keeps, which may be empty.
	KeptList bool
	// Explain is nil for as it was on the page before, which is not at all on the first.
	Explain *bool
	// Closest says whether people come after the matches who come close, where few match; nil for as it was on the page
	// before, which on the first is where there is a prompt.
	Closest *bool
	Facets  []index.Facet
	// Refused says that the request is refused in any case, by its shape: what else
	// is wrong with it is looked for, and nothing is searched.
	Refused bool
}

// ListEntry is one entry of a specific list.
type ListEntry struct {
	// ID is a social identifier, a profile URL, an e-mail address or a person id.
	ID string
	// Number is true where ID was given as a number: it is a person id, and no
	// social identifier that is written the same.
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
	// LastContact is nil where nothing is asked of it.
	LastContact *LastContactFilter
	// Order is "", "strength" or "last_contact"; it is for degree 1 alone.
	Order string
}

// LastContactFilter asks when the caller and a person were last in contact: from the
// day After on, and before the day Before. Channel is a kind of contact, or empty for
// any.
type LastContactFilter struct {
	After, Before, Channel string
}
