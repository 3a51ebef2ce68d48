// Package evalset makes prompts with exact answers over the demo dataset, and scores a search's
// answers.
//
// Answers come from the records alone: each prompt has a predicate in plain Go with tables of
// its own, so that an error of package analysis or of the planner cannot cancel itself out. The
// readings are those of docs/planner.md. Where people would disagree about somebody, the
// predicate says so, and that person counts neither way.
//
// A set is a function of the dataset and a seed, and is never stored. A part of it, chosen by a
// hash of the prompt, stays unseen while the planner is tuned; scores of both parts are
// reported separately.
package evalset
