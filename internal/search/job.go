package search

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"kith/index"
	"kith/index/analysis"
	"kith/internal/network"
	"kith/query"
	"kith/query/prompt"
)

// job is one search, checked and planned.
type job struct {
	svc       *Service
	ctx       context.Context //nolint:containedctx // a job is one request
	binding   string
	requestID string

	walk   walk
	at     place // where to resume; the zero value on the first page
	resume bool  // a cursor was given
	limit  int
	// resumed is the cursor at which an interrupted page resumes.
	resumed string
	// given are the walk's filters, compiled.
	given analysis.Compiled

	planned prompt.Plan
	// plan is the plan as executed, and related its relations, bound to people.
	plan    prompt.Plan
	related related
	mode    Mode
	scope   string
	asked   understood
	stages  []query.Query
	// said are the stages without the visibility condition: generated_sql reads from a view that applies it.
	said []query.Query
	// visible matches the records that the caller may see; sight identifies that set in cache keys.
	visible query.Query
	sight   string
	list    *listing
	// within is what the prompt asks of the caller's network; nil if it asks nothing, or if the request itself sets where
	// to search.
	within *prompt.Network
	filter network.Filter
	// circle holds the people within the caller's reach; nil if there are none.
	circle *network.Circle
	// description and sealer are not needed to query the engine: a page computes them while the engine works. They are
	// safe for concurrent use.
	description func() description
	sealer      func() (*sealer, error)

	// spent is the engine time used by the steps before the results.
	spent time.Duration
	// notes are remarks for the caller on how the search was answered.
	notes []string

	includeCounts string
	counted       *Counted // from the counts token
	facets        []index.Facet
}

// begin reads the cursor and checks everything that needs no plan.
func (j *job) begin(req Request) (err error) {
	if token := cmp.Or(req.Resume, req.Cursor); token != "" {
		w, at, err := openCursor(j.svc.cfg.Seal, j.binding, token)
		if err != nil {
			return err
		}
		j.walk, j.at, j.resume = w, at, true
	}
	if !j.resume {
		j.walk = newWalk(req, j.svc.cfg.Now())
	}
	if j.given, err = check(req, j.walk.began()); err != nil {
		return err
	}
	if j.resume {
		if err := j.resumeWalk(req); err != nil {
			return err
		}
	}
	return j.settle(req)
}

// resumeWalk checks that a request may continue the walk of its cursor. The request need not repeat the filters.
func (j *job) resumeWalk(req Request) error {
	if !j.walk.sameSearch(req) {
		return mismatch()
	}
	if len(req.Filters) == 0 {
		c := &checker{}
		if j.given = c.filters(withoutLike(j.walk.Filters), j.walk.began()); len(c.fields) > 0 {
			return planInvalid("the filters of the walk", c.fields)
		}
	}
	return j.svc.checkEpoch(j.ctx, j.at)
}

// settle sets limit, explain, list, counts and facets, which do not depend on the plan.
func (j *job) settle(req Request) (err error) {
	switch {
	case req.Limit > 0:
		j.limit = req.Limit
	case j.walk.Limit > 0:
		j.limit = j.walk.Limit
	default:
		j.limit = DefaultLimit
	}
	if req.Explain != nil {
		j.walk.Explain = *req.Explain
	}
	if req.Closest != nil {
		j.walk.Closest = req.Closest
	}
	if req.List != nil {
		j.list = newListing(req.List)
	}
	if j.counted, err = j.openCounts(req.CountsToken); err != nil {
		return err
	}
	if req.Resume != "" {
		if err := j.toEndOfPage(req); err != nil {
			return err
		}
	}
	if !j.resume || req.Resume != "" && req.Cursor == "" {
		j.includeCounts, j.facets = req.IncludeCounts, req.Facets
	}
	return nil
}

// toEndOfPage lowers the limit to the rest of an interrupted page. Without the page's cursor, it assumes that all pages
// before it were full.
func (j *job) toEndOfPage(req Request) error {
	j.resumed = req.Resume
	came := j.at.Number
	if req.Cursor != "" {
		_, began, err := openCursor(j.svc.cfg.Seal, j.binding, req.Cursor)
		if err != nil {
			return err
		}
		came -= began.Number
	}
	if came < 0 {
		return mismatch()
	}
	if came > j.limit {
		came = (came-1)%j.limit + 1
	}
	j.limit -= came
	return nil
}

