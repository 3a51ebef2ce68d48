package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"kith"
	"kith/index"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

// search is a planned request, ready to run. It does not change while it runs.
type search struct {
	checkedRequest
	sight
	networkPart

	planned prompt.Plan
	// plan is the plan as executed, and related its relations, bound to people.
	plan    prompt.Plan
	related related
	mode    Mode
	scope   string
	asked   understood
	stages  []query.Query
	// asked is restricted to what the caller may see, and so are stages. shownStages are the stages without the
	// visibility condition: generated_sql is for operators, who see everyone.
	shownStages []query.Query
	// description and sealer are not needed to query the engine: a page computes them while the engine works. They are
	// safe for concurrent use.
	description func() description
	sealer      func() (*sealer, error)

	// timeLeft is the engine time left after the steps before the results.
	timeLeft time.Duration
}

// plan plans the prompt and the filters, runs the steps of the plan and builds the stages.
func (s *checkedRequest) plan(ctx context.Context, req Request) (*search, error) {
	if s.list != nil {
		if err := s.list.findPeople(ctx, s.viewer, s.svc.cfg.Identifiers); err != nil {
			return nil, err
		}
	}
	planned, err := s.planPrompt(ctx)
	if err != nil {
		return nil, err
	}
	if s.walk.Prompt != "" {
		s.walk.Plan = &planned
	}
	visible, err := readSight(ctx, s.svc.cfg.Sight, s.viewer)
	if err != nil {
		return nil, err
	}
	plan, within, notes, err := s.askNetwork(planned)
	if err != nil {
		return nil, err
	}
	if plan, err = s.addLike(ctx, plan); err != nil {
		return nil, err
	}
	out := &search{checkedRequest: *s, sight: visible, planned: planned, plan: plan, mode: Mode(plan.Mode)}
	out.within = within
	out.scope = cmp.Or(s.walk.Scope, defaultScope(out.mode, out.isNarrowed()))
	return out, out.prepare(ctx, req, notes)
}

// prepare runs the steps of the plan and builds the stages. notes are the remarks for the caller so far.
func (s *search) prepare(ctx context.Context, req Request, notes []string) (err error) {
	f := &follower{&s.checkedRequest, s.sight, s.networkPart, &allowance{s.svc.cfg.Budget}}
	steps, err := f.steps(ctx, s.plan, s.walk.began())
	if err != nil {
		return err
	}
	if s.walk.People == nil && len(steps) > 0 {
		s.walk.keep(steps)
	}
	if s.related, err = f.relate(ctx, s.plan.Relations, steps, s.walk.began()); err != nil {
		return err
	}
	shown, err := meaning(s.plan, s.related, s.given, s.walk.began())
	if err != nil {
		return err
	}
	if err := shown.checkSize(); err != nil {
		return err
	}
	if s.resume && !s.sameModeAndScope(req, s.mode, s.scope) {
		return mismatch()
	}
	var more []string
	if s.scope == ScopeNetwork && s.list == nil {
		if s.networkPart, more, err = f.reach(ctx, steps); err != nil {
			return err
		}
		s.walk.Circle = cmp.Or(s.circleID, s.walk.Circle)
	}
	notes = slices.Concat(notes, stepNotes(steps, s.related), more)
	s.timeLeft = f.left.rest
	s.asked = s.seen(shown)
	s.stages, s.shownStages = s.makeStages(s.asked), s.makeStages(shown)
	s.description = sync.OnceValue(func() description {
		about := interpretation(s.plan, steps, s.related, s.walk.Filters)
		about.Notes = append(about.Notes, notes...)
		return description{sql: s.sql(), about: about}
	})
	s.sealer = sync.OnceValues(func() (*sealer, error) { return newSealer(s.svc.cfg.Seal, s.binding, s.walk) })
	return s.checkCursor()
}

// planPrompt calls the planner once per walk, because dataset changes may change what words mean. Filters alone need no
// planner.
func (s *checkedRequest) planPrompt(ctx context.Context) (prompt.Plan, error) {
	mode := cmp.Or(prompt.Mode(s.walk.Mode), prompt.Auto)
	if s.walk.Plan != nil {
		return *s.walk.Plan, nil
	}
	if s.walk.Prompt != "" {
		plan, err := s.svc.cfg.Planner.Plan(ctx, s.viewer, s.walk.Prompt, mode)
		if err != nil {
			return plan, err
		}
		if plan.IsEmpty() {
			plan.Nothing = true // an empty plan must not match everyone
		}
		return s.taken(plan)
	}
	plan := prompt.Plan{Mode: mode}
	switch mode {
	case prompt.Lookup, prompt.Simple:
	case prompt.Complex:
		plan.Mode = prompt.Simple
		plan.Notes = []string{"filters without a prompt need no judgement; they are searched in mode simple"}
	case prompt.Auto:
		plan.Mode = prompt.Simple
		if namesOnePerson(s.walk.Filters) {
			plan.Mode = prompt.Lookup
		}
	}
	return plan, nil
}

