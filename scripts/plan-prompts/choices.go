package main

import (
	"context"
	"io"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/reader"
)

// writeChoices writes the features of the two readings of each prompt, and which of them ask for what the marks of the
// line ask for; without marks, for what the grammar reads. scripts/reader/choose.py fits weights to them.
func writeChoices(p *reader.Planner, from io.Reader, to io.Writer) error {
	return answerAll(from, to, func(asked question) (map[string]any, error) { return choiceOf(p, asked) })
}

func choiceOf(p *reader.Planner, asked question) (map[string]any, error) {
	ctx := context.Background()
	f, err := frame.Parse(asked.Marked)
	if err != nil {
		return nil, err
	}
	if asked.Marked != "" {
		asked.Prompt = f.Prompt
	}
	c, err := p.Choose(ctx, kith.Operator(), asked.Prompt, prompt.Auto)
	if err != nil {
		return nil, err
	}
	want := c.Grammar
	if asked.Marked != "" {
		if want, err = p.Resolve(ctx, kith.Operator(), f, prompt.Auto); err != nil {
			return nil, err
		}
	}
	return map[string]any{
		"prompt": asked.Prompt, "marked": asked.Marked != "", "features": c.Features, "tagger": c.Tagger,
		"grammar_right": c.Grammar.Asks() == want.Asks(), "tagger_right": c.Tagged.Asks() == want.Asks(),
		"evidence": c.Evidence, "grammar": metadata(c.Grammar), "tagged": metadata(c.Tagged),
	}, nil
}
