// Package llm lets a language model propose how a prompt is to be understood,
// where the rules did not understand all of it. It is optional, and it is never
// trusted.
//
// The model is asked through any endpoint that speaks the chat completions of
// OpenAI. It gets the prompt, as data, and a fixed description of the filters:
// nothing of the directory and nothing of the caller. What it answers is
// checked against the same tables as everything else: filters compile, every
// part quotes the prompt, whatever the rules understood is accounted for, and
// some filter or relation narrows the search. Formulas, limits and modes are
// not the model's to choose. So the worst that a hostile prompt or a hostile
// model can bring about is another valid search.
//
// Whatever goes wrong, the plan of the rules is the plan, with a note that says
// so.
package llm
