package rules

import (
	"slices"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
)

// alike makes a step and a relation of a person who is named behind words such as "people like": whom the title before
// the name and the company behind it tell from others. Other filters stay what is asked of who is found.
func (p *parser) alike(plan *prompt.Plan) {
	from := -1
	for _, s := range p.spans {
		if s.Type == lexicon.Filler && s.Sense.Name == "alike" {
			from = p.tokens[s.To-1].To
			break
		}
	}
	at := slices.IndexFunc(plan.Filters, func(f prompt.Filter) bool {
		return f.Name == query.FilterPersonName && !f.Excluded && f.Span[0] >= from
	})
	if from < 0 || at < 0 {
		return
	}
	name := plan.Filters[at]
	step := prompt.Step{Source: name.Source, Says: name.Value, Filters: query.Filters{name.Name: name.Value}, Limit: 10}
	var kept []prompt.Filter
	for i, f := range plan.Filters {
		switch told := f.Span[0] >= from; {
		case i == at:
		case told && f.Name == query.FilterCompany, told && f.Name == query.FilterPosition && f.Span[1] <= name.Span[0]:
			step.Filters[f.Name] = f.Value
			step.Says += ", " + f.Value
		default:
			kept = append(kept, f)
		}
	}
	plan.Filters = kept
	plan.Steps = append(plan.Steps, step)
	plan.Relations = append(plan.Relations, prompt.Relation{Source: name.Source, Kind: prompt.Like, Step: len(plan.Steps) - 1})
	plan.Notes = slices.DeleteFunc(plan.Notes, func(n string) bool { return n == alikeNote })
}
