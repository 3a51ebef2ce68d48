// Command plan-prompts plans prompts without a server or a search. It writes the plans in the form of a server's
// answer: one JSON object per line, with the prompt and its metadata. Scorers of saved answers can read it.
//
//	go run ./scripts/plan-prompts --in prompts.jsonl --out answers.jsonl
//
// A line with a member marked has a marked prompt, whose marks are resolved instead of read; not with --choices.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"kith"
	"kith/internal/demo"
	"kith/query/analysis"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/reader"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "plan-prompts:", err)
		os.Exit(1)
	}
}

func run() error {
	in := flag.String("in", "", "file of prompts, one JSON object per line, with a member prompt")
	out := flag.String("out", "", "file of answers")
	people := flag.Int("people", demo.Default().People, "size of the demo dataset that supplies the vocabulary")
	cache := flag.String("words", "", "cache file of the vocabulary")
	n := flag.Int("n", 0, "write this many readings of each prompt, with their features")
	readers := flag.Bool("readers", false, "write the plan of each reader, too")
	choices := flag.Bool("choices", false, "write the features of the readings of grammar and tagger")
	pairs := flag.String("pairs", "", "compare the plans of the pairs of prompts in this folder, and print how many "+
		"are the same")
	flag.Parse()
	vocabulary, err := words(*cache, *people)
	if err != nil {
		return err
	}
	all := reader.New(lexicon.New(), vocabulary)
	if *pairs != "" {
		both, err := readPairs(*pairs)
		return errors.Join(err, comparePairs(all, both, os.Stdout))
	}
	from, err := os.Open(*in)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(*out)
	if err != nil {
		return err
	}
	if *choices {
		return errors.Join(writeChoices(all, from, to), to.Close())
	}
	return errors.Join(answer(all, from, to, *n, *readers), to.Close())
}

// question is a line of a file of prompts: a prompt, or a marked one.
type question struct {
	Prompt string `json:"prompt"`
	Marked string `json:"marked"`
}

// answerAll writes an answer to each line of a file of prompts.
func answerAll(from io.Reader, to io.Writer, answer func(question) (map[string]any, error)) error {
	lines, enc := bufio.NewScanner(from), json.NewEncoder(to)
	lines.Buffer(nil, 1<<20)
	for line := 1; lines.Scan(); line++ {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		a, err := answer(asked)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if err := enc.Encode(a); err != nil {
			return err
		}
	}
	return lines.Err()
}

// answer plans every prompt, or writes its n best readings.
func answer(p *reader.Planner, from io.Reader, to io.Writer, n int, readers bool) error {
	return answerAll(from, to, func(asked question) (map[string]any, error) {
		if asked.Marked != "" {
			return resolved(p, asked.Marked)
		}
		return answerOf(p, asked.Prompt, n, readers)
	})
}

func answerOf(p *reader.Planner, text string, n int, readers bool) (map[string]any, error) {
	if readers {
		c, err := p.Choose(context.Background(), kith.Operator(), text, prompt.Auto)
		tagged, failed := p.Resolve(context.Background(), kith.Operator(), c.Marked, prompt.Auto)
		return map[string]any{
			"prompt": text, "status": 200, "metadata": metadata(c.Plan()), "grammar": metadata(c.Grammar),
			"tagger": metadata(tagged), "tagger_marks": c.Marked.String(),
			"features": c.Features, "evidence": c.Evidence,
		}, errors.Join(err, failed)
	}
	if n == 0 {
		plan, err := p.Plan(context.Background(), kith.Operator(), text, prompt.Auto)
		return map[string]any{"prompt": text, "status": 200, "metadata": metadata(plan)}, err
	}
	readings, err := p.Readings(context.Background(), kith.Operator(), text, n)
	all := []any{}
	for _, r := range readings {
		all = append(all, map[string]any{
			"metadata": metadata(r.Plan), "score": r.Score, "features": r.Features, "plan": r.Plan.String(),
		})
	}
	return map[string]any{"prompt": text, "readings": all}, err
}

