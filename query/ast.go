package query

// Query is a boolean condition on one document. The set of its nodes is
// sealed: a switch over it is checked for being exhaustive, so that a node
// that is added without every translator fails the lint.
//
//sumtype:decl
type Query interface{ isQuery() }

// All holds of every document.
type All struct{}

// None holds of no document.
type None struct{}

// And holds where every part holds; an empty And is All.
type And struct{ Parts []Query }

// Or holds where some part holds; an empty Or is None.
type Or struct{ Parts []Query }

// Not holds where Part does not.
type Not struct{ Part Query }

// Term holds where a Keyword field has the value or a Words field the token.
type Term struct {
	Field Field
	Value string
}

// Terms holds where the field has at least one of the values. No values: none.
// At most [MaxTerms] values may stand in one node.
type Terms struct {
	Field  Field
	Values []string
}

// MaxTerms is the most values of one Terms or IDs node: what Elasticsearch
// takes by default (index.max_terms_count, 65,536).
const MaxTerms = 65536

// AllWords holds where a Words field has every token, in any order; they may
// stand in different sequences of the field. No tokens: holds everywhere.
type AllWords struct {
	Field Field
	Words []string
}

// Phrase holds where one sequence of a Words field has the tokens next to
// each other in this order or, where AnyOrder says so, all of them anywhere in
// it. In a sequence of more than [MaxSequence] tokens an engine may overlook
// some that stand far apart.
type Phrase struct {
	Field    Field
	Words    []string
	AnyOrder bool
}

// Name is what written queries call the phrase: together where its words may stand in any
// order, else phrase.
func (p Phrase) Name() string {
	if p.AnyOrder {
		return "together"
	}
	return "phrase"
}

// MaxSequence is how many tokens a sequence may have for all engines to see
// them together: Elasticsearch tells sequences by a gap of 100.
const MaxSequence = 100

// Somewhere asks for the words of the phrase wherever they stand in the field,
// as it does at least.
func (p Phrase) Somewhere() AllWords { return AllWords{Field: p.Field, Words: p.Words} }

// Range holds where a Number field has a value v with Min <= v <= Max; a nil
// bound is open. A document without a value is never in a range.
type Range struct {
	Field    Field
	Min, Max *int64
}

// Exists holds where the field has a value.
type Exists struct{ Field Field }

// Nested holds where one sub-document of Path satisfies Part on its own.
// Fields inside are relative to the path. Nested nodes do not nest.
type Nested struct {
	Path Path
	Part Query
}

// IDs holds of the documents with these identifiers. At most [MaxTerms].
type IDs struct{ Values []int64 }

func (All) isQuery()      {}
func (None) isQuery()     {}
func (And) isQuery()      {}
func (Or) isQuery()       {}
func (Not) isQuery()      {}
func (Term) isQuery()     {}
func (Terms) isQuery()    {}
func (AllWords) isQuery() {}
func (Phrase) isQuery()   {}
func (Range) isQuery()    {}
func (Exists) isQuery()   {}
func (Nested) isQuery()   {}
func (IDs) isQuery()      {}

// FieldOf is the field that a node asks for by itself; false for nodes that join
// others, and for those without a field.
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
