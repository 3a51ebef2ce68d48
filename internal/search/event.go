package search

import (
	"encoding/json"

	"kith/index"
	"kith/query"
	"kith/query/prompt"
)

// Event is one event of a running search. The set is sealed.
//
//sumtype:decl
type Event interface{ isEvent() }

// Started comes first. It holds all that is known before the engine answers, except the SQL, which comes with [Done].
type Started struct{ Metadata Metadata }

// Result is one matching person.
type Result struct {
	Index int `json:"index"`
	// Person is the search-result Person, with "match" if explain was requested.
	Person json.RawMessage `json:"person"`
	// Cursor resumes the search right after this person; empty for a list, and if the whole search is one page.
	Cursor string `json:"-"`
}

// StageEnd marks the end of a stage. The stage "closest" is different: StageEnd announces it. Complete is false, its
// people follow, and Results is their number.
type StageEnd struct {
	Stage    string `json:"stage"`
	Complete bool   `json:"complete"`
	Results  int    `json:"results"`
}

// Counted carries the counts as soon as they are ready.
type Counted struct {
	Counts Counts `json:"counts"`
	Token  string `json:"counts_token"`
}

// Failed reports that the search broke off; Done follows.
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

// Metadata describes a search and its answer.
type Metadata struct {
	RequestID            string            `json:"request_id"`
	Mode                 Mode              `json:"mode"`
	Source               string            `json:"source"`
	NetworkStageComplete bool              `json:"network_stage_complete"`
	GeneratedSQL         string            `json:"generated_sql,omitempty"`
	SearchEngine         string            `json:"search_engine"`
	Interpretation       Interpretation    `json:"interpretation"`
	CountsToken          string            `json:"counts_token,omitempty"`
	Counts               *Counts           `json:"counts,omitempty"`
	Facets               index.FacetValues `json:"facets,omitempty"`
	List                 *ListSummary      `json:"list,omitempty"`
	// Closest is nil if there are no near misses or none were looked for.
	Closest *Closest `json:"closest,omitempty"`
	// Without lists filters without which more people would match, if few do.
	Without []Without `json:"without,omitempty"`
	// Unknown lists the filters for a company, school or person that nobody satisfies, if nobody matches.
	Unknown []Unknown `json:"unknown,omitempty"`
}

// Unknown is a filter for a named thing that nobody satisfies, even without the other filters.
type Unknown struct {
	Field query.FilterName `json:"field"`
	// Value is in the filter grammar.
	Value string `json:"value"`
}

// Closest says which people of a page are near misses.
type Closest struct {
	// BeginsAt is the index of the first near miss in the answer, from 0: 0 if the search resumes among near misses.
	// Near misses come last.
	BeginsAt int `json:"begins_at"`
	Count    int `json:"count"`
}

// Without says how many people would match without one or two filters.
type Without struct {
	Fields []query.FilterName `json:"fields"`
	// Count is exact unless IsCapped, which makes it a minimum.
	Count    int  `json:"count"`
	IsCapped bool `json:"is_capped"`
}

// Counts are the counts of a search; a nil part was not requested.
type Counts struct {
	Global  *GlobalCount  `json:"global,omitempty"`
	Network *NetworkCount `json:"network,omitempty"`
}

// GlobalCount is the number of matches. Value is exact up to Cap; if IsCapped it is a minimum.
type GlobalCount struct {
	Value    int  `json:"value"`
	IsCapped bool `json:"is_capped"`
	Cap      int  `json:"cap"`
}

// NetworkCount is the number of matches in the caller's network.
type NetworkCount struct {
	Value       int  `json:"value"`
	IsEstimated bool `json:"is_estimated"`
}

// ListSummary counts the entries of a specific list: each is either matched by a person in the answer or unmatched.
type ListSummary struct {
	Received  int `json:"received"`
	Matched   int `json:"matched"`
	Unmatched int `json:"unmatched"`
}

// Pagination is the pagination object; clients may send it back whole as a cursor. Cursor is empty if there is no next
// page. If the search broke off, Cursor resumes after the last person returned.
type Pagination struct {
	Cursor      string `json:"cursor"`
	HasNextPage bool   `json:"has_next_page"`
	Count       int    `json:"count"`
}

