// Package indextest is the conformance suite of the portable index. Every engine runs the same cases, which are data
// under testdata with the answers given by hand, the same scenarios of writing and switching versions, and the same
// random plans, and must return the same people in the same order.
//
// A case is a plan and the people it finds. Queries are written as
//
//	(all) (none) (and Q…) (or Q…) (not Q)
//	(term FIELD VALUE) (terms FIELD VALUE…) (exists FIELD)
//	(words FIELD TOKEN…) (phrase FIELD TOKEN…) (together FIELD TOKEN…)
//	(range FIELD MIN MAX)   with _ for an open bound
//	(nested PATH Q) (ids N…)
//
// where a value stands bare or as a Go string literal. Cases of filters are apart:
// records of people, filters as a request has them, and the people they find.
package indextest
