// Package memory answers prompts from a demo dataset in memory, with the planner,
// execution and query semantics of a server, for tests and evaluation.
package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/internal/demo"
	"kith/internal/search"
	"kith/query"
	"kith/query/analysis"
	"kith/query/cursor"
	"kith/query/indexed"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

// Dataset is a demo dataset that can be searched. It is safe for concurrent use.
type Dataset struct {
	*search.Service
	Planner *planner.Planner
	config  search.Config
	people  map[int64]kith.Person
}

// New loads a demo dataset with now as the current time. It takes about a second per thousand people.
func New(ctx context.Context, d *demo.Dataset, now time.Time) (*Dataset, error) {
	out := &Dataset{people: map[int64]kith.Person{}}
	ix := memindex.New()
	people, companies, err := out.load(ctx, ix, d)
	if err != nil {
		return nil, err
	}
	vocabulary, err := prompttest.New(people, companies)
	if err != nil {
		return nil, err
	}
	clock := func() time.Time { return now }
	out.Planner = planner.New(lexicon.New(), vocabulary).At(clock)
	seal, err := cursor.New(make([]byte, cursor.KeySize))
	if err != nil {
		return nil, err
	}
	out.config = search.Config{
		Index: index.New(ix), Planner: out.Planner, Records: out, Settings: out, Sight: search.Everything{}, Seal: seal,
		Budget: time.Hour, Now: clock,
	}
	out.Service = search.New(out.config)
	return out, nil
}

// load puts the people into the engine, and fills in the companies of their jobs.
func (d *Dataset) load(ctx context.Context, ix *memindex.Index,
	from *demo.Dataset,
) ([]kith.Person, []kith.Company, error) {
	var companies []kith.Company
	for c := range from.Companies() {
		companies = append(companies, c)
	}
	var people []kith.Person
	var docs []indexed.Flat
	for p := range from.People() {
		for _, job := range p.Jobs() {
			job.Company = companies[job.Company.ID-1]
		}
		doc, err := analysis.Person(p, analysis.Rank(p), 1)
		if err != nil {
			return nil, nil, fmt.Errorf("memory: %w", err)
		}
		people, docs = append(people, p), append(docs, indexed.Flatten(doc))
		d.people[p.ID] = p
	}
	versions, err := ix.Versions(ctx)
	if err != nil {
		return nil, nil, err
	}
	return people, companies, ix.Write(ctx, index.People, []string{versions[0].Name}, docs, nil)
}

// People implements [search.Records].
func (d *Dataset) People(_ context.Context, _ kith.Viewer, ids []int64) ([]kith.Person, error) {
	var out []kith.Person
	for _, id := range ids {
		if p, ok := d.people[id]; ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// RankEpoch implements [search.Settings]: ranks never change.
func (d *Dataset) RankEpoch(context.Context) (int64, error) { return 1, nil }

// Answer is the result of a search, in order, with the mode of the prompt.
type Answer struct {
	Mode prompt.Mode
	IDs  []int64
}

// Ask reads all pages of a search for a prompt.
func (d *Dataset) Ask(ctx context.Context, text string) (Answer, error) {
	return walk(ctx, d.Service, search.Request{Prompt: text, Scope: search.ScopeGlobal, Limit: search.MaxLimit})
}

// Run reads all pages of a search for a prompt with a given plan.
func (d *Dataset) Run(ctx context.Context, text string, plan prompt.Plan) (Answer, error) {
	config := d.config
	config.Planner = fixed{plan}
	return walk(ctx, search.New(config), search.Request{Prompt: text, Scope: search.ScopeGlobal, Limit: search.MaxLimit})
}

// fixed is a planner that returns the same plan for all prompts.
type fixed struct{ plan prompt.Plan }

// Plan implements [prompt.Planner].
func (f fixed) Plan(context.Context, kith.Viewer, string, prompt.Mode) (prompt.Plan, error) {
	return f.plan, nil
}

// Filter reads all pages of a search by filters.
func (d *Dataset) Filter(ctx context.Context, filters query.Filters) (Answer, error) {
	return walk(ctx, d.Service, search.Request{Filters: filters, Scope: search.ScopeGlobal, Limit: search.MaxLimit})
}

// maxPages limits the pages of a search; a dataset has fewer people.
const maxPages = 10_000

func walk(ctx context.Context, s *search.Service, req search.Request) (Answer, error) {
	viewer := kith.Actor{AppID: 1, UserID: 1}.Viewer()
	var out Answer
	for range maxPages {
		results, err := s.Search(ctx, viewer, req)
		if err != nil {
			return out, err
		}
		page, err := search.Collect(ctx, results)
		if err != nil {
			return out, err
		}
		out.Mode = prompt.Mode(page.Metadata.Mode)
		for _, record := range page.People {
			var p struct {
				ID int64 `json:"id"`
			}
			if err := json.Unmarshal(record, &p); err != nil {
				return out, fmt.Errorf("memory: a result: %w", err)
			}
			out.IDs = append(out.IDs, p.ID)
		}
		if !page.Pagination.HasNextPage {
			return out, nil
		}
		req = search.Request{Cursor: page.Pagination.Cursor}
	}
	return out, errors.New("memory: a walk without end")
}

// Describe describes a person in one line: current titles and companies, and the place.
func (d *Dataset) Describe(id int64) string {
	p := d.people[id]
	text := fmt.Sprintf("%d %s", id, p.FullName)
	for _, j := range p.WorkHistory {
		if j.Current() {
			text += fmt.Sprintf(", %s at %s", j.Title, j.Company.Name)
		}
	}
	return text + ", " + p.Location.City + " " + p.Location.Country
}
