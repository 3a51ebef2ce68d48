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
	"kith/query/prompt/frame"
	"kith/query/prompt/planner"
)

type explainCmd struct {
	Prompt string `arg:""`
	Mode   string `enum:"auto,lookup,simple,complex" default:"auto" env:"KITH_MODE"`

	Reading int
	Limit   int  `short:"n" default:"25"`
	JSON    bool `name:"json" env:"KITH_JSON"`
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
	// Reasons are what the confidence comes from.
	Reasons []string `json:"reasons"`
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
	// Probability is what the tagger thinks of all marks together, and Marks of each.
	Probability float64  `json:"probability"`
	Marks       []string `json:"marks"`
	// Plan is what the resolver makes of the marks. The grammar's own plan can say more than its marks.
	Plan prompt.Plan `json:"plan"`
}

// readings returns the prompt as the grammar, the tagger and, if there is one, the language model mark it.
func (c *explainCmd) readings(
	ctx context.Context, d *dataset, chosen prompt.Reader, grammar string, tagged frame.Frame,
) (out []markedReading, err error) {
	add := func(by prompt.Reader, f frame.Frame) {
		r := markedReading{Reader: by, Marked: f.String(), Chosen: by == chosen}
		all, each := d.reader().Probabilities(f)
		r.Probability = all
		for i, p := range each {
			r.Marks = append(r.Marks, fmt.Sprintf("%s %s %.2f", f.Marks[i].Tag(), f.Words(f.Marks[i]), p))
		}
		var failed error
		r.Plan, failed = d.reader().Resolve(ctx, kith.Operator(), f, prompt.Mode(c.Mode))
		out, err = append(out, r), cmp.Or(err, failed)
	}
	if f, failed := frame.Parse(grammar); failed == nil {
		add(prompt.ByGrammar, f)
	}
	if len(tagged.Marks) > 0 {
		add(prompt.ByTagger, tagged)
	}
	if d.model == nil {
		return out, err
	}
	if f, ok := d.model.Planner(d.reader()).Frame(ctx, kith.Operator(), c.Prompt); ok {
		add(prompt.ByModel, f)
	}
	return out, err
}

func (c *explainCmd) request() search.Request {
	return search.Request{
		Prompt: c.Prompt, Reading: c.Reading, Mode: search.Mode(c.Mode), Limit: c.Limit, Closest: new(bool),
	}
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
	choice, err := d.reader().Choose(ctx, kith.Operator(), c.Prompt, prompt.Mode(c.Mode))
	if err != nil {
		return e, err
	}
	e.Reasons = d.reader().Reasons(choice)
	e.Readings, err = c.readings(ctx, d, e.Plan.Reader, derivation.Marked, choice.Marked)
	return e, err
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
	e.printReadings(out)
	fmt.Fprintf(out, "DERIVATION OF THE GRAMMAR\n%s\n", indented(e.Derivation.String()))
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

// printReadings prints the reading of each reader, and the confidence in the chosen one.
func (e explanation) printReadings(out io.Writer) {
	fmt.Fprintln(out, "MARKED")
	for _, r := range e.Readings {
		chosen := ""
		if r.Chosen {
			chosen = ", chosen"
		}
		fmt.Fprintf(out, "  %s%s: %s\n", r.Reader, chosen, printable(r.Marked))
		fmt.Fprintf(out, "    to the tagger %.2f probable: %s\n", r.Probability,
			printable(strings.Join(r.Marks, "; ")))
		fmt.Fprint(out, indented(indented("resolved: "+r.Plan.String())))
	}
	if e.Plan.Confidence != "" {
		fmt.Fprintf(out, "\nCONFIDENCE: %s (%.2f)\n  %s\n", e.Plan.Confidence, e.Plan.Probability,
			strings.Join(e.Reasons, "; "))
	}
	for _, a := range e.Plan.Alternatives {
		fmt.Fprintf(out, "  or: %s\n", otherReading(a.Reading, a.Says))
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