// Interpretation describes how the service understood a search.
type Interpretation struct {
	Filters []UnderstoodFilter `json:"filters"`
	// Preferences are optional: people who satisfy more of them come first.
	Preferences []UnderstoodFilter `json:"preferences,omitempty"`
	// Conditions are the parts that no filter can express, including relations to the people of steps.
	Conditions []UnderstoodCondition `json:"conditions"`
	// Criteria are judgements; the first one orders the people.
	Criteria []UnderstoodCriterion `json:"criteria"`
	// Steps are the searches that ran before this one, in order.
	Steps []UnderstoodStep `json:"steps"`
	// Network is what the search asks of the caller's network; nil for nothing.
	Network *UnderstoodNetwork `json:"network,omitempty"`
	// Corrections are the spelling corrections of the prompt.
	Corrections []prompt.Correction `json:"corrections"`
	// Confidence is how sure the planner is of its reading, and Probability the probability that it is right. Both are
	// empty for a search without a prompt, and where the request takes a reading.
	Confidence  prompt.Confidence `json:"confidence,omitempty"`
	Probability float64           `json:"probability,omitempty"`
	// Reading is the number of the reading that the request takes, 0 if it takes none.
	Reading int `json:"reading,omitempty"`
	// Alternatives are other readings of the prompt, likeliest first.
	Alternatives []UnderstoodAlternative `json:"alternatives,omitempty"`
	// Question asks which reading is meant; nil unless the confidence is low.
	Question *Question `json:"question,omitempty"`
	Ignored  []string  `json:"ignored"`
	Notes    []string  `json:"notes"`
	// Reader is who read the prompt, "" for a search without one.
	Reader prompt.Reader `json:"reader,omitempty"`
}

// UnderstoodCondition is a condition on a person that is not a filter.
type UnderstoodCondition struct {
	// Says describes the condition in words.
	Says string `json:"says"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
	// Relation is the kind of a relation, and Step the index in Steps of the step it refers to; "" and null for other
	// conditions.
	Relation prompt.RelationKind `json:"relation"`
	Step     *int                `json:"step"`
	Excluded bool                `json:"excluded"`
}

// UnderstoodAlternative is another reading of a prompt. The same request with its number in Reading searches for it.
type UnderstoodAlternative struct {
	Reading int    `json:"reading"`
	Says    string `json:"says"`
	// Words are the words of the prompt that it reads in another way.
	Words []string `json:"words"`
	// Filters and Network express the whole reading; Filters is null if they cannot.
	Filters query.Filters      `json:"filters"`
	Network *UnderstoodNetwork `json:"network"`
}

// Question asks the caller which reading of a prompt is meant. The first answer is the reading that was searched for.
type Question struct {
	Text    string   `json:"text"`
	Answers []Answer `json:"answers"`
}

// Answer is one answer to a question. The same request with its number in Reading gives it.
type Answer struct {
	Reading int    `json:"reading"`
	Says    string `json:"says"`
}

// UnderstoodNetwork is a prompt's question about the caller's network.
type UnderstoodNetwork struct {
	Degrees []int `json:"degrees"`
	// IntroducersOf is the index in Steps of the step that finds the people to be introduced to.
	IntroducersOf *int                   `json:"introducers_of"`
	Order         *prompt.NetworkOrder   `json:"order"`
	LastContact   *UnderstoodLastContact `json:"last_contact"`
	Text          string                 `json:"text"`
	Span          [2]int                 `json:"span"`
}

// UnderstoodLastContact restricts when the caller and a person were last in contact.
type UnderstoodLastContact struct {
	// After (inclusive) and Before (exclusive) are days; null means unbounded.
	After  *string `json:"after"`
	Before *string `json:"before"`
	// Channel is "email", or null for any.
	Channel *string `json:"channel"`
}

// UnderstoodCriterion is a judgement of people, such as long experience.
type UnderstoodCriterion struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
	// Formula describes the measure in words.
	Formula string `json:"formula"`
}

// UnderstoodStep is a search that ran before the main search.
type UnderstoodStep struct {
	// Says describes, in words, the people looked for.
	Says string `json:"says"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
	// Filters are in the filter grammar.
	Filters query.Filters `json:"filters"`
	// Relations are the relations to earlier steps.
	Relations []UnderstoodCondition `json:"relations"`
	// Found is the number of people taken, and People the first of them.
	Found  int           `json:"found"`
	People []FoundPerson `json:"people"`
	// SQL is the statement of the step, like generated_sql. On later pages of a walk it selects the people that the
	// first page found.
	SQL string `json:"sql"`
}

// FoundPerson is a person that a step found.
type FoundPerson struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
}

// UnderstoodFilter is one filter as the search understood it.
type UnderstoodFilter struct {
	Field query.FilterName `json:"field"`
	Value string           `json:"value"`
	// Text and Span are the words of the prompt; empty and null for a filter given in the request. Span counts Unicode
	// code points.
	Text     string  `json:"text"`
	Span     *[2]int `json:"span"`
	Excluded bool    `json:"excluded"`
}
