package prompt

import (
	"encoding/json"

	"kith/query"
)

// writtenCondition is the JSON form of a condition.
type writtenCondition struct {
	Source
	Says  string     `json:"says"`
	Query query.JSON `json:"query"`
}

// MarshalJSON implements [json.Marshaler]. Cursors contain the plan as JSON: all pages of a search
// have the first page's meaning, even if the dataset has learned new words since.
func (c Condition) MarshalJSON() ([]byte, error) {
	return json.Marshal(writtenCondition{Source: c.Source, Says: c.Says, Query: query.JSON{Query: c.Query}})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *Condition) UnmarshalJSON(text []byte) error {
	var w writtenCondition
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	*c = Condition{Source: w.Source, Says: w.Says, Query: w.Query.Query}
	return nil
}
