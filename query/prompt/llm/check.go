package llm

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

const (
	// stepLimit is the maximum number of people of a step, as with the rules.
	stepLimit = 50
	// maxSteps and maxRelations limit the work that an answer can cause.
	maxSteps     = 4
	maxRelations = 4
)

// checker turns an answer into a plan, or reports why it is invalid.
type checker struct {
	quotes *quotes
	now    time.Time
}

func newChecker(text string, now time.Time) *checker {
	return &checker{quotes: newQuotes(text), now: now}
}

// bad is the error for a rejected answer. Its text is about the schema and contains nothing of the answer.
func bad(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errAnswer, fmt.Sprintf(format, args...))
}

// plan checks the whole answer. It must quote what the rules had understood, and exclude what they
// excluded: an answer may read words differently, but not skip any.
func (c *checker) plan(a answer, ruled prompt.Plan) (plan prompt.Plan, err error) {
	if plan.Filters, err = c.filters(a.Filters); err != nil {
		return plan, err
	}
	if plan.Steps, err = c.steps(a.Steps); err != nil {
		return plan, err
	}
	if plan.Relations, err = c.relations(a.Relations, len(a.Steps)); err != nil {
		return plan, err
	}
	if plan.Criteria, err = c.criteria(a.Criteria); err != nil {
		return plan, err
	}
	switch {
	case !narrows(plan.Filters, plan.Relations):
		return plan, bad("nothing in it narrows the search")
	case !allUsed(plan):
		return plan, bad("it has a step that nothing refers to")
	case !c.accountsFor(ruled, plan):
		return plan, bad("it omits parts that the rules understood")
	}
	plan.Ignored = c.quotes.rest()
	return plan, nil
}

// filters checks that filters have distinct names, quote the prompt and compile.
func (c *checker) filters(given []filter) ([]prompt.Filter, error) {
	var out []prompt.Filter
	values := query.Filters{}
	for _, f := range given {
		name := query.FilterName(f.Field)
		if _, twice := values[name]; twice {
			return nil, bad("a filter is repeated")
		}
		values[name] = f.Value
		source, found := c.quotes.source(f.Text)
		if !found {
			return nil, bad("a filter does not quote the prompt")
		}
		out = append(out, prompt.Filter{
			Source: source, Name: name, Value: f.Value, Excluded: excludes(f.Value) && !wants(f.Value),
		})
	}
	if _, problems := analysis.Compile(values, c.now); len(problems) > 0 {
		return nil, bad("a filter is wrong: %s", problems[0].Code)
	}
	return out, nil
}

// steps checks the preliminary searches; each may refer to earlier ones.
func (c *checker) steps(given []step) ([]prompt.Step, error) {
	if len(given) > maxSteps {
		return nil, bad("it has more than %d steps", maxSteps)
	}
	var out []prompt.Step
	for i, s := range given {
		source, found := c.quotes.source(s.Text)
		if !found {
			return nil, bad("a step does not quote the prompt")
		}
		filters, err := c.filters(s.Filters)
		if err != nil {
			return nil, err
		}
		relations, err := c.relations(s.Relations, i)
		if err != nil {
			return nil, err
		}
		if !narrows(filters, relations) {
			return nil, bad("a step matches everyone")
		}
		out = append(out, prompt.Step{
			Source: source, Says: source.Text, Filters: prompt.Plan{Filters: filters}.Values(), Relations: relations,
			Limit: stepLimit,
		})
	}
	return out, nil
}

// relations checks relations, which may refer to the first steps.
func (c *checker) relations(given []relation, steps int) ([]prompt.Relation, error) {
	if len(given) > maxRelations {
		return nil, bad("it has more than %d relations", maxRelations)
	}
	var out []prompt.Relation
	for _, r := range given {
		source, found := c.quotes.source(r.Text)
		switch {
		case !found:
			return nil, bad("a relation does not quote the prompt")
		case r.Step < 0 || r.Step >= steps:
			return nil, bad("a relation refers to a step that is not before it")
		case !slices.Contains(relationKinds(), prompt.RelationKind(r.Kind)):
			return nil, bad("a relation has an unknown kind")
		case r.Past && r.Current:
			return nil, bad("a relation is past and current at once")
		case slices.ContainsFunc(r.Jobs,
			func(f filter) bool { return !slices.Contains(jobFilters(), query.FilterName(f.Field)) }):
			return nil, bad("a relation has a filter that is not about a company")
		}
		jobs, err := c.filters(r.Jobs)
		if err != nil {
			return nil, err
		}
		rel := prompt.Relation{
			Source: source, Kind: prompt.RelationKind(r.Kind), Step: r.Step, Past: r.Past, Current: r.Current,
			Excluded: r.Excluded,
		}
		if len(jobs) > 0 {
			rel.Jobs = prompt.Plan{Filters: jobs}.Values()
		}
		out = append(out, rel)
	}
	return out, nil
}

