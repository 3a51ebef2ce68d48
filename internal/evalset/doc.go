// Package evalset makes prompts with exact answers over the demo directory, and
// scores what a search answers to them.
//
// The answers come from the records alone: every prompt is written together
// with a predicate in plain Go over people and companies, by tables of this
// package, so that a fault of package analysis or of the planner shows up as a
// wrong answer rather than as an agreement of two copies. The readings are
// those of docs/planner.md. Where people would differ on whether somebody is
// meant, the predicate says so, and finding or missing that person counts
// neither for nor against the answer.
//
// A set is a function of the directory and a seed, and is never stored. A part
// of it, chosen by a hash of the prompt, is kept unseen while the planner is
// tuned; scores of the two parts are told apart.
package evalset
