package main

import (
	"context"
	"fmt"
	"os"
	"sync"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/llm"
)

// keyOfModel is the environment variable with the language model's key. It has no flag, so
// that the key does not appear in process lists.
const keyOfModel = "KITH_LLM_KEY"

// askModel configures the language model that the flags name, if any.
func (s *system) askModel() (err error) {
	var b flagBounds
	positive(&b, "--llm-timeout", s.flags.LLMTimeout)
	if err := b.err(); err != nil || s.flags.LLMURL == "" {
		return err
	}
	s.model, err = llm.New(llm.Config{
		URL: s.flags.LLMURL, Model: s.flags.LLMModel, Key: os.Getenv(keyOfModel), Timeout: s.flags.LLMTimeout,
		Log: s.log.With().Str("model", s.flags.LLMModel).Logger(),
	})
	if err != nil {
		return fmt.Errorf("--llm-url and --llm-model: %w", err)
	}
	return nil
}

// latePlanner makes its planner for the first prompt: most commands plan none, and making one takes long.
type latePlanner func() prompt.Planner

// Plan implements [prompt.Planner].
func (p latePlanner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	return p().Plan(ctx, v, text, mode)
}

// planner returns the planner for prompts, with the vocabulary of the dataset and, if configured, the language model.
func (d *dataset) planner() prompt.Planner {
	return latePlanner(sync.OnceValue(func() prompt.Planner {
		if d.model == nil {
			return d.reader()
		}
		return d.model.Planner(d.reader())
	}))
}