// criteria checks judgements. Formula, field and threshold come from the table.
func (c *checker) criteria(given []criterion) ([]prompt.Criterion, error) {
	var out []prompt.Criterion
	for _, g := range given {
		j, known := analysis.JudgementNamed(g.Name)
		source, found := c.quotes.source(g.Text)
		switch {
		case !known:
			return nil, bad("a criterion has an unknown name")
		case !found:
			return nil, bad("a criterion does not quote the prompt")
		case slices.ContainsFunc(out, func(o prompt.Criterion) bool { return o.Name == g.Name }):
			return nil, bad("a criterion is repeated")
		}
		out = append(out, prompt.CriterionOf(j, source, c.now))
	}
	return out, nil
}

// narrows reports whether the plan has a positive condition. Ranges and exclusions alone are not
// enough: nearly everyone has ten years of experience or fewer.
func narrows(filters []prompt.Filter, relations []prompt.Relation) bool {
	return slices.ContainsFunc(relations, func(r prompt.Relation) bool { return !r.Excluded }) ||
		slices.ContainsFunc(filters, func(f prompt.Filter) bool { return !isRange(f.Name) && wants(f.Value) })
}

// isRange reports whether a filter is a range of numbers.
func isRange(name query.FilterName) bool {
	for _, info := range query.FilterTable() {
		if info.Name != name {
			continue
		}
		return slices.ContainsFunc(query.PersonFields(),
			func(f query.Info) bool { return f.Field == info.Field && f.Kind == query.Number })
	}
	return false
}

// wants reports whether a value has an alternative that is not excluded; excludes, whether it has one that is.
func wants(value string) bool {
	alts, err := query.ParseFilter(value)
	return err == nil && slices.ContainsFunc(alts, func(a query.Alternative) bool { return !a.Excluded })
}

func excludes(value string) bool {
	alts, err := query.ParseFilter(value)
	return err == nil && slices.ContainsFunc(alts, func(a query.Alternative) bool { return a.Excluded })
}

// allUsed reports whether a relation refers to each step.
func allUsed(plan prompt.Plan) bool {
	used := make([]bool, len(plan.Steps))
	mark := func(relations []prompt.Relation) {
		for _, r := range relations {
			used[r.Step] = true
		}
	}
	mark(plan.Relations)
	for _, s := range plan.Steps {
		mark(s.Relations)
	}
	return !slices.Contains(used, false)
}

// accountsFor reports whether an answer quotes everything that the rules understood, and excludes
// where they exclude. It need not keep text searches, which the rules use for unknown words.
func (c *checker) accountsFor(ruled, plan prompt.Plan) bool {
	for _, f := range ruled.Filters {
		if isText(f) && !excludes(f.Value) {
			continue
		}
		if !c.quotes.touches(f.Source) || excludes(f.Value) && !c.excludesAt(plan, f.Source) {
			return false
		}
	}
	for _, r := range ruled.Relations {
		if !c.quotes.touches(r.Source) || r.Excluded && !c.excludesAt(plan, r.Source) {
			return false
		}
	}
	return !slices.ContainsFunc(ruled.Criteria, func(j prompt.Criterion) bool { return !c.quotes.touches(j.Source) })
}

// excludesAt reports whether a plan excludes something in a span of the prompt.
func (c *checker) excludesAt(plan prompt.Plan, at prompt.Source) bool {
	meets := func(s prompt.Source) bool { return s.Span[0] < at.Span[1] && at.Span[0] < s.Span[1] }
	return slices.ContainsFunc(plan.Filters, func(f prompt.Filter) bool { return excludes(f.Value) && meets(f.Source) }) ||
		slices.ContainsFunc(plan.Relations, func(r prompt.Relation) bool { return r.Excluded && meets(r.Source) })
}

// relationKinds lists the kinds of relation that a model may use.
func relationKinds() []prompt.RelationKind {
	return []prompt.RelationKind{
		prompt.WorkedWith, prompt.FormerColleague, prompt.SameSchool, prompt.AtTheirCompany, prompt.AtCompanyFounded,
		prompt.AtTheirPastCompany,
		prompt.Knows,
	}
}

// jobFilters lists the filters for the jobs of a step's people.
func jobFilters() []query.FilterName {
	var names []query.FilterName
	for _, info := range query.FilterTable() {
		if info.Path == query.Current && strings.HasPrefix(string(info.Name), "company") {
			names = append(names, info.Name)
		}
	}
	return names
}
