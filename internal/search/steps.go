package search

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"kith"
	"kith/index"
	"kith/internal/network"
	"kith/internal/search/proximity"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt"
)

const (
	// defaultStepLimit is how many people a step takes if the plan does not say.
	defaultStepLimit = 10
	// maxStepLimit bounds the cost of one step, whatever the plan says.
	maxStepLimit = 50
	// maxSteps is how many steps a plan may have.
	maxSteps = 8
)

// follower runs the steps of a plan and binds its relations and its network to the people they found.
type follower struct {
	*checkedRequest
	sight
	networkPart
	left *allowance
}

// step is a search that ran before the main search, with the people it found.
type step struct {
	prompt.Step
	people []member
	// more is true if there were more people than the step takes.
	more bool
	// related holds the step's own relations.
	related related
	// near are the people to search first; nil for no preference.
	near *network.Circle
	// sql is the statement that ran.
	sql string
}

// member is a person found by a step.
type member struct {
	id   int64
	name string
	// doc is the person's document for matching.
	doc indexed.Document
	// jobs are the jobs that the sub-documents of doc come from.
	jobs      map[query.Path][]kith.Job
	education []kith.Education
}

// steps runs the steps of a plan in order, each with the people of those before it. Later pages of a walk use the
// people that the first page found and that still exist, so that all pages mean the same; their records are read anew.
func (f *follower) steps(ctx context.Context, plan prompt.Plan, now time.Time) (done []step, err error) {
	if len(plan.Steps) == 0 || plan.Nothing {
		return nil, nil
	}
	if len(plan.Steps) > maxSteps {
		return nil, planInvalid(fmt.Sprintf("%d steps, and at most %d are allowed", len(plan.Steps), maxSteps), nil)
	}
	err = f.left.within(ctx, func(ctx context.Context) error {
		for i, asked := range plan.Steps {
			s := step{Step: asked}
			if err := f.follow(ctx, &s, i, done, now); errors.Is(err, context.DeadlineExceeded) {
				return overBudget(err)
			} else if err != nil {
				return fmt.Errorf("looking for %s: %w", asked.Says, err)
			}
			s.more = s.more || slices.Contains(f.walk.More, i)
			done = append(done, s)
		}
		return nil
	})
	return done, err
}

// follow runs the step at an index, or reads the people that it found before.
func (f *follower) follow(ctx context.Context, s *step, at int, before []step, now time.Time) (err error) {
	known := f.walk.known(at)
	s.Limit = stepLimit(s.Limit, f.needsIntroducers(at))
	if s.related, err = f.relate(ctx, s.Relations, before, now); err != nil {
		return err
	}
	tiers, err := s.tiers(now)
	if err != nil {
		return err
	}
	if known != nil {
		tiers = [][]query.Query{{query.IDs{Values: known}}}
	} else if s.near, err = f.readNetwork(ctx, at); err != nil {
		return err
	}
	var ids []int64
	for _, stages := range tiers {
		st := statement(stages, "", s.Limit)
		circleFirst(&st, s.near, false)
		s.sql = st.SQL()
		if ids = known; known == nil {
			if ids, err = f.find(ctx, s.near, f.allSeen(stages), s.Limit+1); err != nil {
				return err
			}
		}
		if len(ids) > 0 {
			break
		}
	}
	if s.more = len(ids) > s.Limit; s.more {
		ids = ids[:s.Limit]
	}
	s.people, err = f.svc.members(ctx, f.viewer, ids)
	return err
}

// stepLimit is how many people a step takes if the plan asks for a number. A step that finds people to be introduced to
// takes the maximum.
func stepLimit(asked int, introduced bool) int {
	switch {
	case asked > 0:
		return min(asked, maxStepLimit)
	case introduced:
		return maxStepLimit
	}
	return defaultStepLimit
}

