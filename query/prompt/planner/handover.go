package planner

import (
	"context"
	"embed"
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
)

//go:embed data/topics.txt
var topicsFile embed.FS

// Handover plans the prompts that have moved to the grammar, and leaves all
// others to another planner. Moved have the topics of the word classes in
// data/topics.txt, and every prompt in another language than English.
type Handover struct {
	grammar *Planner
	others  prompt.Planner
	topics  map[string]bool // by phrase
	longest int
}

var _ prompt.Planner = (*Handover)(nil)

// NewHandover returns a planner that uses p for the topics of the grammar.
func NewHandover(p *Planner, others prompt.Planner) *Handover {
	text, err := topicsFile.ReadFile("data/topics.txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	moved := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			moved[line] = true
		}
	}
	h := &Handover{grammar: p, others: others, topics: map[string]bool{}}
	for phrase, classes := range p.grammar.Classes {
		for _, c := range classes {
			if moved[p.grammar.Name(c)] {
				h.topics[phrase] = true
				h.longest = max(h.longest, strings.Count(phrase, " ")+1)
			}
		}
	}
	return h
}

// Plan implements [prompt.Planner].
func (h *Handover) Plan(ctx context.Context, text string, mode prompt.Mode) (prompt.Plan, error) {
	plan, moved, err := h.byGrammar(ctx, text, mode)
	if err != nil || moved {
		return plan, err
	}
	return h.others.Plan(ctx, text, mode)
}

// byGrammar plans by the grammar; moved is false for a prompt that is left to the other planner.
func (h *Handover) byGrammar(ctx context.Context, text string, mode prompt.Mode) (plan prompt.Plan, moved bool, err error) {
	t := cut(text)
	foreign := h.isForeign(t)
	if !foreign && !h.hasTopic(t) {
		return plan, false, nil
	}
	plan, err = h.grammar.Plan(ctx, text, mode)
	return plan, foreign || plan.Network != nil || isAboutCareers(plan) || isAboutContacts(plan), err
}

// sureWords is how many function words of another language, which are none of English,
// make a prompt one of that language for sure: one may be part of a name (Kent, San, von).
const sureWords = 2

// isForeign reports whether a prompt is surely in another language than English.
func (h *Handover) isForeign(t *text) bool {
	l := h.grammar.languageOf(t)
	if l.Code == english {
		return false
	}
	sure := map[string]bool{}
	for _, w := range t.words {
		if l.Words[w.Norm] && !h.grammar.grammar.Languages[english].Words[w.Norm] && !w.Shout() {
			sure[w.Norm] = true
		}
	}
	return len(sure) >= sureWords
}

// hasTopic reports whether a phrase of one of the topics stands in a prompt.
func (h *Handover) hasTopic(t *text) bool {
	for from := range t.words {
		for to := from + 1; to <= min(len(t.words), from+h.longest); to++ {
			key, ok := t.key(from, to)
			if !ok {
				break
			}
			if h.topics[key] {
				return true
			}
		}
	}
	return false
}

// isAboutCareers reports whether a plan asks for an order of jobs.
func isAboutCareers(plan prompt.Plan) bool {
	return slices.ContainsFunc(plan.Conditions, func(c prompt.Condition) bool { return query.HasTimeline(c.Query) })
}

// isAboutContacts reports whether a plan asks for people who know others.
func isAboutContacts(plan prompt.Plan) bool {
	return slices.ContainsFunc(plan.Relations, func(r prompt.Relation) bool { return r.Kind == prompt.Knows })
}