// understand plans the prompt and the filters, runs the steps of the plan and builds the stages.
func (j *job) understand(ctx context.Context, req Request) error {
	began := j.walk.began()
	if j.list != nil {
		if err := j.list.findAddresses(ctx, j.svc.cfg.Addresses); err != nil {
			return err
		}
	}
	plan, err := j.planPrompt(ctx)
	if err != nil {
		return err
	}
	j.planned = plan
	if err := j.look(ctx); err != nil {
		return err
	}
	if err := j.askNetwork(&plan); err != nil {
		return err
	}
	if err := j.addLike(ctx, &plan); err != nil {
		return err
	}
	steps, err := j.steps(ctx, plan, began)
	if err != nil {
		return err
	}
	to, err := j.relate(ctx, plan.Relations, steps, began)
	if err != nil {
		return err
	}
	j.plan, j.related = plan, to
	if j.asked, err = meaning(plan, to, j.given, began); err != nil {
		return err
	}
	if err := j.asked.checkSize(); err != nil {
		return err
	}
	j.mode, j.scope = Mode(plan.Mode), j.walk.Scope
	if j.scope == "" {
		j.scope = defaultScope(j.mode, j.narrowed())
	}
	if j.resume && !j.sameModeAndScope(req) {
		return mismatch()
	}
	if err := j.reach(ctx, steps); err != nil {
		return err
	}
	j.said = j.makeStages()
	j.asked.query, j.asked.exact = j.seen(j.asked.query), j.seen(j.asked.exact)
	j.stages = j.makeStages()
	j.description = sync.OnceValue(func() description {
		about := interpretation(plan, steps, to, j.walk.Filters)
		about.Notes = append(about.Notes, j.notes...)
		return description{sql: j.sql(), about: about}
	})
	j.sealer = sync.OnceValues(func() (*sealer, error) { return newSealer(j.svc.cfg.Seal, j.binding, j.walk) })
	return j.checkCursor()
}

// planPrompt calls the planner once per walk, because dataset changes may change what words mean. Filters alone need no
// planner.
func (j *job) planPrompt(ctx context.Context) (prompt.Plan, error) {
	mode := prompt.Mode(j.walk.Mode)
	if mode == "" {
		mode = prompt.Auto
	}
	if j.walk.Plan != nil {
		return *j.walk.Plan, nil
	}
	if j.walk.Prompt != "" {
		plan, err := j.svc.cfg.Planner.Plan(ctx, j.walk.Prompt, mode)
		if err != nil {
			return plan, err
		}
		if saysNothing(plan) {
			plan.Nothing = true // an empty plan must not match everyone
		}
		j.walk.Plan = &plan
		return plan, nil
	}
	plan := prompt.Plan{Mode: mode}
	switch mode {
	case prompt.Lookup, prompt.Simple:
	case prompt.Complex:
		plan.Mode = prompt.Simple
		plan.Notes = []string{"filters without a prompt need no judgement; they are searched in mode simple"}
	case prompt.Auto:
		plan.Mode = prompt.Simple
		if namesOnePerson(j.walk.Filters) {
			plan.Mode = prompt.Lookup
		}
	}
	return plan, nil
}

func saysNothing(p prompt.Plan) bool {
	return len(p.Filters)+len(p.Conditions)+len(p.Relations)+len(p.Criteria) == 0 && p.Network == nil
}

// namesOnePerson reports whether filters name exactly one person. A first or last name alone does not.
func namesOnePerson(filters query.Filters) bool {
	for _, name := range []query.FilterName{
		query.FilterPersonName, query.FilterSocialID, query.FilterSocialURL,
		query.FilterEmail,
	} {
		alternatives, _ := query.ParseFilter(filters[name]) // an absent filter has none
		alternatives = slices.DeleteFunc(alternatives, func(a query.Alternative) bool { return a.Excluded })
		if len(alternatives) == 1 && (name != query.FilterPersonName || len(analysis.NameTokens(alternatives[0].Text)) > 1) {
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
func (j *job) makeStages() []query.Query {
	switch {
	case j.list != nil:
		return []query.Query{query.And{Parts: []query.Query{j.asked.query, j.list.query()}}}
	case j.narrowed() && j.circle == nil:
		return nil
	case len(j.asked.nearest) > 0:
		return j.asked.nearestFirst(j.circle != nil)
	case len(j.asked.preferred) > 0:
		return j.asked.preferredFirst(j.circle != nil)
	case j.asked.exact == nil:
		return []query.Query{j.asked.query}
	}
	return []query.Query{j.asked.exact, j.asked.query}
}

// description is what an answer says about the search itself.
type description struct {
	sql   string
	about Interpretation
}

// describe adds the description of the search to metadata.
func (j *job) describe(m *Metadata) {
	d := j.description()
	m.GeneratedSQL, m.Interpretation = d.sql, d.about
}

// metadata returns what is known before the engine has worked, except for what [job.describe] adds.
func (j *job) metadata() Metadata {
	m := Metadata{
		RequestID: j.requestID, Mode: j.mode, Source: j.source(), NetworkStageComplete: !j.beginsInside(),
		SearchEngine: j.svc.cfg.Index.Engine(),
	}
	if j.counted != nil {
		m.Counts, m.CountsToken = &j.counted.Counts, j.counted.Token
	}
	return m
}

func (j *job) source() string {
	switch {
	case j.list != nil:
		return ScopeList
	case j.narrowed(), j.beginsInside():
		return ScopeNetwork
	}
	return ScopeGlobal
}

// sql returns the search as SQL, as it runs: lowered, and from the start of this page.
func (j *job) sql() string {
	st := statement(j.said, j.asked.sortBy, max(1, j.limit)) // 0 would be no limit
	if j.list != nil {
		st.Limit, st.Scores = 0, j.list.scores()
	}
	circleFirst(&st, j.circle, j.narrowed())
	st.Offset = j.at.Number
	return st.SQL()
}

// statement returns some stages as a statement, as they run.
func statement(stages []query.Query, sortBy query.Field, limit int) query.Statement {
	st := query.Statement{SortBy: sortBy, Limit: limit}
	for _, q := range stages {
		asked, checked := index.Asked(index.Prepare(q))
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
