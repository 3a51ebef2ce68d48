// Package llm lets an optional, untrusted language model propose a reading of prompts that the
// planner did not understand completely.
//
// The model is any endpoint with OpenAI's chat completions. It receives the prompt as data and a fixed
// description of the filters, nothing about records or the caller. Its answer must compile, quote the
// prompt for every part, account for everything that the planner understood, and narrow the search. It
// cannot set formulas, limits or modes. A hostile prompt or model can at most cause another valid search.
//
// On any failure the planner's plan is used, with a note.
package llm
