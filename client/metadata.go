package client

// SearchMetadata is the metadata of a search. GeneratedSQL is empty in the first event of a stream.
type SearchMetadata struct {
	RequestID            string                  `json:"request_id"`
	Mode                 string                  `json:"mode"`
	Source               string                  `json:"source"`
	NetworkStageComplete bool                    `json:"network_stage_complete"`
	GeneratedSQL         string                  `json:"generated_sql,omitempty"`
	SearchEngine         string                  `json:"search_engine"`
	Interpretation       Interpretation          `json:"interpretation"`
	CountsToken          string                  `json:"counts_token,omitempty"`
	Counts               *Counts                 `json:"counts,omitempty"`
	Facets               map[string][]FacetValue `json:"facets,omitempty"`
	List                 *ListSummary            `json:"list,omitempty"`
	Closest              *Closest                `json:"closest,omitempty"`
	Without              []Without               `json:"without,omitempty"`
}

// Counts are numbers of matches. A part that was not requested is nil.
type Counts struct {
	Global *struct {
		Value    int  `json:"value"`
		IsCapped bool `json:"is_capped"`
		Cap      int  `json:"cap"`
	} `json:"global,omitempty"`
	Network *struct {
		Value       int  `json:"value"`
		IsEstimated bool `json:"is_estimated"`
	} `json:"network,omitempty"`
}

// FacetValue is one value of a facet.
type FacetValue struct {
	Value    string `json:"value"`
	Count    int    `json:"count"`
	IsCapped bool   `json:"is_capped"`
}

// ListSummary counts the entries of a specific list.
type ListSummary struct {
	Received  int `json:"received"`
	Matched   int `json:"matched"`
	Unmatched int `json:"unmatched"`
}

// Closest marks the people of a page who only come close: Count people from index BeginsAt.
type Closest struct {
	BeginsAt int `json:"begins_at"`
	Count    int `json:"count"`
}

// Without is the number of matches without some filters.
type Without struct {
	Fields   []string `json:"fields"`
	Count    int      `json:"count"`
	IsCapped bool     `json:"is_capped"`
}

// Interpretation describes how a search was understood.
type Interpretation struct {
	Filters      []UnderstoodFilter    `json:"filters"`
	Preferences  []UnderstoodFilter    `json:"preferences,omitempty"`
	Conditions   []UnderstoodCondition `json:"conditions"`
	Criteria     []UnderstoodCriterion `json:"criteria"`
	Steps        []UnderstoodStep      `json:"steps"`
	Network      *UnderstoodNetwork    `json:"network,omitempty"`
	Corrections  []Correction          `json:"corrections"`
	Confidence   string                `json:"confidence,omitempty"`
	Probability  float64               `json:"probability,omitempty"`
	Reading      int                   `json:"reading,omitempty"`
	Alternatives []Alternative         `json:"alternatives,omitempty"`
	Question     *Question             `json:"question,omitempty"`
	Ignored      []string              `json:"ignored"`
	Notes        []string              `json:"notes"`
	Reader       string                `json:"reader,omitempty"`
}

// UnderstoodFilter is a filter read from a prompt. Text and Span are its words, Span in code points.
type UnderstoodFilter struct {
	Field    string  `json:"field"`
	Value    string  `json:"value"`
	Text     string  `json:"text"`
	Span     *[2]int `json:"span"`
	Excluded bool    `json:"excluded"`
}

// UnderstoodCondition is a condition that no filter can express.
type UnderstoodCondition struct {
	Says     string `json:"says"`
	Text     string `json:"text"`
	Span     [2]int `json:"span"`
	Relation string `json:"relation"`
	Step     *int   `json:"step"`
	Excluded bool   `json:"excluded"`
}

// UnderstoodCriterion is a judgement, which orders people.
type UnderstoodCriterion struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Span    [2]int `json:"span"`
	Formula string `json:"formula"`
}

// UnderstoodStep is a search that ran first.
type UnderstoodStep struct {
	Says      string                `json:"says"`
	Text      string                `json:"text"`
	Span      [2]int                `json:"span"`
	Filters   map[string]string     `json:"filters"`
	Relations []UnderstoodCondition `json:"relations"`
	Found     int                   `json:"found"`
	People    []struct {
		ID       int64  `json:"id"`
		FullName string `json:"full_name"`
	} `json:"people"`
	SQL string `json:"sql"`
}

// UnderstoodNetwork is what a prompt asks of the caller's network.
type UnderstoodNetwork struct {
	Degrees       []int   `json:"degrees"`
	IntroducersOf *int    `json:"introducers_of"`
	Order         *string `json:"order"`
	LastContact   *struct {
		After   *string `json:"after"`
		Before  *string `json:"before"`
		Channel *string `json:"channel"`
	} `json:"last_contact"`
	Text string `json:"text"`
	Span [2]int `json:"span"`
}

// Correction is a misspelt word with its reading.
type Correction struct {
	From string `json:"from"`
	To   string `json:"to"`
	Span [2]int `json:"span"`
}

// Alternative is another reading of a prompt, which the same request with its number takes. Words are read in another
// way. Filters is nil if filters and network cannot express the reading.
type Alternative struct {
	Reading int                `json:"reading"`
	Says    string             `json:"says"`
	Words   []string           `json:"words"`
	Filters map[string]string  `json:"filters"`
	Network *UnderstoodNetwork `json:"network"`
}

// Question asks which reading of a prompt is meant.
type Question struct {
	Text    string   `json:"text"`
	Answers []Answer `json:"answers"`
}

// Answer is an answer to a question: a reading, which the same request with its number takes.
type Answer struct {
	Reading int    `json:"reading"`
	Says    string `json:"says"`
}
