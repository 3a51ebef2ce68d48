package prompt

import (
	"fmt"
	"strings"
)

// String writes the plan on several lines, for people and for golden files. Equal plans give equal text. The first line
// is the mode. The others are, as far as present: filters, preferences, conditions, steps, relations, the network,
// criteria, corrections, ignored words and notes, with the words of the prompt they come from.
//
//	simple
//	position: backend engineer  ← "backend engineers"
//	city: Berlin  ← "Berlin"
func (p Plan) String() string {
	var b strings.Builder
	b.WriteString(string(p.Mode) + "\n")
	if p.Nothing {
		b.WriteString("no one\n")
	}
	for _, f := range p.Filters {
		fmt.Fprintf(&b, "%s: %s%s\n", f.Name, f.Value, f.origin())
	}
	for _, f := range p.Preferred {
		fmt.Fprintf(&b, "preferred: %s: %s%s\n", f.Name, f.Value, f.origin())
	}
	for _, c := range p.Conditions {
		fmt.Fprintf(&b, "condition: %s%s\n", c.Says, c.origin())
	}
	for i, s := range p.Steps {
		fmt.Fprintf(&b, "step %d: %s%s\n", i+1, s, s.origin())
	}
	for _, r := range p.Relations {
		fmt.Fprintf(&b, "relation: %s%s\n", r, r.origin())
	}
	if p.Network != nil {
		fmt.Fprintf(&b, "network: %s%s\n", p.Network, p.Network.origin())
	}
	for _, c := range p.Criteria {
		fmt.Fprintf(&b, "criterion: %s%s\n", c.Name, c.origin())
	}
	for _, c := range p.Corrections {
		fmt.Fprintf(&b, "correction: %s → %s\n", c.From, c.To)
	}
	if len(p.Ignored) > 0 {
		fmt.Fprintf(&b, "ignored: %s\n", strings.Join(p.Ignored, ", "))
	}
	for _, n := range p.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	return b.String()
}

// origin returns the source after an arrow.
func (s Source) origin() string {
	if s.Text == "" {
		return ""
	}
	return fmt.Sprintf("  ← %q", s.Text)
}

// String describes the step: its words, its filters in the order of the filter table, its relations and its limit.
func (s Step) String() string {
	parts := []string{s.Says}
	if listed := s.Filters.Text(); listed != "" {
		parts = append(parts, listed)
	}
	for _, r := range s.Relations {
		parts = append(parts, r.String())
	}
	return strings.Join(append(parts, fmt.Sprintf("at most %d", s.Limit)), "; ")
}

// String describes the relation, such as "worked_with step 1 (company: Acme), excluded".
func (r Relation) String() string {
	text := fmt.Sprintf("%s step %d", r.Kind, r.Step+1)
	if listed := r.Jobs.Text(); listed != "" {
		text += " (" + listed + ")"
	}
	if strings.HasPrefix(string(r.Kind), "at_") {
		text += ", current"
	}
	if r.Excluded {
		text += ", excluded"
	}
	return text
}
