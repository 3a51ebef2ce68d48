package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/reader"
)

// writeChoices writes the features of the two readings of each prompt, and which of them ask for what the marks of the
// line ask for; without marks, for what the grammar reads. scripts/reader/choose.py fits weights to them.
func writeChoices(p *reader.Planner, from io.Reader, to io.Writer) error {
	lines, enc, ctx := bufio.NewScanner(from), json.NewEncoder(to), context.Background()
	lines.Buffer(nil, 1<<20)
	for line := 1; lines.Scan(); line++ {
		var asked struct{ Prompt, Marked string }
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		f, err := frame.Parse(asked.Marked)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if asked.Marked != "" {
			asked.Prompt = f.Prompt
		}
		c, err := p.Choose(ctx, kith.Operator(), asked.Prompt, prompt.Auto)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		want := wanted(c.Grammar)
		if asked.Marked != "" {
			plan, err := p.Resolve(ctx, kith.Operator(), f, prompt.Auto)
			if err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
			want = wanted(plan)
		}
		if err := enc.Encode(map[string]any{
			"prompt": asked.Prompt, "marked": asked.Marked != "", "features": c.Features, "tagger": c.Tagger,
			"grammar_right": wanted(c.Grammar) == want, "tagger_right": wanted(c.Tagged) == want,
		}); err != nil {
			return err
		}
	}
	return lines.Err()
}

// wanted returns what a plan asks for, without what it only reports or prefers.
func wanted(plan prompt.Plan) string {
	return prompt.Plan{
		Filters: plan.Filters, Conditions: plan.Conditions, Steps: plan.Steps, Relations: plan.Relations,
		Network: plan.Network, Criteria: plan.Criteria,
	}.String()
}