// resolved returns the answer to a marked prompt.
func resolved(p *reader.Planner, marked string) (map[string]any, error) {
	f, err := frame.Parse(marked)
	if err != nil {
		return nil, err
	}
	plan, err := p.Resolve(context.Background(), kith.Operator(), f, prompt.Auto)
	return map[string]any{"prompt": f.Prompt, "status": 200, "metadata": metadata(plan)}, err
}

func metadata(plan prompt.Plan) map[string]any {
	return map[string]any{"mode": plan.Mode, "interpretation": understood(plan)}
}

// understood returns a plan in the form of metadata.interpretation.
func understood(plan prompt.Plan) map[string]any {
	conditions, steps := []any{}, []any{}
	for _, c := range plan.Conditions {
		conditions = append(conditions, map[string]any{"says": c.Says, "text": c.Text, "span": c.Span})
	}
	conditions = append(conditions, relations(plan.Relations)...)
	for _, s := range plan.Steps {
		steps = append(steps, map[string]any{
			"says": s.Says, "text": s.Text, "span": s.Span, "filters": s.Filters, "relations": relations(s.Relations),
		})
	}
	about := map[string]any{
		"filters": filters(plan.Filters), "preferences": filters(plan.Preferred), "conditions": conditions,
		"steps": steps, "criteria": plan.Criteria, "corrections": plan.Corrections,
		"alternatives": plan.Alternatives, "ignored": plan.Ignored, "notes": plan.Notes, "reader": plan.Reader,
	}
	if n := plan.Network; n != nil {
		about["network"] = n
	}
	return about
}

func filters(all []prompt.Filter) []any {
	out := []any{}
	for _, f := range all {
		out = append(out, map[string]any{
			"field": f.Name, "value": f.Value, "text": f.Text, "span": f.Span, "excluded": f.Excluded,
		})
	}
	return out
}

func relations(all []prompt.Relation) (out []any) {
	for _, r := range all {
		out = append(out, map[string]any{
			"says": r.String(), "text": r.Text, "span": r.Span, "relation": r.Kind, "step": r.Step,
			"excluded": r.Excluded,
		})
	}
	return out
}

// words returns the vocabulary of the demo dataset, from the cache if there is one.
func words(cache string, people int) (*prompttest.Vocabulary, error) {
	counts := map[string]int{}
	if text, err := os.ReadFile(cache); err == nil && cache != "" {
		if err := json.Unmarshal(text, &counts); err != nil {
			return nil, err
		}
		return vocabulary(counts), nil
	}
	cfg := demo.Default()
	cfg.People, cfg.Now = people, time.Now()
	d, err := demo.New(cfg)
	if err != nil {
		return nil, err
	}
	if err := count(d, counts); err != nil {
		return nil, err
	}
	if cache != "" {
		text, err := json.Marshal(counts)
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(cache, text, 0o600); err != nil {
			return nil, err
		}
	}
	return vocabulary(counts), nil
}

// count counts the people with each term, and adds the terms of companies.
func count(d *demo.Dataset, counts map[string]int) error {
	note := func(n int, terms []analysis.Term) {
		for _, t := range terms {
			counts[string(t.Kind)+"\t"+t.Text] += n
		}
	}
	var companies []kith.Company
	for c := range d.Companies() {
		companies = append(companies, c)
		doc, err := analysis.Company(c, 0, 0)
		if err != nil {
			return err
		}
		note(0, analysis.CompanyTerms(doc))
	}
	for p := range d.People() {
		for _, job := range p.Jobs() {
			job.Company = companies[job.Company.ID-1]
		}
		doc, err := analysis.Person(p, 0, 0)
		if err != nil {
			return err
		}
		note(1, analysis.PersonTerms(p, doc))
	}
	return nil
}

func vocabulary(counts map[string]int) *prompttest.Vocabulary {
	terms := map[analysis.Term]int{}
	for key, n := range counts {
		kind, text, _ := strings.Cut(key, "\t")
		terms[analysis.Term{Kind: analysis.TermKind(kind), Text: text}] = n
	}
	return prompttest.Of(terms)
}
