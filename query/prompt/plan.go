// Package prompt defines plans: the meaning of a prompt, mostly as filters of the API. It has the types and
// interfaces of planners; package planner makes plans. A prompt is never an error and never matches everyone.
package prompt

import (
	"context"

	"kith"
	"kith/query"
)

// Mode is a way to interpret a prompt.
type Mode string

// The modes. Auto is only for requests: a plan has one of the others.
const (
	Auto    Mode = "auto"
	Lookup  Mode = "lookup"  // one particular person
	Simple  Mode = "simple"  // filters express the whole prompt
	Complex Mode = "complex" // needs several searches or a judgement
)

// Reader is a way to find out what a prompt asks for.
type Reader string

// The readers.
const (
	ByGrammar Reader = "grammar" // the embedded grammar
	ByTagger  Reader = "tagger"  // the embedded model, which marks words
	ByModel   Reader = "model"   // a language model
)

// Planner makes a plan from a prompt of 1 to kith.MaxPromptLength code points. It returns an error if a
// dependency fails, never because of the text. A planner is safe for concurrent use. Without a language
// model, the same text and mode give the same plan as long as the viewer's dataset knows the same words.
type Planner interface {
	Plan(ctx context.Context, v kith.Viewer, text string, mode Mode) (Plan, error)
}

// Plan is the interpretation of a prompt. A match satisfies all filters, conditions and relations,
// and belongs to the requested network. Criteria only order the matches.
type Plan struct {
	// Reader is who read the prompt; empty for a plan of a request without a prompt.
	Reader Reader `json:"reader,omitempty"`
	// Mode is the mode in which to execute the plan.
	Mode Mode `json:"mode"`
	// Filters have distinct names.
	Filters []Filter `json:"filters,omitempty"`
	// Nothing is true for a prompt without words: no one matches.
	Nothing bool `json:"nothing,omitempty"`
	// Preferred are optional filters: people who match more of them come first.
	Preferred []Filter `json:"preferred,omitempty"`
	// Conditions express what filters cannot.
	Conditions []Condition `json:"conditions,omitempty"`
	// Steps find, in order, the people that Relations and Network refer to.
	Steps     []Step     `json:"steps,omitempty"`
	Relations []Relation `json:"relations,omitempty"`
	// Network is the part about the caller's own network; nil for none. A plan with it is Complex
	// if it has steps or criteria, else Simple.
	Network *Network `json:"network,omitempty"`
	// Criteria are soft preferences. The first orders the people, best first; the answer explains all.
	Criteria []Criterion `json:"criteria,omitempty"`
	// Corrections are the corrected misspellings in the prompt.
	Corrections []Correction `json:"corrections,omitempty"`
	// Confidence is how sure the planner is of this reading, and Probability the probability that it is right, fitted
	// to prompts with known meaning. Confidence is empty where nobody can say, or the caller took the reading;
	// Probability is then 0.
	Confidence  Confidence `json:"confidence,omitempty"`
	Probability float64    `json:"probability,omitempty"`
	// Reading is the number of the reading that the caller took; 0 if the planner chose.
	Reading int `json:"reading,omitempty"`
	// Alternatives are other readings, at most [MaxAlternatives], likeliest first. They are not executed.
	Alternatives []Alternative `json:"alternatives,omitempty"`
	// Ignored are the words of the prompt without meaning.
	Ignored []string `json:"ignored,omitempty"`
	// Notes are notes for the caller.
	Notes []string `json:"notes,omitempty"`
}

// Source is the part of a prompt that gave rise to an element of the plan.
type Source struct {
	// Text is quoted from the prompt; " … " joins separate parts.
	Text string `json:"text"`
	// Span is the start and the end (exclusive) of the text, in Unicode code points.
	Span [2]int `json:"span"`
}

// Correction is a corrected word of a prompt.
type Correction struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Span is the start and the end (exclusive) of the word, in Unicode code points.
	Span [2]int `json:"span"`
}

// Filter is a filter that the prompt asks for.
type Filter struct {
	Source
	Name query.FilterName `json:"field"`
	// Value is in the filter grammar, as in a request.
	Value string `json:"value"`
	// Excluded is true if all parts of the filter exclude.
	Excluded bool `json:"excluded,omitempty"`
}

// Condition is a condition on a person that filters cannot express, such as two consecutive jobs.
type Condition struct {
	Source
	// Says is the condition in words: "moved from Google to Meta".
	Says  string     `json:"says"`
	Query query.JSON `json:"query"`
}

// Step is a search for people that a relation of the plan, or of a later step, refers to.
type Step struct {
	Source
	// Says describes the step in words: "Jane Doe, at Acme".
	Says string `json:"says"`
	// Filters and Relations are the conditions of the search; Relations refer to earlier steps.
	Filters   query.Filters `json:"filters,omitempty"`
	Relations []Relation    `json:"relations,omitempty"`
	// Keys identify people by the identifier keys of package kith/internal/search; they replace the filters.
	Keys []string `json:"keys,omitempty"`
	// Limit is the maximum number of people, in search order.
	Limit int `json:"limit,omitempty"`
}

// RelationKind is how a person relates to the people of a step.
type RelationKind string

// The kinds of relation.
const (
	// WorkedWith had a job at the same company at the same time.
	WorkedWith RelationKind = "worked_with"
	// FormerColleague is WorkedWith, but not a colleague today.
	FormerColleague RelationKind = "former_colleague"
	// SameSchool has an education entry at the same school.
	SameSchool RelationKind = "same_school"
	// AtTheirCompany works at a company where the people of the step work now.
	AtTheirCompany RelationKind = "at_their_company"
	// AtCompanyFounded works at a company that they founded.
	AtCompanyFounded RelationKind = "at_company_founded"
	// AtTheirPastCompany works at a company that they have left.
	AtTheirPastCompany RelationKind = "at_their_past_company"
	// Knows knows one of them, as far as the caller may see: worked at the same company or studied at the same school
	// at the same time, or has a relationship that is shared with the caller. With Jobs it is WorkedWith.
	Knows RelationKind = "knows"
	// Like does the same work as the people of the step, or has much else in common with them, and
	// does not work with them. The most similar come first.
	Like RelationKind = "like"
)

// Relation is a condition on a person that refers to the people of a step. These people themselves never match it.
type Relation struct {
	Source
	Kind RelationKind `json:"kind"`
	// Step is the index of the step in Plan.Steps.
	Step int `json:"step"`
	// Jobs restricts the jobs of the step's people by company filters (company, companyIndustry, …); nil for all jobs.
	Jobs query.Filters `json:"jobs,omitempty"`
	// Excluded is true if the relation must not hold.
	Excluded bool `json:"excluded,omitempty"`
}

// Criterion is a judgement of people by one Number field.
type Criterion struct {
	Source
	// Name is the judgement: "rising".
	Name string `json:"name"`
	// Formula explains the judgement in words.
	Formula string `json:"formula"`
	// Field is the person's Number field to order by, highest first.
	Field query.Field `json:"field"`
	// AtLeast is the lowest value that satisfies the criterion.
	AtLeast int64 `json:"at_least"`
}

// Values returns the filters in the form of a request.
func (p Plan) Values() query.Filters {
	values := make(query.Filters, len(p.Filters))
	for _, f := range p.Filters {
		values[f.Name] = f.Value
	}
	return values
}

// IsEmpty reports whether the plan asks for nothing.
func (p Plan) IsEmpty() bool {
	return len(p.Filters)+len(p.Conditions)+len(p.Relations)+len(p.Criteria) == 0 && p.Network == nil
}
