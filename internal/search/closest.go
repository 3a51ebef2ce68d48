package search

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"kith/index"
	"kith/index/semantic"
	"kith/internal/search/relax"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

// Neighbours finds the terms of the dataset closest in meaning to a phrase; [semantic.Cache] implements it.
type Neighbours interface {
	Neighbours(ctx context.Context, kind analysis.TermKind, phrase string, limit int,
		threshold float64) ([]semantic.Neighbour, error)
}

// StageClosest is the stage of near misses: people who come close but do not match.
const StageClosest = "closest"

const (
	// fewMatches is the number of matches from which on near misses are not looked for; maxClosest is the most of them
	// returned.
	fewMatches, maxClosest = 10, 25
	// nearestPeople is how many people within reach are considered for a search limited to them.
	nearestPeople = 2000
	// countedWithout is the cap on counts of people who would match without a filter.
	countedWithout = 200
	// mostDropped is how many filters are left out on trial, one at a time; each is also paired with the first
	// mostPaired of them.
	mostDropped, mostPaired = 6, 4
)

// wantsClosest reports whether to look for near misses if few people match.
func (s *search) wantsClosest() bool {
	if s.svc.cfg.Neighbours == nil || s.list != nil || s.plan.Nothing || s.related.nobody || len(s.stages) == 0 {
		return false
	}
	if s.walk.Closest != nil {
		return *s.walk.Closest
	}
	return s.walk.Prompt != ""
}

// sets returns the filters of the search, those of the prompt first.
func (s *search) sets() []query.Filters {
	return []query.Filters{s.plan.Values(), withoutLike(s.walk.Filters)}
}

// hasConditions reports whether the search has conditions other than filters.
func (s *search) hasConditions() bool {
	return len(s.plan.Conditions)+len(s.related.bounds) > 0 || s.isNarrowed()
}

// wider returns the condition of the search with other filters and conditions.
func (s *search) wider(sets []query.Filters, conditions []prompt.Condition) (query.Query, error) {
	plan := s.plan
	plan.Conditions = conditions
	var all []analysis.Compiled
	for _, set := range sets {
		compiled, problems := analysis.Compile(set, s.walk.began())
		if len(problems) > 0 {
			return nil, planInvalid("wider filters", problems)
		}
		all = append(all, compiled)
	}
	return s.restrict(combine(all, plan, s.related, s.walk.began()).query), nil
}

// closestPeople yields near misses after the last page if there are few matches, and adds to the metadata which changes
// would find more.
func (r *execution) closestPeople(ctx context.Context) error {
	matches := r.at.matches() + r.count
	if matches >= fewMatches || !r.wantsClosest() {
		return nil
	}
	variants, err := r.variants(ctx)
	if err != nil {
		return err
	}
	dropped, counts, err := r.withoutFilters()
	if err != nil {
		return err
	}
	ladder, err := r.ladder(variants, dropped, matches)
	if err != nil {
		return err
	}
	if matches == 0 {
		if r.meta.Unknown, err = r.unknownNames(ctx); err != nil {
			return err
		}
	}
	ladder.Counts, ladder.CountTo = counts, countedWithout
	if r.isEmptyLadder(ladder) {
		return nil
	}
	got, err := r.svc.cfg.Index.Climb(ctx, ladder)
	if err != nil {
		return fmt.Errorf("looking for who comes closest: %w", err)
	}
	if !query.HasTimeline(r.asked.query) { // else the counts are upper bounds
		r.meta.Without = suggestions(dropped, got.Counts, matches)
	}
	found := closer(got.People, variants)
	if len(found) > 0 || matches > 0 || !r.mayLeaveNetwork() {
		return r.yieldClosest(ctx, r.ahead(found), variants)
	}
	return r.lookOutside(ctx, ladder)
}

// isEmptyLadder reports whether there is nothing to ask for.
func (s *search) isEmptyLadder(l index.Ladder) bool {
	return len(l.Stages) < 2 && len(l.Counts) == 0 && !s.mayLeaveNetwork()
}

// mayLeaveNetwork reports whether people outside the part of the caller's network that a prompt asks for come close.
func (s *search) mayLeaveNetwork() bool {
	return s.within != nil && !s.introducing() && !s.filter.LastContact.Asked && len(s.plan.Values()) > 0
}

