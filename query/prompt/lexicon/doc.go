// Package lexicon knows the possible meanings of words, apart from the vocabulary of the dataset: places, roles,
// levels, functions, industries, kinds of company, degrees, skills, short names, judgements and fillers. Words of
// grammar (at, former, not) belong to package grammar.
//
// It only looks words up: a span may have several senses, and the planner chooses. The tables in data/ explain their
// format. They list what people write in prompts. Degrees and functions are in tables of package taxonomy, which reads
// them in records too; places belong to package gazetteer.
package lexicon
