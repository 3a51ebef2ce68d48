// Package suggest completes input: a company, place, title, skill or person, or the last words
// of a prompt. [Service] takes words from the vocabulary, so answers do not depend on the
// engine; people come from a search, so only visible ones appear. It plans no prompts.
package suggest
