package main

import (
	"fmt"
	"os"

	"kith/query/prompt"
	"kith/query/prompt/llm"
	"kith/query/prompt/rules"
)

// keyOfModel is the environment variable of the language model's key. It has no
// flag, so that it does not stand in lists of processes.
const keyOfModel = "KITH_LLM_KEY"

// askModel makes the language model that the flags name, if they name one.
func (s *system) askModel() (err error) {
	if s.flags.LLMURL == "" {
		return nil
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

// planner understands prompts with the words of a directory, and with the
// language model where there is one.
func (s *system) planner(vocabulary prompt.Vocabulary) prompt.Planner {
	ruled := rules.New(s.words(), vocabulary)
	if s.model == nil {
		return ruled
	}
	return s.model.Planner(ruled, s.words())
}
