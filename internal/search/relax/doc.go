// Package relax widens searches with too few matches: [Variants] turns filters into an ordered
// list of wider searches, each with its changes. It widens places, ranges, levels, titles,
// skills and industries, and drops other filters. It never changes a named company, school or
// person, nor an exclusion. It asks no engine, and the same filters give the same list.
package relax
