package main

import (
	"context"
	"io"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/reader"
)

// writeChoices writes the two readings of each prompt with their features, and whether they ask for the same.
// scripts/reader/choose.py fits weights to them.
func writeChoices(p *reader.Planner, from io.Reader, to io.Writer) error {
	return answerAll(from, to, func(asked question) (map[string]any, error) { return choiceOf(p, asked) })
}

func choiceOf(p *reader.Planner, asked question) (map[string]any, error) {
	c, err := p.Choose(context.Background(), kith.Operator(), asked.Prompt, prompt.Auto)
	if err != nil {
		return nil, err
	}
	if c.Features == nil { // the readers mark the same
		c.Tagged = c.Grammar
	}
	return map[string]any{
		"prompt": asked.Prompt, "features": c.Features, "evidence": c.Evidence, "tagger": c.Tagger,
		"grammar": metadata(c.Grammar), "tagged": metadata(c.Tagged), "same": c.Grammar.Asks() == c.Tagged.Asks(),
	}, nil
}
