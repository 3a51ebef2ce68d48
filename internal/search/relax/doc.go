// Package relax says how a search can be widened when too few people match: [Variants] makes of its filters an ordered
// list of wider searches, each with what was changed. It widens places, ranges, levels, titles, skills and industries,
// and gives up what cannot be widened. It never changes a named company, school or person, nor anything that must not
// be. It asks no engine, and the same filters give the same list.
package relax
