package search

import (
	"fmt"
	"strings"

	"kith/query"
	"kith/query/prompt"
)

// shownPeople is how many people of a step an interpretation names.
const shownPeople = 5

// interpretation describes how the prompt and the request's filters were understood, the prompt's first, and what the
// steps found.
func interpretation(plan prompt.Plan, steps []step, to related, filters query.Filters) Interpretation {
	about := Interpretation{
		Filters: []UnderstoodFilter{}, Conditions: []UnderstoodCondition{}, Criteria: []UnderstoodCriterion{},
		Steps:       []UnderstoodStep{},
		Corrections: append([]prompt.Correction{}, plan.Corrections...), // not nil, which JSON encodes as null
		Ignored:     append([]string{}, plan.Ignored...),
		Notes:       append(append([]string{}, plan.Notes...), notes(steps, to)...),
		Reader:      plan.Reader, Confidence: plan.Confidence, Probability: plan.Probability, Reading: plan.Reading,
		Question: question(plan),
	}
	for _, f := range plan.Filters {
		span := f.Span
		about.Filters = append(about.Filters, UnderstoodFilter{
			Field: f.Name, Value: f.Value, Text: f.Text, Span: &span, Excluded: f.Excluded,
		})
	}
	for _, info := range query.FilterTable() {
		if value, given := filters[info.Name]; given {
			about.Filters = append(about.Filters, UnderstoodFilter{
				Field: info.Name, Value: value,
				Excluded: allExcluded(value),
			})
		}
	}
	for _, f := range plan.Preferred {
		span := f.Span
		about.Preferences = append(about.Preferences,
			UnderstoodFilter{Field: f.Name, Value: f.Value, Text: f.Text, Span: &span})
	}
	for _, c := range plan.Conditions {
		about.Conditions = append(about.Conditions, UnderstoodCondition{Says: c.Says, Text: c.Text, Span: c.Span})
	}
	about.Conditions = append(about.Conditions, relationConditions(to)...)
	for _, c := range plan.Criteria {
		about.Criteria = append(about.Criteria,
			UnderstoodCriterion{Name: c.Name, Text: c.Text, Span: c.Span, Formula: c.Formula})
	}
	for _, s := range steps {
		about.Steps = append(about.Steps, s.describeStep())
	}
	about.Network = understoodNetwork(plan.Network)
	for _, a := range plan.Alternatives {
		about.Alternatives = append(about.Alternatives, UnderstoodAlternative{
			Reading: a.Reading, Says: a.Says, Words: append([]string{}, a.Words...), Filters: a.Filters,
			Network: understoodNetwork(a.Network),
		})
	}
	return about
}

// question asks which reading is meant if the planner is not sure of any.
func question(plan prompt.Plan) *Question {
	if plan.Confidence != prompt.Low || len(plan.Alternatives) == 0 {
		return nil
	}
	answers := []Answer{{Reading: 1, Says: plan.Says()}}
	says := []string{answers[0].Says}
	for _, a := range plan.Alternatives {
		answers = append(answers, Answer{Reading: a.Reading, Says: a.Says})
		says = append(says, a.Says)
	}
	return &Question{Text: "Do you mean " + strings.Join(says, ", or ") + "?", Answers: answers}
}

// relationConditions returns relations as conditions.
func relationConditions(to related) []UnderstoodCondition {
	conditions := []UnderstoodCondition{}
	for _, b := range to.bounds {
		at := b.Step
		conditions = append(conditions, UnderstoodCondition{
			Says: b.says, Text: b.Text, Span: b.Span, Relation: b.Kind, Step: &at, Excluded: b.Excluded,
		})
	}
	return conditions
}

func (s step) describeStep() UnderstoodStep {
	u := UnderstoodStep{
		Says: s.Says, Text: s.Text, Span: s.Span, Filters: s.Filters, Relations: relationConditions(s.related),
		Found: len(s.people), People: []FoundPerson{}, SQL: s.sql,
	}
	if u.Filters == nil {
		u.Filters = query.Filters{}
	}
	for _, m := range s.people[:min(len(s.people), shownPeople)] {
		u.People = append(u.People, FoundPerson{ID: m.id, FullName: m.name})
	}
	return u
}

// stepNotes returns the notes on people of the steps the caller knows.
func stepNotes(steps []step, to related) []string {
	var notes []string
	for _, s := range steps {
		notes = append(notes, s.related.known...)
	}
	return append(notes, to.known...)
}

// notes returns remarks on surprising outcomes of steps and relations.
func notes(steps []step, to related) []string {
	var notes []string
	for _, s := range steps {
		notes = append(notes, s.related.notes...)
		switch {
		case len(s.people) == 0:
			notes = append(notes, fmt.Sprintf("nobody was found for %q, so no one matches", s.Says))
		case s.more:
			notes = append(notes, fmt.Sprintf("more than %d people were found for %q; the first %d are used", s.Limit,
				s.Says, s.Limit))
		case len(s.people) > 1:
			notes = append(notes, fmt.Sprintf("%d people were found for %q; all of them are used", len(s.people),
				s.Says))
		}
	}
	return append(notes, to.notes...)
}
