package prompt

import (
	"encoding/json"

	"kith/query"
)

// writtenCondition is a condition as JSON.
type writtenCondition struct {
	Source
	Says  string     `json:"says"`
	Query query.JSON `json:"query"`
}

// MarshalJSON implements [json.Marshaler]. A plan is written as JSON to be kept
// in a cursor: the pages of a walk mean what its first page meant, whatever the
// directory has learnt since.
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
