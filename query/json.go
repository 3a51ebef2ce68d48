package query

import (
	"encoding/json"
	"fmt"

	"kith"
)

// JSON converts a query to JSON and back to an [Equal] query, within one release. A nil query is written as null.
type JSON struct{ Query Query }

// node is any node of the AST. Its kind determines its members.
type node struct {
	Kind   string   `json:"k"`
	Field  Field    `json:"f,omitempty"`
	Path   Path     `json:"at,omitempty"`
	Values []string `json:"v,omitempty"`
	IDs    []int64  `json:"i,omitempty"`
	Min    *int64   `json:"min,omitempty"`
	Max    *int64   `json:"max,omitempty"`
	Parts  []JSON   `json:"p,omitempty"`

	Timeline *timelineNode `json:"tl,omitempty"`
}

// MarshalJSON implements [json.Marshaler].
func (j JSON) MarshalJSON() ([]byte, error) {
	if j.Query == nil {
		return []byte("null"), nil
	}
	return json.Marshal(newNode(j.Query))
}

// UnmarshalJSON implements [json.Unmarshaler].
func (j *JSON) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		j.Query = nil
		return nil
	}
	var n node
	if err := json.Unmarshal(text, &n); err != nil {
		return fmt.Errorf("reading a query: %w", err)
	}
	var err error
	j.Query, err = n.query()
	return err
}

func newNode(q Query) node {
	switch q := q.(type) {
	case All:
		return node{Kind: "all"}
	case None:
		return node{Kind: "none"}
	case And:
		return node{Kind: "and", Parts: kith.Each(q.Parts, toJSON)}
	case Or:
		return node{Kind: "or", Parts: kith.Each(q.Parts, toJSON)}
	case Not:
		return node{Kind: "not", Parts: []JSON{{q.Part}}}
	case Term:
		return node{Kind: "term", Field: q.Field, Values: []string{q.Value}}
	case Terms:
		return node{Kind: "terms", Field: q.Field, Values: q.Values}
	case AllWords:
		return node{Kind: "words", Field: q.Field, Values: q.Words}
	case Phrase:
		return node{Kind: q.Name(), Field: q.Field, Values: q.Words}
	case Range:
		return node{Kind: "range", Field: q.Field, Min: q.Min, Max: q.Max}
	case Exists:
		return node{Kind: "exists", Field: q.Field}
	case Nested:
		return node{Kind: "nested", Path: q.Path, Parts: []JSON{{q.Part}}}
	case IDs:
		return node{Kind: "ids", IDs: q.Values}
	case Timeline:
		return node{Kind: "timeline", Timeline: newTimelineNode(q)}
	}
	return node{Kind: "none"}
}

func (n node) query() (Query, error) {
	switch n.Kind {
	case "all":
		return All{}, nil
	case "none":
		return None{}, nil
	case "and":
		return And{Parts: kith.Each(n.Parts, fromJSON)}, nil
	case "or":
		return Or{Parts: kith.Each(n.Parts, fromJSON)}, nil
	case "terms":
		return Terms{Field: n.Field, Values: n.Values}, nil
	case "words":
		return AllWords{Field: n.Field, Words: n.Values}, nil
	case "phrase":
		return Phrase{Field: n.Field, Words: n.Values}, nil
	case "together":
		return Phrase{Field: n.Field, Words: n.Values, AnyOrder: true}, nil
	case "range":
		return Range{Field: n.Field, Min: n.Min, Max: n.Max}, nil
	case "exists":
		return Exists{Field: n.Field}, nil
	case "ids":
		return IDs{Values: n.IDs}, nil
	}
	return n.single()
}

// single converts the nodes with exactly one value or part.
func (n node) single() (Query, error) {
	switch {
	case n.Kind == "term" && len(n.Values) == 1:
		return Term{Field: n.Field, Value: n.Values[0]}, nil
	case n.Kind == "not" && len(n.Parts) == 1:
		return Not{Part: n.Parts[0].Query}, nil
	case n.Kind == "nested" && len(n.Parts) == 1:
		return Nested{Path: n.Path, Part: n.Parts[0].Query}, nil
	case n.Kind == "timeline" && n.Timeline != nil:
		return n.Timeline.timeline(), nil
	}
	return nil, fmt.Errorf("reading a query: %q is not a node, or lacks its part", n.Kind)
}

func toJSON(q Query) JSON { return JSON{q} }

func fromJSON(j JSON) Query { return j.Query }
