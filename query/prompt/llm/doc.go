// Package llm lets an optional, untrusted language model read prompts: it marks what they ask for, and the resolver of
// the planner gives the marks their meaning.
//
// The model is any endpoint with OpenAI's chat completions or Anthropic's messages. It receives the prompt and fixed
// instructions, nothing about records or the caller. Its answer must be the prompt with nothing but marks added, so it
// can invent, lose and reorder nothing; an answer that is not is sent back once. A hostile prompt or model can at most
// cause another valid search.
//
// On any failure the embedded reading is used, with a note.
package llm
