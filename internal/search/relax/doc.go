// Package relax widens searches with too few matches: [Variants] turns filters into an ordered list of wider searches,
// each with its changes. It tells the people a search is for (the subject) from their skills and employers
// (specialties) and from places, sizes and years (circumstances). A subject may have near terms, and two changes
// never both touch subject or specialties. Last come variants for searches to which nobody comes close: without a named
// company, school or person, or with what people do alone. Exclusions never change. It asks no engine, and the same
// filters give the same list.
package relax
