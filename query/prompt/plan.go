// Package prompt defines plans: the meaning of a prompt, mostly as filters of the API. It has
// the types and the interfaces of planners; package planner makes plans. A prompt is never an
// error and never means everyone.
package prompt

import (
	"context"
	"time"

	"kith/index/analysis"
	"kith/query"
)

// Mode is how a prompt is to be understood, or was.
type Mode string

// The modes. Auto is for asking only: a plan has one of the others.
const (
	Auto    Mode = "auto"
	Lookup  Mode = "lookup"  // one particular person
	Simple  Mode = "simple"  // everything asked is a filter
	Complex Mode = "complex" // needs several searches or a judgement
)

// Planner makes a plan of a prompt of 1 to kith.MaxPromptLength code points.
// An error is for what the planner depends on; no text is one. A planner is
// safe for concurrent use. Where no language model has a part in it, the same
// text and mode give the same plan, as long as the directory knows the same words.
type Planner interface {
	Plan(ctx context.Context, text string, mode Mode) (Plan, error)
}

// Plan is what a prompt was understood to ask. A person is found who satisfies
// all filters, conditions and relations, and is of the network that is asked for;
// criteria only order who is found.
type Plan struct {
	// Mode is the mode that the plan is executed in.
	Mode Mode `json:"mode"`
	// Filters have each a name of their own.
	Filters []Filter `json:"filters,omitempty"`
	// Nothing is true for a prompt that has no word in it: no one matches.
	Nothing bool `json:"nothing,omitempty"`
	// Preferred are filters that need not hold: people come first of whom more of them do.
	Preferred []Filter `json:"preferred,omitempty"`
	// Conditions are what no filter can say.
	Conditions []Condition `json:"conditions,omitempty"`
	// Steps find, in order, the people whom Relations and Network refer to.
	Steps     []Step     `json:"steps,omitempty"`
	Relations []Relation `json:"relations,omitempty"`
	// Network is what is asked of the caller's own network; nil for nothing. A plan
	// with it is Complex where it has steps, else Simple, unless a criterion makes
	// it Complex.
	Network *Network `json:"network,omitempty"`
	// Criteria are soft wishes: the first orders the people, best first, and all
	// are explained.
	Criteria []Criterion `json:"criteria,omitempty"`
	// Corrections are the misspelt words of the prompt that were read as others.
	Corrections []Correction `json:"corrections,omitempty"`
	// Alternatives are further readings, at most [MaxAlternatives], the likelier first. The
	// plan is executed, not they.
	Alternatives []Alternative `json:"alternatives,omitempty"`
	// Ignored are the words of the prompt that say nothing.
	Ignored []string `json:"ignored,omitempty"`
	// Notes are remarks for the caller.
	Notes []string `json:"notes,omitempty"`
}

// MaxAlternatives is the most readings that a plan names beside its own.
const MaxAlternatives = 2

// Alternative is another way to read a prompt, which can be sent as filters.
type Alternative struct {
	Filters query.Filters `json:"filters"`
	Network *Network      `json:"network"`
	// Says is the reading in words.
	Says string `json:"says"`
}

// Source is the part of a prompt that something was understood from.
type Source struct {
	// Text is the prompt's own words; where they stand apart, the parts are
	// joined by " … ".
	Text string `json:"text"`
	// Span is where they stand: from the first and to behind the last, in
	// Unicode code points.
	Span [2]int `json:"span"`
}

// Correction is a word of a prompt that was read as another.
type Correction struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Span is where the word stands: from the first and to behind the last of its
	// Unicode code points.
	Span [2]int `json:"span"`
}

// Filter is one filter that a prompt was understood to ask for.
type Filter struct {
	Source
	Name query.FilterName `json:"field"`
	// Value is in the filter grammar: as a filter of a request it asks the same.
	Value string `json:"value"`
	// Excluded is true where the filter says only what must not be.
	Excluded bool `json:"excluded,omitempty"`
}