// taken returns the plan of the reading that the request takes.
func (s *checkedRequest) taken(plan prompt.Plan) (prompt.Plan, error) {
	if s.walk.Reading == 0 {
		return plan, nil
	}
	taken, ok := plan.Take(s.walk.Reading)
	if !ok {
		return plan, kith.InvalidFields([]kith.FieldError{{
			Field: "reading", Code: "NO_SUCH_READING", Message: fmt.Sprintf("the prompt has %s (got %d); "+
				"interpretation.alternatives lists all but the first",
				kith.Counted(int64(1+len(plan.Alternatives)), "reading", "readings"), s.walk.Reading),
		}})
	}
	return taken, nil
}

// namesOnePerson reports whether filters name exactly one person. A first or last name alone does not.
func namesOnePerson(filters query.Filters) bool {
	for _, name := range []query.FilterName{
		query.FilterPersonName, query.FilterSocialID, query.FilterSocialURL, query.FilterEmail,
	} {
		alternatives, _ := query.ParseFilter(filters[name]) // an absent filter has none
		alternatives = slices.DeleteFunc(alternatives, func(a query.Alternative) bool { return a.Excluded })
		if len(alternatives) == 1 && (name != query.FilterPersonName ||
			len(analysis.NameTokens(alternatives[0].Text)) > 1) {
			return true
		}
	}
	return false
}

// defaultScope is the scope of a search that sets none. A search narrowed to the network has scope network in every
// mode.
func defaultScope(mode Mode, narrowed bool) string {
	if mode == Lookup && !narrowed {
		return ScopeGlobal
	}
	return ScopeNetwork
}

// makeStages orders the search among everyone: exact matches before close ones. A search narrowed to the network
// matches only people within reach.
func (s *search) makeStages(u understood) []query.Query {
	switch {
	case s.list != nil:
		return []query.Query{query.And{Parts: []query.Query{u.query, s.list.query()}}}
	case s.isNarrowed() && s.circle == nil:
		return nil
	case len(u.nearest) > 0:
		return u.nearestFirst(s.circle != nil)
	case len(u.preferred) > 0:
		return u.preferredFirst(s.circle != nil)
	case u.exact == nil:
		return []query.Query{u.query}
	}
	return []query.Query{u.exact, u.query}
}

// description is what an answer says about the search itself.
type description struct {
	sql   string
	about Interpretation
}

// describe adds the description of the search to metadata.
func (s *search) describe(m *Metadata) {
	d := s.description()
	m.GeneratedSQL, m.Interpretation = d.sql, d.about
}

// metadata returns what is known before the engine has worked, except for what [search.describe] adds.
func (s *search) metadata() Metadata {
	m := Metadata{
		RequestID: s.requestID, Mode: s.mode, Source: s.source(), NetworkStageComplete: !s.beginsInside(),
		SearchEngine: s.svc.cfg.Index.Engine(),
	}
	if s.counted != nil {
		m.Counts, m.CountsToken = &s.counted.Counts, s.counted.Token
	}
	return m
}

func (s *search) source() string {
	switch {
	case s.list != nil:
		return ScopeList
	case s.isNarrowed(), s.beginsInside():
		return ScopeNetwork
	}
	return ScopeGlobal
}

// sql returns the search as SQL, as it runs: lowered, and from the start of this page.
func (s *search) sql() string {
	st := statement(s.shownStages, s.asked.sortBy, max(1, s.limit)) // 0 would be no limit
	if s.list != nil {
		st.Limit, st.Scores = 0, s.list.scores()
	}
	circleFirst(&st, s.circle, s.isNarrowed())
	st.Offset = s.at.matches()
	return st.SQL()
}

// statement returns some stages as a statement, as they run.
func statement(stages []query.Query, sortBy query.Field, limit int) query.Statement {
	st := query.Statement{SortBy: sortBy, Limit: limit}
	for _, q := range stages {
		asked, checked := index.SplitTimelines(index.Prepare(q))
		st.Stages = append(st.Stages, asked)
		for _, t := range checked {
			if !slices.ContainsFunc(st.Checked, func(have query.Timeline) bool { return query.Equal(have, t) }) {
				st.Checked = append(st.Checked, t)
			}
		}
	}
	if len(st.Stages) == 0 {
		st.Stages = []query.Query{query.None{}}
	}
	return st
}
