package kith

import "encoding/json"

// OrNull is a text that is null in JSON if empty.
type OrNull string

// MarshalJSON implements json.Marshaler.
func (s OrNull) MarshalJSON() ([]byte, error) {
	if s == "" {
		return []byte("null"), nil
	}
	return json.Marshal(string(s))
}
