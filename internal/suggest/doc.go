// Package suggest completes what a user is typing: a company, place, title, skill or person of the dataset, or the last
// words of a prompt. [Service] takes the words from the vocabulary that the records made, so the answer is the same
// whichever engine searches; people come from a search, so only those whom the caller may see. It plans no prompts.
package suggest
