package search

import (
	"encoding/json"

	"kith/index"
	"kith/query"
	"kith/query/prompt"
)

// Event is one thing that a running search has to tell. The set is sealed.
//
//sumtype:decl
type Event interface{ isEvent() }

// Started comes first: all that is known before the engine has answered, but for the SQL, which comes with [Done].
type Started struct{ Metadata Metadata }

// Result is one person found.
type Result struct {
	Index int `json:"index"`
	// Person is the search-result Person, with "match" where explain was asked.
	Person json.RawMessage `json:"person"`
	// Cursor resumes the search right behind this person; empty for a list.
	Cursor string `json:"-"`
}

// StageEnd says that a stage is exhausted. The stage closest is announced: it is not complete, its people follow, and
// Results is how many.
type StageEnd struct {
	Stage    string `json:"stage"`
	Complete bool   `json:"complete"`
	Results  int    `json:"results"`
}

// Counted carries the counts, when they are ready.
type Counted struct {
	Counts Counts `json:"counts"`
	Token  string `json:"counts_token"`
}

// Failed says that the search broke off; Done follows.
type Failed struct{ Err error }

// Done is always last.
type Done struct {
	Complete   bool       `json:"complete"`
	Metadata   Metadata   `json:"metadata"`
	Pagination Pagination `json:"pagination"`
}

func (Started) isEvent()  {}
func (Result) isEvent()   {}
func (StageEnd) isEvent() {}
func (Counted) isEvent()  {}
func (Failed) isEvent()   {}
func (Done) isEvent()     {}

// Metadata is the metadata of a search.
type Metadata struct {
	RequestID            string                             `json:"request_id"`
	Mode                 Mode                               `json:"mode"`
	Source               string                             `json:"source"`
	NetworkStageComplete bool                               `json:"network_stage_complete"`
	GeneratedSQL         string                             `json:"generated_sql,omitempty"`
	SearchEngine         string                             `json:"search_engine"`
	Interpretation       Interpretation                     `json:"interpretation"`
	CountsToken          string                             `json:"counts_token,omitempty"`
	Counts               *Counts                            `json:"counts,omitempty"`
	Facets               map[index.Facet][]index.FacetValue `json:"facets,omitempty"`
	List                 *ListSummary                       `json:"list,omitempty"`
	// Closest is nil where no people come close, or none were looked for.
	Closest *Closest `json:"closest,omitempty"`
	// Without are the filters without which more people would match, where few do.
	Without []Without `json:"without,omitempty"`
	// Unknown are the filters for a company, a school or a person that nobody here satisfies, where nobody matches.
	Unknown []Unknown `json:"unknown,omitempty"`
}

// Unknown is a filter for something named that nobody here satisfies, whatever else is asked.
type Unknown struct {
	Field query.FilterName `json:"field"`
	// Value is in the filter grammar.
	Value string `json:"value"`
}

// Closest says which people of a page come close and do not match.
type Closest struct {
	// BeginsAt is the place of the first of them among the people of the page, from 0. They are the last.
	BeginsAt int `json:"begins_at"`
	Count    int `json:"count"`
}

// Without says how many people would match without one filter or two.
type Without struct {
	Fields []query.FilterName `json:"fields"`
	// Count is exact, or at least so many where IsCapped is true.
	Count    int  `json:"count"`
	IsCapped bool `json:"is_capped"`
}

// Counts are the counts of a search; a nil part was not asked for.
type Counts struct {
	Global  *GlobalCount  `json:"global,omitempty"`
	Network *NetworkCount `json:"network,omitempty"`
}

// GlobalCount is how many people match; Value is exact up to Cap, or at least so
// many where IsCapped is true.
type GlobalCount struct {
	Value    int  `json:"value"`
	IsCapped bool `json:"is_capped"`
	Cap      int  `json:"cap"`
}

// NetworkCount is how many people of the caller's network match.
type NetworkCount struct {
	Value       int  `json:"value"`
	IsEstimated bool `json:"is_estimated"`
}

// ListSummary says what became of the entries of a specific list: every entry
// is either matched by a person of the answer or unmatched.
type ListSummary struct {
	Received  int `json:"received"`
	Matched   int `json:"matched"`
	Unmatched int `json:"unmatched"`
}