// lookOutside yields the people who satisfy everything but what the prompt asks of the network.
func (r *execution) lookOutside(ctx context.Context, l index.Ladder) error {
	missing := []relax.Missing{{Field: missingNetwork, Value: r.within.Text}}
	got, err := r.svc.cfg.Index.Climb(ctx, index.Ladder{
		Stages: []query.Query{query.None{}, r.asked.query}, Skipped: 1, SortBy: l.SortBy, Limit: l.Limit,
	})
	if err != nil {
		return fmt.Errorf("looking outside the network: %w", err)
	}
	return r.yieldClosest(ctx, r.ahead(got.People), []relax.Variant{{Missing: missing}})
}

// missingNetwork is named instead of a filter if a near miss is outside the network.
const missingNetwork query.FilterName = "network"

// ladder builds the request for near misses: the matches, which are skipped, then the people of each variant. dropped
// are the filter combinations to count people without.
func (r *execution) ladder(variants []relax.Variant, dropped [][]query.FilterName, matches int) (index.Ladder, error) {
	l := index.Ladder{
		Stages: []query.Query{r.asked.query}, Skipped: 1, MaxSkipped: matches,
		SortBy: r.asked.sortBy, Limit: min(maxClosest, r.at.Closest+r.limit-r.count), Among: r.reachable(),
		Within: [][]int{nil},
	}
	if l.Limit < 1 {
		return index.Ladder{Among: l.Among}, nil
	}
	for _, v := range variants {
		q, err := r.wider(v.Sets, r.conditionsOf(v))
		if err != nil {
			return l, err
		}
		l.Stages, l.Within = append(l.Stages, q), append(l.Within, countedWith(dropped, v.Changed()))
	}
	var pairs []int
	for i, names := range dropped {
		l.CountsWithin = append(l.CountsWithin, countedWith(dropped[:i], names))
		l.CountsUnless = append(l.CountsUnless, nil)
		if len(names) > 1 { // only the best pair is reported, and of equal ones the first
			l.CountsUnless[i], pairs = pairs, append(pairs, i)
		}
	}
	return l, nil
}

// countedWith returns the indices of the combinations that contain all of names: near misses found by changing these
// filters would match without them.
func countedWith(dropped [][]query.FilterName, names []query.FilterName) []int {
	var at []int
	for i, all := range dropped {
		if !slices.ContainsFunc(names, func(n query.FilterName) bool { return !slices.Contains(all, n) }) {
			at = append(at, i)
		}
	}
	return at
}

// reachable returns the nearest people within reach if the search is limited to them.
func (s *search) reachable() []int64 {
	if !s.isNarrowed() {
		return nil
	}
	return s.circle.Nearest(nearestPeople)
}

// variants returns the widened searches.
func (r *execution) variants(ctx context.Context) ([]relax.Variant, error) {
	var failed error
	near := func(filter query.FilterName, phrase string) []semantic.Neighbour {
		var all []semantic.Neighbour
		for _, kind := range termKinds(filter) {
			found, err := r.svc.cfg.Neighbours.Neighbours(ctx, kind, phrase, 8, semantic.Threshold(kind))
			if err != nil && failed == nil {
				failed = fmt.Errorf("looking for near terms: %w", err)
			}
			all = append(all, found...)
		}
		return all
	}
	variants := relax.Variants(r.sets(), r.hasConditions(), near)
	others := r.looserConditions()
	return append(variants[:min(len(variants), relax.MaxVariants-len(others))], others...), failed
}

// termKinds returns the kinds of terms that a filter accepts.
func termKinds(filter query.FilterName) []analysis.TermKind {
	switch filterInfo(filter).Field {
	case query.Title:
		return []analysis.TermKind{analysis.TermTitle}
	case query.Skill:
		return []analysis.TermKind{analysis.TermSkill}
	case query.CompanyIndustry:
		return []analysis.TermKind{analysis.TermIndustry}
	case query.CompanyKeywords:
		return []analysis.TermKind{analysis.TermKeyword}
	case query.Text:
		return []analysis.TermKind{analysis.TermSkill, analysis.TermTitle}
	}
	return nil
}

