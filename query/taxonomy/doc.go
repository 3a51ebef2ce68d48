// Package taxonomy reads job titles and degrees: it brings them to a normal form ([Title], [Degree]), and finds their
// functions ([FunctionsOf]) and levels ([Levels]). Documents and filters both use it, so that equal normal forms mean
// the same position. Package lexicon reads degrees and functions in prompts from the same tables ([PromptDegrees],
// [PromptFunctions]). The tables are in its folder data; docs/planner.md says where they come from.
package taxonomy
