// Package semantic says how near phrases are in meaning: [Similarity] of two, and the terms of a vocabulary that are
// nearest to a phrase. A [Table] holds a vector for each word piece of an English sentence model; a phrase is the mean
// of its pieces, and nearness is the cosine. It needs no network and no model at run time, and gives the same answer on
// every machine. It only widens a search that found too few: it errs too often to decide who matches, see
// docs/semantic.md.
package semantic
