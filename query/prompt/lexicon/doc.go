// Package lexicon knows what words can mean to the planner, apart from the
// directory's own vocabulary: places, roles, levels and functions, industries
// and kinds of company, degrees, skills, short names of schools and companies,
// judgements, and words that say nothing. The words that say how others belong
// together (at, former, not) are the planner's own.
//
// It looks up, and does not decide: a span may have several senses, and the
// planner chooses. Nearly all of it is tables in data/, where each says how it
// is read; places come from package analysis.
package lexicon
