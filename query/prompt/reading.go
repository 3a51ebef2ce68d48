package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kith/query"
)

// Confidence says how sure a planner is of its reading.
type Confidence string

// The levels. With Middle a plan has alternatives, with Low at least one: the caller should be asked before anybody
// relies on the people that it finds.
const (
	High   Confidence = "high"
	Middle Confidence = "middle"
	Low    Confidence = "low"
)

// MaxAlternatives is the maximum number of alternatives in a plan.
const MaxAlternatives = 2

// Alternative is another reading of a prompt.
type Alternative struct {
	// Reading is its number. The plan itself is reading 1, unless another was taken.
	Reading int `json:"reading"`
	// Says describes the reading in words.
	Says string `json:"says"`
	// Words are the words of the prompt that it reads in another way.
	Words []string `json:"words"`
	// Filters and Network express the whole reading; Filters is nil if they cannot.
	Filters query.Filters `json:"filters"`
	Network *Network      `json:"network"`
	// Plan is what the reading asks for. It is lost in JSON, because cursors have only the plan that is searched.
	Plan Plan `json:"-"`
}

// WithReadings returns the plan with other readings as alternatives, at most [MaxAlternatives]. It leaves out those
// that ask for the same.
func (p Plan) WithReadings(others []Plan) Plan {
	p.Alternatives = nil
	seen := []string{p.Asks()}
	for _, other := range others {
		asks := other.Asks()
		if slices.Contains(seen, asks) || len(p.Alternatives) == MaxAlternatives {
			continue
		}
		seen = append(seen, asks)
		p.Alternatives = append(p.Alternatives, p.alternative(other, len(p.Alternatives)+2))
	}
	return p
}

// alternative describes another reading.
func (p Plan) alternative(other Plan, number int) Alternative {
	a := Alternative{Reading: number, Says: other.Says(), Words: p.differing(other), Plan: other}
	if len(other.Conditions)+len(other.Steps)+len(other.Relations)+len(other.Criteria) == 0 {
		a.Filters, a.Network = other.Values(), other.Network
	}
	return a
}

// Take returns the plan of a reading by its number, with the other readings as its alternatives; ok is false if there
// is none. The caller has decided, so the plan has no confidence.
func (p Plan) Take(reading int) (taken Plan, ok bool) {
	p.Confidence, p.Probability, p.Reading = "", 0, reading
	if reading == 1 {
		return p, true
	}
	i := slices.IndexFunc(p.Alternatives, func(a Alternative) bool { return a.Reading == reading })
	if i < 0 {
		return p, false
	}
	taken = p.Alternatives[i].Plan
	taken.Confidence, taken.Probability, taken.Reading = "", 0, reading
	taken.Alternatives = []Alternative{taken.alternative(p, 1)}
	for j, a := range p.Alternatives {
		if j != i {
			taken.Alternatives = append(taken.Alternatives, taken.alternative(a.Plan, a.Reading))
		}
	}
	return taken, true
}

// part is an element of a plan, without the words that it comes from.
type part struct {
	kind, says string
	from       Source
}

// parts lists what a plan asks for, in the order of the plan.
func (p Plan) parts() (out []part) {
	for _, f := range p.Filters {
		kind := string(f.Name)
		if f.Excluded {
			kind = "-" + kind
		}
		out = append(out, part{kind, fmt.Sprintf("%s: %s", f.Name, f.Value), f.Source})
	}
	for _, c := range p.Conditions {
		out = append(out, part{"condition", c.Says, c.Source})
	}
	for _, s := range p.Steps {
		out = append(out, part{"step", s.String(), s.Source})
	}
	for _, r := range p.Relations {
		out = append(out, part{"relation", r.String(), r.Source})
	}
	if p.Network != nil {
		out = append(out, part{"network", p.Network.String(), p.Network.Source})
	}
	for _, c := range p.Criteria {
		out = append(out, part{"criterion", c.Name, c.Source})
	}
	return out
}

// Beyond returns the kinds of what a plan asks for and another does not, one for each part: the name of a filter, with
// a minus before it if it only excludes, or condition, step, relation, network or criterion.
func (p Plan) Beyond(other Plan) (kinds []string) {
	theirs := other.parts()
	for _, one := range p.parts() {
		if !slices.ContainsFunc(theirs, func(o part) bool { return o.kind == one.kind && o.says == one.says }) {
			kinds = append(kinds, one.kind)
		}
	}
	return kinds
}

// Asks returns what a plan asks for as text, without the words it comes from and without what it only reports or
// prefers. Plans that ask for the same have the same text.
func (p Plan) Asks() string {
	lines := []string{fmt.Sprint(p.Nothing)}
	for _, one := range p.parts() {
		lines = append(lines, one.says)
	}
	return strings.Join(lines, "\n")
}

// longestValue is the maximum length, in code points, of a value in a description; the prompt's words replace longer
// ones.
const longestValue = 60

// Says describes what a plan asks for in one line.
func (p Plan) Says() string {
	var all []string
	for _, f := range p.Filters {
		value := f.Value
		if utf8.RuneCountInString(value) > longestValue && f.Text != "" {
			value = f.Text
			if f.Excluded {
				value = "-" + value
			}
		}
		all = append(all, fmt.Sprintf("%s: %s", f.Name, value))
	}
	for _, c := range p.Conditions {
		all = append(all, c.Says)
	}
	for _, r := range p.Relations {
		all = append(all, fmt.Sprintf("%s: %s", strings.ReplaceAll(string(r.Kind), "_", " "), p.Steps[r.Step].Says))
	}
	if p.Network != nil {
		all = append(all, "your network: "+p.Network.String())
	}
	for _, c := range p.Criteria {
		all = append(all, c.Name)
	}
	return cmp.Or(strings.Join(all, "; "), "no one")
}

// differing returns the words from which another plan makes something else, in the order of the prompt.
func (p Plan) differing(other Plan) (words []string) {
	var sources []Source
	own, others := p.parts(), other.parts()
	for _, both := range [][2][]part{{own, others}, {others, own}} {
		for _, one := range both[0] {
			same := func(o part) bool { return o.says == one.says }
			if one.from.Text != "" && !slices.ContainsFunc(both[1], same) {
				sources = append(sources, one.from)
			}
		}
	}
	slices.SortFunc(sources, func(a, b Source) int { return slices.Compare(a.Span[:], b.Span[:]) })
	for _, s := range sources {
		if !slices.Contains(words, s.Text) {
			words = append(words, s.Text)
		}
	}
	return words
}
