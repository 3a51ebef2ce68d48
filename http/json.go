package http

import (
	"bytes"
	"encoding/json"
)

// encode writes v as JSON. Unlike [json.Marshal] it does not escape <, > and &: answers are never part of a page.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
