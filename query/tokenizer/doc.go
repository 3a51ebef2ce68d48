// Package tokenizer cuts text into words ([Tokens]) and brings letters to their comparison form ([Fold]). Documents,
// filters and prompts all use it, so that equal tokens match on every engine.
package tokenizer