// closer drops the people of broad variants, which come last, unless there are no others.
func closer(found []index.Found, variants []relax.Variant) []index.Found {
	broad := slices.IndexFunc(found, func(f index.Found) bool { return variants[f.Cursor.Stage-1].Broad })
	if broad > 0 {
		return found[:broad]
	}
	return found
}

// withoutFilters returns the filters that can be dropped, alone and in pairs, each with the remaining condition.
func (r *execution) withoutFilters() (dropped [][]query.FilterName, left []query.Query, err error) {
	var fields []query.FilterName
	for _, info := range query.FilterTable() {
		if slices.ContainsFunc(r.sets(), func(set query.Filters) bool { return set[info.Name] != "" }) {
			fields = append(fields, info.Name)
		}
	}
	fields = fields[:min(len(fields), mostDropped)]
	for i, f := range fields {
		for _, g := range fields[:min(i, mostPaired)] {
			dropped = append(dropped, []query.FilterName{g, f})
		}
	}
	for _, f := range fields { // after the pairs: a pair without matches rules out its single filters
		dropped = append(dropped, []query.FilterName{f})
	}
	kept := dropped[:0]
	for _, names := range dropped {
		q, some, err := r.dropFilters(names)
		if err != nil {
			return nil, nil, err
		}
		if some {
			kept, left = append(kept, names), append(left, q)
		}
	}
	return kept, left, nil
}

// unknownNames returns the companies, schools and people that the search names and that nobody has, not even outside
// the caller's network.
func (r *execution) unknownNames(ctx context.Context) (unknown []Unknown, err error) {
	var named []Unknown
	var alone []query.Query
	for _, set := range r.sets() {
		for _, info := range query.FilterTable() {
			value := set[info.Name]
			if value == "" || !relax.IsNamed(info.Field) || allExcluded(value) {
				continue
			}
			compiled, problems := analysis.Compile(query.Filters{info.Name: value}, r.walk.began())
			if len(problems) > 0 {
				return nil, planInvalid("a filter alone", problems)
			}
			named = append(named, Unknown{Field: info.Name, Value: value})
			one := combine([]analysis.Compiled{compiled}, prompt.Plan{}, related{}, r.walk.began())
			alone = append(alone, r.restrict(one.query))
		}
	}
	if len(named) == 0 {
		return nil, nil
	}
	got, err := r.svc.cfg.Index.Climb(ctx, index.Ladder{Counts: alone, CountTo: 1})
	if err != nil {
		return nil, fmt.Errorf("looking for unknown names: %w", err)
	}
	for i, n := range got.Counts {
		if n == 0 {
			unknown = append(unknown, named[i])
		}
	}
	return unknown, nil
}

// dropFilters returns the search without some filters; some is false if no condition is left.
func (r *execution) dropFilters(names []query.FilterName) (q query.Query, some bool, err error) {
	sets := make([]query.Filters, 0, 2)
	for _, set := range r.sets() {
		rest := maps.Clone(set)
		maps.DeleteFunc(rest, func(name query.FilterName, _ string) bool { return slices.Contains(names, name) })
		sets = append(sets, rest)
	}
	if !r.hasConditions() && !demands(sets) {
		return nil, false, nil
	}
	q, err = r.wider(sets, r.plan.Conditions)
	return q, true, err
}

// demands reports whether a filter demands something.
func demands(sets []query.Filters) bool {
	for _, set := range sets {
		for _, value := range set {
			if !allExcluded(value) {
				return true
			}
		}
	}
	return false
}

// suggestions returns the filters without which more people would match, and the best pair, ordered by count.
func suggestions(dropped [][]query.FilterName, counts []int, matches int) []Without {
	var alone []Without
	var pair Without
	for i, names := range dropped {
		w := Without{Fields: names, Count: min(counts[i], countedWithout), IsCapped: counts[i] >= countedWithout}
		switch {
		case w.Count <= matches:
		case len(names) == 1:
			alone = append(alone, w)
		case w.Count > pair.Count:
			pair = w
		}
	}
	slices.SortStableFunc(alone, func(a, b Without) int { return b.Count - a.Count })
	if pair.Count > 0 && (len(alone) == 0 || pair.Count > alone[0].Count) {
		alone = append(alone, pair)
	}
	return alone
}