// tiers returns the searches of a step, each a list of stages; the first that finds anyone decides the step. For a
// person's name, people with exactly that name win if there are any. Otherwise exact matches come before close ones, as
// in any search.
func (s step) tiers(now time.Time) ([][]query.Query, error) {
	if len(s.Keys) > 0 {
		return [][]query.Query{{likeQuery(s.Keys)}}, nil
	}
	compiled, problems := analysis.Compile(s.Filters, now)
	if len(problems) > 0 {
		return nil, planInvalid("the filters of a step", problems)
	}
	if s.related.nobody {
		return [][]query.Query{{query.None{}}}, nil
	}
	within := func(q query.Query) query.Query {
		return query.Simplify(query.And{Parts: append([]query.Query{q, compiled.Query}, s.related.queries()...)})
	}
	all := within(query.All{})
	if query.Equal(all, query.All{}) {
		return nil, planInvalid("a step that matches everyone", nil)
	}
	name := query.Filters{query.FilterPersonName: s.Filters[query.FilterPersonName]}
	switch {
	case compiled.Exact == nil:
		return [][]query.Query{{all}}, nil
	case name[query.FilterPersonName] == "":
		return [][]query.Query{{within(compiled.Exact), all}}, nil
	}
	named, _ := analysis.Compile(name, now) // no error: it compiled as part of Filters
	tiers := [][]query.Query{{within(compiled.Exact)}}
	if named.Exact != nil && len(s.Filters) > 1 {
		tiers = append(tiers, []query.Query{within(named.Exact)})
	}
	return append(tiers, []query.Query{all}), nil
}

// find returns the first people of some stages, those of a circle before others.
func (f *follower) find(ctx context.Context, near *network.Circle, stages []query.Query, limit int) ([]int64, error) {
	people := f.svc.cfg.Index.People(ctx, index.Search{Stages: stages, Limit: limit})
	if near != nil {
		sum := sha256.Sum256([]byte(statement(stages, "", 0).SQL()))
		q := proximity.Query{
			All: stages[len(stages)-1], Circle: near, Caller: f.binding, Key: string(sum[:16]),
			Epoch: func() (int64, error) { return f.svc.rankEpoch(ctx) },
		}
		if len(stages) > 1 {
			q.Exact = stages[0]
		}
		people = f.svc.near.People(ctx, q, nil, limit, &proximity.Buffer{})
	}
	var ids []int64
	for found, err := range people {
		if err != nil {
			return nil, err
		}
		ids = append(ids, found.ID)
	}
	return ids, nil
}

// members reads people in the order of ids. It leaves out deleted people and records that cannot be analysed.
func (s *Service) members(ctx context.Context, v kith.Viewer, ids []int64) ([]member, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	records, err := s.records(ctx, v, ids)
	if err != nil {
		return nil, fmt.Errorf("reading their records: %w", err)
	}
	var people []member
	for _, id := range ids {
		p, there := records[id]
		doc, err := document(p)
		if !there || err != nil {
			continue
		}
		if m, err := makeMember(p, doc); err == nil {
			people = append(people, m)
		}
	}
	return people, nil
}

// makeMember makes a member from a record and its existing document: analysing it again for each condition would take
// most of an explanation's time.
func makeMember(p kith.Person, doc indexed.Document) (member, error) {
	current, past, err := analysis.Jobs(p)
	return member{
		id: p.ID, name: p.FullName, doc: doc,
		jobs:      map[query.Path][]kith.Job{query.Current: current, query.Past: past},
		education: p.EducationHistory,
	}, err
}

func idsOf(people []member) []int64 { return kith.Each(people, func(m member) int64 { return m.id }) }

// planInvalid returns the error for a plan that cannot be executed: a defect of its planner, as a prompt cannot be
// wrong.
func planInvalid(what string, problems []kith.FieldError) error {
	return &kith.Error{
		Kind: kith.Internal, Code: "PLAN_INVALID", Detail: "the search could not be planned",
		Cause: errors.New(what), Fields: problems,
	}
}