// Condition is something asked of a person that the filters cannot say, such
// as two consecutive jobs.
type Condition struct {
	Source
	// Says is the condition in words: "moved from Google to Meta".
	Says  string      `json:"says"`
	Query query.Query `json:"query"`
}

// Step is a search whose people a relation of the plan, or of a later step,
// refers to.
type Step struct {
	Source
	// Says is who is looked for, in words: "Jane Doe, at Acme".
	Says string `json:"says"`
	// Filters and Relations say who is found; Relations refer to earlier steps.
	Filters   query.Filters `json:"filters,omitempty"`
	Relations []Relation    `json:"relations,omitempty"`
	// Keys name people by the keys of identifiers, as package kith/internal/search has them; then filters say nothing.
	Keys []string `json:"keys,omitempty"`
	// Limit is how many people are taken, in the order of a search.
	Limit int `json:"limit,omitempty"`
}

// RelationKind is what relates a person to the people of a step.
type RelationKind string

// The kinds of relation.
const (
	// WorkedWith holds of who had a job at the same company at the same time.
	WorkedWith RelationKind = "worked_with"
	// FormerColleague is WorkedWith without being colleagues today.
	FormerColleague RelationKind = "former_colleague"
	// SameSchool holds of who has an education entry at the same school.
	SameSchool RelationKind = "same_school"
	// AtTheirCompany holds of who works at a company that the people of the
	// step work at now.
	AtTheirCompany RelationKind = "at_their_company"
	// AtCompanyFounded holds of who works at a company that they founded.
	AtCompanyFounded RelationKind = "at_company_founded"
	// AtTheirPastCompany holds of who works at a company that they have left.
	AtTheirPastCompany RelationKind = "at_their_past_company"
	// Knows holds of people who know one of them, as far as the caller may see:
	// who worked at the same company or studied at the same school at the same
	// time, or whose relationships are shared with the caller. With Jobs, Past or
	// Current it is WorkedWith.
	Knows RelationKind = "knows"
	// Like holds of who does what the people of the step do, or has much else in common with them, and does not work
	// with them. The nearest come first.
	Like RelationKind = "like"
)

// Relation is a condition on a person that refers to what a step found; the
// people of the step themselves do not satisfy it.
type Relation struct {
	Source
	Kind RelationKind `json:"kind"`
	// Step is the place of the step in Plan.Steps.
	Step int `json:"step"`
	// Jobs narrows the jobs of the step's people that count, by company filters
	// (company, companyIndustry, …); nil for all.
	Jobs query.Filters `json:"jobs,omitempty"`
	// Past narrows the relation to a job of the person that has ended, Current
	// to one that is still held.
	Past    bool `json:"past,omitempty"`
	Current bool `json:"current,omitempty"`
	// Excluded is true where the relation must not hold.
	Excluded bool `json:"excluded,omitempty"`
}

// Criterion is a judgement, made from one number of the document.
type Criterion struct {
	Source
	// Name is the judgement: "rising".
	Name string `json:"name"`
	// Formula says in words how it is judged.
	Formula string `json:"formula"`
	// Field is the Number field of the person that orders, highest first.
	Field query.Field `json:"field"`
	// AtLeast is from which value on the criterion counts as satisfied.
	AtLeast int64 `json:"at_least"`
}

// CriterionOf is the criterion that some words of a prompt ask for with a
// judgement, as of now: the formula, the field and the threshold are those of
// the judgement.
func CriterionOf(j analysis.Judgement, said Source, now time.Time) Criterion {
	return Criterion{Source: said, Name: j.Name, Formula: j.Formula, Field: j.Field, AtLeast: j.AtLeast(now)}
}

// Values returns the filters as a request gives them.
func (p Plan) Values() query.Filters {
	values := make(query.Filters, len(p.Filters))
	for _, f := range p.Filters {
		values[f.Name] = f.Value
	}
	return values
}
