// Package semantic measures how similar phrases are in meaning: [Terms] finds the terms of a vocabulary closest to a
// phrase. A [Table] has a vector for each word piece of an English sentence model; a phrase is the mean of its pieces,
// and similarity is the cosine. It needs no network and no model at run time, and is deterministic on every machine. It
// only widens searches with too few results: it errs too often to decide who matches, see docs/semantic.md.
package semantic
