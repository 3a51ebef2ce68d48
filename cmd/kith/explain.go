package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/index/elasticindex"
	"kith/index/pgindex"
	"kith/internal/search"
	"kith/query/prompt"
	"kith/query/prompt/planner"
)

type explainCmd struct {
	Prompt string `arg:""`
	Mode   string `enum:"auto,lookup,simple,complex" default:"auto" env:"KITH_MODE"`
	Limit  int    `short:"n" default:"25"`
	JSON   bool   `name:"json" env:"KITH_JSON"`
}

// Help is shown below the flags.
func (explainCmd) Help() string {
	return `Prints the prompt as each reader marks it, the reading of the grammar (possible meanings of each span with
their origin, and the choice), the plan, and for each step and the search itself the equivalent SQL and the engine's
request.

Example:
  kith explain --demo "people who worked with the CTO of Spotify"`
}

// Run plans and searches, and prints the details.
func (c *explainCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	var b flagBounds
	checkRange(&b, "--limit", c.Limit, 1, search.MaxLimit)
	if err := cmp.Or(b.err(), search.Check(c.request(), time.Now())); err != nil {
		return usageError(err)
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		e, err := c.explain(ctx, d)
		if err != nil {
			return err
		}
		if c.JSON {
			return g.results.json(e, "  ")
		}
		e.print(g.results)
		return nil
	})
}

// explanation describes how a prompt is understood and searched.
type explanation struct {
	Prompt string `json:"prompt"`
	// Readings are the prompt as each reader marks it; one of them was chosen.
	Readings []markedReading `json:"readings"`
	// Derivation is the reading of the prompt.
	Derivation planner.Explanation `json:"derivation"`
	Plan       prompt.Plan         `json:"plan"`
	// Interpretation is the interpretation that a search returns, with the SQL of each step.
	Interpretation search.Interpretation `json:"interpretation"`
	GeneratedSQL   string                `json:"generated_sql"`
	Engine         string                `json:"engine"`
	// StepRequests and Requests are the requests to the engine for the steps and for one page of the search.
	StepRequests []string `json:"step_requests"`
	Requests     []string `json:"requests"`
	Found        int      `json:"found"`
	More         bool     `json:"more"`
}

// markedReading is a prompt with the marks of a reader.
type markedReading struct {
	Reader prompt.Reader `json:"reader"`
	Marked string        `json:"marked"`
	Chosen bool          `json:"chosen"`
}

// readings returns the prompt as the grammar, the tagger and, if there is one, the language model mark it.
func (c *explainCmd) readings(ctx context.Context, d *dataset, chosen prompt.Reader, grammar string) []markedReading {
	out := []markedReading{{prompt.ByGrammar, grammar, chosen == prompt.ByGrammar}}
	if f, ok := d.reader().Tagged(c.Prompt); ok {
		out = append(out, markedReading{prompt.ByTagger, f.String(), chosen == prompt.ByTagger})
	}
	if d.model == nil {
		return out
	}
	if f, ok := d.model.Planner(d.reader()).Frame(ctx, kith.Operator(), c.Prompt); ok {
		out = append(out, markedReading{prompt.ByModel, f.String(), chosen == prompt.ByModel})
	}
	return out
}

func (c *explainCmd) request() search.Request {
	return search.Request{Prompt: c.Prompt, Mode: search.Mode(c.Mode), Limit: c.Limit, Closest: new(bool)}
}

func (c *explainCmd) explain(ctx context.Context, d *dataset) (explanation, error) {
	searcher, err := d.search(0)
	if err != nil {
		return explanation{}, err
	}
	// The first search is not traced, because it includes requests that an engine makes only once.
	if _, err := c.run(ctx, searcher, nil); err != nil {
		return explanation{}, err
	}
	derivation, err := d.reader().Explain(ctx, kith.Operator(), c.Prompt)
	if err != nil {
		return explanation{}, err
	}
	ctx, small := pgindex.Trace(ctx)
	ctx, large := elasticindex.Trace(ctx)
	e, err := c.run(ctx, searcher, func() []string { return append(small(), large()...) })
	if err != nil {
		return e, err
	}
	e.Derivation = derivation
	e.Readings = c.readings(ctx, d, e.Plan.Reader, derivation.Marked)
	return e, nil
}

// run searches once; sent returns the requests sent so far, and is nil without tracing.
func (c *explainCmd) run(ctx context.Context, searcher *search.Service, sent func() []string) (explanation, error) {
	results, err := searcher.Search(ctx, kith.Operator(), c.request())
	if err != nil {
		return explanation{}, err
	}
	m := results.Metadata()
	e := explanation{
		Prompt: c.Prompt, Plan: results.Plan(), Interpretation: m.Interpretation, GeneratedSQL: m.GeneratedSQL,
		Engine:       m.SearchEngine,
		StepRequests: []string{}, Requests: []string{},
	}
	if sent != nil {
		e.StepRequests = append(e.StepRequests, sent()...)
	}
	page, err := search.Collect(ctx, results)
	if err != nil {
		return e, err
	}
	if sent != nil {
		e.Requests = append(e.Requests, sent()[len(e.StepRequests):]...)
	}
	e.Found, e.More = page.Pagination.Count, page.Pagination.HasNextPage
	return e, nil
}

func (e explanation) print(out io.Writer) {
	fmt.Fprintln(out, "MARKED")
	for _, r := range e.Readings {
		chosen := ""
		if r.Chosen {
			chosen = ", chosen"
		}
		fmt.Fprintf(out, "  %s%s: %s\n", r.Reader, chosen, printable(r.Marked))
	}
	fmt.Fprintf(out, "\nREADING\n%s\n", indented(e.Derivation.String()))
	fmt.Fprintf(out, "PLAN\n%s\n", indented(e.Plan.String()))
	about := e.Interpretation
	for i, s := range about.Steps {
		fmt.Fprintf(out, "STEP %d: %s: %d found%s\n%s\n", i+1, s.Says, s.Found, names(s.People), indented(s.SQL))
	}
	if len(e.StepRequests) > 0 {
		fmt.Fprintf(out, "SENT TO %s FOR THE STEPS\n%s\n", e.Engine, requests(e.StepRequests))
	}
	fmt.Fprintf(out, "SEARCH: %s\n%s\n", e.count(), indented(e.GeneratedSQL))
	fmt.Fprintf(out, "SENT TO %s\n%s", e.Engine, requests(e.Requests))
	for _, n := range about.Notes {
		if !slices.Contains(e.Plan.Notes, n) {
			fmt.Fprintf(out, "\nnote: %s", n)
		}
	}
	fmt.Fprintln(out)
}

func (e explanation) count() string {
	people := kith.Counted(int64(e.Found), "person", "people")
	if e.More {
		return people + ", and there are more"
	}
	return people
}

func names(people []search.FoundPerson) string {
	if len(people) == 0 {
		return ""
	}
	texts := make([]string, len(people))
	for i, p := range people {
		texts[i] = fmt.Sprintf("%s (%d)", printable(p.FullName), p.ID)
	}
	return ": " + strings.Join(texts, ", ")
}

func requests(sent []string) string {
	if len(sent) == 0 {
		return "  nothing\n"
	}
	texts := make([]string, len(sent))
	for i, s := range sent {
		texts[i] = indented(readable(s))
	}
	return strings.Join(texts, "\n")
}

// readable formats the JSON body of a request, if it has one.
func readable(request string) string {
	head, body, _ := strings.Cut(request, "\n")
	var b bytes.Buffer
	if json.Indent(&b, []byte(body), "", "  ") != nil {
		return request
	}
	return head + "\n" + b.String()
}

func indented(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}
