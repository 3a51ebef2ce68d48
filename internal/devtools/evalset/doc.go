// Package evalset generates prompts with exact answers for the demo dataset, and scores a search's answers.
//
// Answers come from the records alone. Each prompt has a predicate in plain Go with its own tables, so that an error in
// package analysis or in the planner cannot cancel itself out. The readings are those of docs/planner.md. If readers
// would disagree about a person, the predicate says so, and that person does not count.
//
// A set is a function of the dataset and a seed, and is never stored. A part of it, chosen by a hash of the prompt,
// stays unseen while the planner is tuned. Scores of both parts are reported separately.
package evalset
