package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
)

// maxSteps is the maximum number of steps in a plan, stepLimit the maximum number of people in one.
const (
	maxSteps  = 3
	stepLimit = 50
)

// step adds a search for people and returns its index. It returns false if the plan has too many
// steps, or if nothing identifies the people.
func (b *builder) step(who value) (int, bool) {
	inner := b.inner(unpaired(who))
	if len(b.plan.Steps)+len(inner.plan.Steps) >= maxSteps || len(inner.plan.Filters)+len(inner.plan.Relations) == 0 {
		return 0, false
	}
	shift := len(b.plan.Steps)
	b.plan.Steps = append(b.plan.Steps, inner.plan.Steps...)
	s := prompt.Step{Source: b.source(who.allSpans()), Filters: inner.plan.Values(), Limit: stepLimit}
	for _, r := range inner.plan.Relations {
		r.Step += shift
		s.Relations = append(s.Relations, r)
	}
	s.Says = s.Text
	b.plan.Steps = append(b.plan.Steps, s)
	b.leaveOut(inner)
	return len(b.plan.Steps) - 1, true
}

// leaveOut notes what is said about the people of a step and is neither a filter nor a relation.
func (b *builder) leaveOut(who *builder) {
	wished := b.inner(who.wished).plan
	said := append(unfiltered(who.plan), unfiltered(wished)...)
	for _, f := range wished.Filters {
		said = append(said, f.Source)
	}
	for _, s := range said {
		b.remark("people to refer to are found by filters alone: " + s.Text)
		b.plan.Ignored = appendNew(b.plan.Ignored, s.Text)
	}
	b.plan.Notes = appendNew(b.plan.Notes, slices.Concat(who.plan.Notes, wished.Notes)...)
	b.plan.Ignored = appendNew(b.plan.Ignored, slices.Concat(who.plan.Ignored, wished.Ignored)...)
}

// unfiltered returns the sources of what a plan asks for beside filters and relations.
func unfiltered(p prompt.Plan) (out []prompt.Source) {
	for _, c := range p.Conditions {
		out = append(out, c.Source)
	}
	for _, c := range p.Criteria {
		out = append(out, c.Source)
	}
	if p.Network != nil {
		out = append(out, p.Network.Source)
	}
	return out
}

// relate adds a step and a relation to its people.
func (b *builder) relate(f fact) {
	step, ok := b.step(f.relate.who)
	if span := f.relate.span; ok && span[1] > span[0] {
		b.plan.Steps[step].Source = b.source([][2]int{span})
		b.plan.Steps[step].Says = b.plan.Steps[step].Text
	}
	if !ok {
		b.remark("only people who can be found by name or by filters can be referred to: " + b.source(f.spans).Text)
		b.ignore(f.spans)
		return
	}
	jobs := query.Filters{}
	for _, j := range f.relate.jobs {
		jobs[j.name] = strings.Join(j.values, ", ")
	}
	b.plan.Relations = append(b.plan.Relations, prompt.Relation{
		Source: b.source(f.spans), Kind: f.relate.kind, Step: step, Jobs: jobs, Excluded: f.not,
	})
}
