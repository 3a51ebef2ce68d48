package search

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kith"
	"kith/index"
	"kith/index/analysis"
	"kith/index/memindex"
	"kith/internal/search/relax"
	"kith/query"
	"kith/query/prompt"
)

// match says why a person is among the results.
type match struct {
	Criteria []criterion `json:"criteria,omitzero"`
	Network  closeness   `json:"network,omitzero"`
	// Closest is there for people who come close and do not match.
	Closest *closeTo `json:"closest,omitzero"`
}

// closeTo says what a person lacks of what was asked for.
type closeTo struct {
	Missing []relax.Missing `json:"missing"`
}

// criterion is one condition of the search and what the record says to it.
type criterion struct {
	Criterion string `json:"criterion"`
	// Satisfied is "yes", "no" (for a condition: the record changed since it was
	// indexed) or "unclear" (the record is gone, or lacks what is judged by).
	Satisfied string `json:"satisfied"`
	// Evidence is the piece of the record; empty where there is none.
	Evidence string `json:"evidence"`
}

// closeness is how the caller is connected to a person.
type closeness struct {
	// Degree is null for those who are not within two degrees.
	Degree *int `json:"degree"`
	// Introducers are the strongest, at most ten; none in degree 1.
	Introducers []connection `json:"introducers"`
	// Introduces are people whom the caller asks to be introduced to, and whom this
	// person knows: the strongest path first, at most ten.
	Introduces []acquaintance `json:"introduces,omitempty"`
}

// withMatch adds the match to a person; a nil match adds nothing.
func withMatch(person json.RawMessage, m *match) (json.RawMessage, error) {
	if m == nil {
		return person, nil
	}
	if len(person) < 2 || person[len(person)-1] != '}' {
		return nil, fmt.Errorf("a record is not a JSON object: %.40q", person)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // as the rest of the answer
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

// yieldExplained yields people with their matches, and forgets them as they go.
func (r *run) yieldExplained(waiting []index.Found) error {
	people := make([]int64, len(waiting))
	for i, f := range waiting {
		people[i] = f.ID
	}
	matches, err := r.matches(people)
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

// explains reports whether people come with a match: where an explanation was
// asked for, and where the path that leads over them is what was asked.
func (r *run) explains() bool {
	return r.walk.Explain || r.introducing() && r.circle != nil
}

// matches explains people; none where no explanation was asked for.
func (r *run) matches(people []int64) (map[int64]*match, error) {
	if !r.explains() || len(people) == 0 {
		return nil, nil
	}
	if !r.walk.Explain {
		matches := make(map[int64]*match, len(people))
		for _, id := range people {
			matches[id] = newMatch()
		}
		return matches, r.connect(matches)
	}
	records, err := r.svc.records(r.ctx, people)
	if err != nil {
		return nil, fmt.Errorf("reading the records of an explanation: %w", err)
	}
	matches := make(map[int64]*match, len(people))
	for _, id := range people {
		if p, there := records[id]; there {
			matches[id] = r.explain(p)
		} else {
			matches[id] = r.unclear()
		}
	}
	return matches, r.connect(matches)
}

func newMatch() *match {
	return &match{Criteria: []criterion{}, Network: closeness{Introducers: []connection{}}}
}

// part is one condition or criterion of a search.
type part struct {
	// criterion is the part as a reader knows it: "position: VP Eng".
	criterion string
	// judge says whether a record satisfies the part, and by what.
	judge func(kith.Person, index.Document) (satisfied, evidence string)
}

// What a record says to a part.
const (
	yes     = "yes"
	no      = "no"
	unclear = "unclear"
)

// explain evaluates each part on the person's present record.
func (r *run) explain(p kith.Person) *match {
	doc, err := document(p)
	if err != nil {
		return r.unclear() // a record that cannot be analysed says nothing
	}
	m := newMatch()
	for _, part := range r.asked.parts {
		satisfied, evidence := part.judge(p, doc)
		m.Criteria = append(m.Criteria, criterion{Criterion: part.criterion, Satisfied: satisfied, Evidence: evidence})
	}
	return m
}

func (r *run) unclear() *match {
	m := newMatch()
	for _, part := range r.asked.parts {
		m.Criteria = append(m.Criteria, criterion{Criterion: part.criterion, Satisfied: unclear})
	}
	return m
}

// document is a record as it is searched. Rank and version play no part in
// what it says.
func document(p kith.Person) (index.Document, error) { return analysis.Person(p, 0, 0) }

// holding is a part that a record satisfies where a query holds of it.
func holding(criterion string, q query.Query, evidence func(kith.Person, index.Document) string) part {
	return part{criterion: criterion, judge: func(p kith.Person, doc index.Document) (string, string) {
		if !memindex.Match(doc, q) {
			return no, ""
		}
		return yes, evidence(p, doc)
	}}
}

// partsOf are the conditions of compiled filters.
func partsOf(c analysis.Compiled) []part {
	var parts []part
	for _, p := range c.Parts {
		says := filterEvidence{info: filterInfo(p.Filter), query: p.Query, asked: c}
		parts = append(parts, holding(string(p.Filter)+": "+p.Value, p.Query, says.evidence))
	}
	return parts
}

func conditionPart(c prompt.Condition, asked analysis.Compiled) part {
	return holding(c.Says, c.Query, func(p kith.Person,
		doc index.Document,
	) string {
		return conditionEvidence(c.Query, asked, p, doc)
	})
}

func relationPart(b bound) part { return holding(b.says, b.query, b.evidence) }
