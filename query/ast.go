package query

// Query is a boolean condition on one document. The set of nodes is sealed: the lint checks that
// every switch over Query is exhaustive, so it finds translators that lack a new node.
//
//sumtype:decl
type Query interface{ equal(Query) bool }

// All matches every document.
type All struct{}

// None matches no document.
type None struct{}

// And matches if every part does; an empty And is All.
type And struct{ Parts []Query }

// Or matches if any part does; an empty Or is None.
type Or struct{ Parts []Query }

// Not matches if Part does not.
type Not struct{ Part Query }

// Term matches if a Keyword field has the value, or a Words field the token.
type Term struct {
	Field Field
	Value string
}

// Terms matches if the field has at least one of the values. Without values it matches nothing. A
// node has at most [MaxTerms] values.
type Terms struct {
	Field  Field
	Values []string
}

// MaxTerms is the maximum number of values in one Terms or IDs node. It is Elasticsearch's
// default (index.max_terms_count, 65,536).
const MaxTerms = 65536

// AllWords matches if a Words field has every token, in any order and possibly in different
// sequences of the field. Without tokens it matches everything.
type AllWords struct {
	Field Field
	Words []string
}

// Phrase matches if one sequence of a Words field has the tokens next to each other in this order.
// With AnyOrder the tokens may be anywhere in that sequence. In a sequence of more than
// [MaxSequence] tokens, engines may miss tokens that are far apart.
type Phrase struct {
	Field    Field
	Words    []string
	AnyOrder bool
}

// Name is the phrase's name in serialised queries: "together" with AnyOrder, else "phrase".
func (p Phrase) Name() string {
	if p.AnyOrder {
		return "together"
	}
	return "phrase"
}

// MaxSequence is the longest sequence, in tokens, that all engines see as one: Elasticsearch
// separates sequences by a gap of 100.
const MaxSequence = 100

// Somewhere returns a weaker condition: the field has all words of the phrase, anywhere.
func (p Phrase) Somewhere() AllWords { return AllWords{Field: p.Field, Words: p.Words} }

// Range matches if a Number field has a value v with Min <= v <= Max; a nil bound is open. A
// document without a value is never in range.
type Range struct {
	Field    Field
	Min, Max *int64
}

// Exists matches if the field has a value.
type Exists struct{ Field Field }

// Nested matches if a single sub-document of Path satisfies Part. Fields inside are relative to the
// path. Nested nodes do not nest.
type Nested struct {
	Path Path
	Part Query
}

// IDs matches the documents with these identifiers, at most [MaxTerms].
type IDs struct{ Values []int64 }

// FieldOf returns the field of a node that tests one field. It is false for nodes that combine
// others and for nodes without a field.
func FieldOf(q Query) (f Field, ok bool) {
	switch q := q.(type) {
	case Term:
		return q.Field, true
	case Terms:
		return q.Field, true
	case Phrase:
		return q.Field, true
	case AllWords:
		return q.Field, true
	case Exists:
		return q.Field, true
	case Range:
		return q.Field, true
	case All, None, And, Or, Not, Nested, IDs, Timeline:
		return "", false
	}
	return "", false
}
