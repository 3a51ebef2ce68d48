package frame

import (
	_ "embed"

	"github.com/go-json-experiment/json"
)

//go:embed frame.schema.json
var schema string

// Schema returns the JSON Schema (2020-12) of the JSON form.
func Schema() string { return schema }

// written is the JSON form of a frame.
type written struct {
	Prompt string        `json:"prompt"`
	Marks  []writtenMark `json:"marks"`
}

// writtenMark is a mark with its words, for people who read the JSON.
type writtenMark struct {
	Mark
	Words string `json:"words"`
}

// MarshalJSON implements [json.Marshaler].
func (f Frame) MarshalJSON() ([]byte, error) {
	w := written{Prompt: f.Prompt, Marks: make([]writtenMark, 0, len(f.Marks))}
	for _, m := range f.Marks {
		w.Marks = append(w.Marks, writtenMark{m, f.Words(m)})
	}
	return json.Marshal(w)
}

// UnmarshalJSON implements [json.Unmarshaler]. It rejects unknown members, and words that are not those of the prompt.
func (f *Frame) UnmarshalJSON(text []byte) error {
	var w written
	if err := json.Unmarshal(text, &w, json.RejectUnknownMembers(true)); err != nil {
		return err
	}
	marks := make([]Mark, 0, len(w.Marks))
	for _, m := range w.Marks {
		marks = append(marks, m.Mark)
	}
	read, err := New(w.Prompt, marks)
	if err != nil {
		return err
	}
	for _, m := range w.Marks {
		if words := read.Words(m.Mark); m.Words != words {
			return wrong(m.From, "bytes %d to %d of the prompt are %q (got the words %q)", m.From, m.To, words, m.Words)
		}
	}
	*f = read
	return nil
}
