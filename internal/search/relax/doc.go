// Package relax widens searches with too few matches: [Variants] turns filters into an ordered list of wider searches,
// each with its changes. It tells the people a search is for (the subject) from their skills and employers
// (specialties) and from places, sizes and years (circumstances). A subject may have near terms but is never dropped,
// and two changes never both touch subject or specialties. Named companies, schools and people and exclusions never
// change. It asks no engine, and the same filters give the same list.
package relax