// Pagination is the pagination object; sent back whole it is a cursor object.
// Cursor is empty where there is no next page. Of a search that broke off it
// goes on behind the last person that was given.
type Pagination struct {
	Cursor      string `json:"cursor"`
	HasNextPage bool   `json:"has_next_page"`
	Count       int    `json:"count"`
}

// Interpretation says how a search was understood.
type Interpretation struct {
	Filters []UnderstoodFilter `json:"filters"`
	// Preferences need not hold: people come first of whom more do.
	Preferences []UnderstoodFilter `json:"preferences,omitempty"`
	// Conditions are what no filter can say, relations to the people of steps
	// among them.
	Conditions []UnderstoodCondition `json:"conditions"`
	// Criteria are judgements: the first orders the people.
	Criteria []UnderstoodCriterion `json:"criteria"`
	// Steps are the searches that came before this one, in order.
	Steps []UnderstoodStep `json:"steps"`
	// Network is what is asked of the caller's network; nil for nothing.
	Network *UnderstoodNetwork `json:"network,omitempty"`
	// Corrections are the misspelt words of the prompt that were read as others.
	Corrections []prompt.Correction `json:"corrections"`
	// Alternatives are other readings of the prompt, the likelier first.
	Alternatives []UnderstoodAlternative `json:"alternatives,omitempty"`
	Ignored      []string                `json:"ignored"`
	Notes        []string                `json:"notes"`
}

// UnderstoodCondition is something asked of a person beside filters.
type UnderstoodCondition struct {
	// Says is the condition in words.
	Says string `json:"says"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
	// Relation is the kind of a relation, and Step the step that it refers to,
	// by its place in Steps; "" and null for other conditions.
	Relation prompt.RelationKind `json:"relation"`
	Step     *int                `json:"step"`
	Excluded bool                `json:"excluded"`
}

// UnderstoodAlternative is another reading of a prompt: filters that can be sent.
type UnderstoodAlternative struct {
	Filters query.Filters      `json:"filters"`
	Network *UnderstoodNetwork `json:"network"`
	Says    string             `json:"says"`
}

// UnderstoodNetwork is what a prompt asks of the caller's network.
type UnderstoodNetwork struct {
	Degrees []int `json:"degrees"`
	// IntroducersOf is the step of the people to be introduced to, by its place in
	// Steps.
	IntroducersOf *int                   `json:"introducers_of"`
	Order         *prompt.NetworkOrder   `json:"order"`
	LastContact   *UnderstoodLastContact `json:"last_contact"`
	Text          string                 `json:"text"`
	Span          [2]int                 `json:"span"`
}

// UnderstoodLastContact is when the caller and a person were last in contact.
type UnderstoodLastContact struct {
	// After and Before are days, of which the first counts and the second does
	// not; null where there is no such bound.
	After  *string `json:"after"`
	Before *string `json:"before"`
	// Channel is "email", or null for any.
	Channel *string `json:"channel"`
}

// UnderstoodCriterion is a judgement.
type UnderstoodCriterion struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
	// Formula says in words how it is judged.
	Formula string `json:"formula"`
}

// UnderstoodStep is a search that came before the search.
type UnderstoodStep struct {
	// Says is who was looked for, in words.
	Says string `json:"says"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
	// Filters are in the filter grammar.
	Filters query.Filters `json:"filters"`
	// Relations are those to earlier steps.
	Relations []UnderstoodCondition `json:"relations"`
	// Found is how many people were taken, and People the first of them.
	Found  int           `json:"found"`
	People []FoundPerson `json:"people"`
	// SQL is a statement as generated_sql is: the step as it ran. On later pages
	// of a walk it asks for the people whom the first page found.
	SQL string `json:"sql"`
}

// FoundPerson is a person whom a step found.
type FoundPerson struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
}

// UnderstoodFilter is one filter that a search was understood to ask for.
type UnderstoodFilter struct {
	Field query.FilterName `json:"field"`
	Value string           `json:"value"`
	// Text and Span are the prompt's own words; empty and null for a filter
	// that the request gave as such. Span counts Unicode code points.
	Text     string  `json:"text"`
	Span     *[2]int `json:"span"`
	Excluded bool    `json:"excluded"`
}
