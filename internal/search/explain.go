package search

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"kith"
	"kith/index"
	"kith/internal/search/relax"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
)

// match explains why a person is among the results.
type match struct {
	Criteria []criterion `json:"criteria,omitzero"`
	Network  closeness   `json:"network,omitzero"`
	// Closest is set for near misses only.
	Closest *closeTo `json:"closest,omitzero"`
}

// closeTo lists what a near miss lacks.
type closeTo struct {
	Missing []relax.Missing `json:"missing"`
}

// criterion is one condition of the search with its verdict on a record.
type criterion struct {
	Criterion string `json:"criterion"`
	// Satisfied is "yes", "no" (for a condition: the record changed since indexing) or "unclear" (the record is gone or
	// lacks the measured value).
	Satisfied string `json:"satisfied"`
	// Evidence is the relevant part of the record; empty if there is none.
	Evidence string `json:"evidence"`
}

// closeness describes how the caller is connected to a person.
type closeness struct {
	// Degree is null for people beyond two degrees.
	Degree *int `json:"degree"`
	// Introducers are the strongest, at most ten; none for degree 1.
	Introducers []connection `json:"introducers"`
	// Introduces are people the caller asks to be introduced to and this person knows: strongest path first, at most
	// ten.
	Introduces []acquaintance `json:"introduces,omitempty"`
}

// withMatch adds the match to a person's JSON; a nil match adds nothing.
func withMatch(person json.RawMessage, m *match) (json.RawMessage, error) {
	if m == nil {
		return person, nil
	}
	if len(person) < 2 || person[len(person)-1] != '}' {
		return nil, fmt.Errorf("a record is not a JSON object: %.40q", person)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // like the rest of the answer
	if err := enc.Encode(m); err != nil {
		return nil, fmt.Errorf("encoding a match: %w", err)
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	out := make([]byte, 0, len(person)+len(text)+len(`,"match":`))
	out = append(out, person[:len(person)-1]...)
	if len(person) > len("{}") {
		out = append(out, ',')
	}
	return append(append(append(out, `"match":`...), text...), '}'), nil
}

// yieldExplained yields people with their matches and releases each as it goes.
func (r *execution) yieldExplained(ctx context.Context, waiting []index.Found) error {
	matches, err := r.matches(ctx, kith.Each(waiting, func(f index.Found) int64 { return f.ID }))
	if err != nil {
		return err
	}
	r.waiting, r.explanations = waiting, matches
	for len(r.waiting) > 0 {
		f := r.waiting[0]
		r.waiting[0], r.waiting = index.Found{}, r.waiting[1:]
		m := r.explanations[f.ID]
		delete(r.explanations, f.ID)
		if err := r.yieldFound(f, m); err != nil || r.gone {
			return err
		}
	}
	return nil
}

// explains reports whether people carry a match: if the caller asked for explanations, or for introducers, whose paths
// are part of the answer.
func (r *execution) explains() bool {
	return r.walk.Explain || r.introducing() && r.circle != nil
}

// matches explains people; nil if no explanation is needed.
func (r *execution) matches(ctx context.Context, people []int64) (map[int64]*match, error) {
	if !r.explains() || len(people) == 0 {
		return nil, nil
	}
	if !r.walk.Explain {
		matches := make(map[int64]*match, len(people))
		for _, id := range people {
			matches[id] = newMatch()
		}
		return matches, r.connect(ctx, matches)
	}
	records, err := r.svc.records(ctx, r.viewer, people)
	if err != nil {
		return nil, fmt.Errorf("reading the records of an explanation: %w", err)
	}
	matches := make(map[int64]*match, len(people))
	for _, id := range people {
		if p, there := records[id]; there {
			matches[id] = r.explain(p)
		} else {
			matches[id] = r.newUnclearMatch()
		}
	}
	return matches, r.connect(ctx, matches)
}

func newMatch() *match {
	return &match{Criteria: []criterion{}, Network: closeness{Introducers: []connection{}}}
}

// part is one condition or criterion of a search.
type part struct {
	// criterion is the condition as shown to readers: "position: VP Eng".
	criterion string
	// judge returns the verdict on a record, with evidence.
	judge func(kith.Person, indexed.Document) (satisfied, evidence string)
}

// Verdicts of a part on a record.
const (
	yes     = "yes"
	no      = "no"
	unclear = "unclear"
)

// explain judges each part on the person's current record.
func (r *execution) explain(p kith.Person) *match {
	doc, err := document(p)
	if err != nil {
		return r.newUnclearMatch() // no verdict on a record that cannot be analysed
	}
	m := newMatch()
	for _, part := range r.asked.parts {
		satisfied, evidence := part.judge(p, doc)
		m.Criteria = append(m.Criteria, criterion{Criterion: part.criterion, Satisfied: satisfied, Evidence: evidence})
	}
	return m
}

func (r *execution) newUnclearMatch() *match {
	m := newMatch()
	for _, part := range r.asked.parts {
		m.Criteria = append(m.Criteria, criterion{Criterion: part.criterion, Satisfied: unclear})
	}
	return m
}

// document analyses a record for matching. Rank and version do not affect matching.
func document(p kith.Person) (indexed.Document, error) { return analysis.Person(p, 0, 0) }

// holding returns a part that is satisfied if a query matches the record.
func holding(criterion string, q query.Query, evidence func(kith.Person, indexed.Document) string) part {
	return part{criterion: criterion, judge: func(p kith.Person, doc indexed.Document) (string, string) {
		if !indexed.Match(doc, q) {
			return no, ""
		}
		return yes, evidence(p, doc)
	}}
}

// conditionParts returns the conditions of compiled filters.
func conditionParts(c analysis.Compiled) []part {
	var parts []part
	for _, p := range c.Parts {
		says := filterEvidence{info: filterInfo(p.Filter), query: p.Query, asked: c}
		parts = append(parts, holding(string(p.Filter)+": "+p.Value, p.Query, says.evidence))
	}
	return parts
}

func conditionPart(c prompt.Condition, asked analysis.Compiled) part {
	return holding(c.Says, c.Query.Query, func(p kith.Person, doc indexed.Document) string {
		return conditionEvidence(c.Query.Query, asked, p, doc)
	})
}
