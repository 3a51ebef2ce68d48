package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kith"
	"kith/index"
	"kith/internal/search"
	"kith/query"
	"kith/query/analysis"
	"kith/query/cursor"
	"kith/query/indexed"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/reader"
)

// day is the day of the searches: the answers count years from it.
func day() time.Time { return time.Date(2026, time.October, 1, 0, 0, 0, 0, time.UTC) }

// dataset answers searches of the population with the planner, execution and query semantics of a server. It is safe
// for concurrent use.
type dataset struct {
	planner *reader.Planner
	config  search.Config
	people  map[int64]kith.Person
	close   func()
}

func newDataset(ctx context.Context, at engineAddress) (*dataset, error) {
	people, companies, err := population()
	if err != nil {
		return nil, err
	}
	d := &dataset{people: map[int64]kith.Person{}}
	var docs []indexed.Flat
	for _, p := range people {
		doc, err := analysis.Person(p, analysis.Rank(p), 1)
		if err != nil {
			return nil, fmt.Errorf("person %d: %w", p.ID, err)
		}
		docs, d.people[p.ID] = append(docs, indexed.Flatten(doc)), p
	}
	vocabulary, err := prompttest.New(people, companies)
	if err != nil {
		return nil, err
	}
	seal, err := cursor.New(make([]byte, cursor.KeySize))
	if err != nil {
		return nil, err
	}
	ix, closeEngine, err := at.open(ctx)
	if err != nil {
		return nil, err
	}
	d.close = closeEngine
	d.planner = reader.New(lexicon.New(), vocabulary).At(day)
	d.config = search.Config{
		Index: index.New(ix), Planner: d.planner, Records: d, Settings: d, Sight: search.Everything{}, Seal: seal,
		Budget: time.Hour, Now: day,
	}
	return d, fill(ctx, ix, docs)
}

// People implements [search.Records].
func (d *dataset) People(_ context.Context, _ kith.Viewer, ids []int64) ([]kith.Person, error) {
	var out []kith.Person
	for _, id := range ids {
		if p, ok := d.people[id]; ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// RankEpoch implements [search.Settings]: ranks never change.
func (d *dataset) RankEpoch(context.Context) (int64, error) { return 1, nil }

// answer is the result of a search, in order, with the mode of the prompt.
type answer struct {
	mode prompt.Mode
	ids  []int64
}

// ask reads all pages of a search for a prompt.
func (d *dataset) ask(ctx context.Context, text string) (answer, error) {
	return walk(ctx, d.config, search.Request{Prompt: text})
}

// run reads all pages of a search for a prompt with a given plan.
func (d *dataset) run(ctx context.Context, text string, plan prompt.Plan) (answer, error) {
	config := d.config
	config.Planner = fixed{plan}
	return walk(ctx, config, search.Request{Prompt: text})
}

// filter reads all pages of a search by filters.
func (d *dataset) filter(ctx context.Context, filters query.Filters) (answer, error) {
	return walk(ctx, d.config, search.Request{Filters: filters})
}

// fixed is a planner that returns the same plan for all prompts.
type fixed struct{ plan prompt.Plan }

// Plan implements [prompt.Planner].
func (f fixed) Plan(context.Context, kith.Viewer, string, prompt.Mode) (prompt.Plan, error) {
	return f.plan, nil
}

// maxPages limits the pages of a search; the population has fewer people.
const maxPages = 1000

func walk(ctx context.Context, config search.Config, req search.Request) (answer, error) {
	s, viewer := search.New(config), kith.Actor{AppID: 1, UserID: 1}.Viewer()
	req.Scope, req.Limit = search.ScopeGlobal, search.MaxLimit
	var out answer
	for range maxPages {
		results, err := s.Search(ctx, viewer, req)
		if err != nil {
			return out, err
		}
		page, err := search.Collect(ctx, results)
		if err != nil {
			return out, err
		}
		out.mode = prompt.Mode(page.Metadata.Mode)
		for _, record := range page.People {
			var p struct {
				ID int64 `json:"id"`
			}
			if err := json.Unmarshal(record, &p); err != nil {
				return out, fmt.Errorf("a result: %w", err)
			}
			out.ids = append(out.ids, p.ID)
		}
		if !page.Pagination.HasNextPage {
			return out, nil
		}
		req = search.Request{Cursor: page.Pagination.Cursor}
	}
	return out, errors.New("a walk without end")
}

// describe describes a person in one line: current titles and companies, and the place.
func (d *dataset) describe(id int64) string {
	p := d.people[id]
	text := fmt.Sprintf("%d %s", id, p.FullName)
	for _, j := range p.WorkHistory {
		if j.Current() {
			text += fmt.Sprintf(", %s at %s", j.Title, j.Company.Name)
		}
	}
	return text + ", " + p.Location.City + " " + p.Location.Country
}
