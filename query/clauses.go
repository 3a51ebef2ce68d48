package query

// nestedTimes is how many times an engine may ask each condition on a sub-document: of the document's
// flattened fields (to discard most documents), of the fields of the only job, and of the sub-documents.
const nestedTimes = 3

// Clauses returns an upper bound on the number of single values and words that an engine looks up
// for a query. All values of a Terms node count once, and so does an ordered phrase.
func Clauses(q Query) int {
	switch q := q.(type) {
	case And:
		return countClauses(q.Parts)
	case Or:
		return countClauses(q.Parts)
	case Not:
		return Clauses(q.Part)
	case Nested:
		return nestedTimes * Clauses(q.Part)
	case AllWords:
		return len(q.Words)
	case Phrase:
		if q.AnyOrder {
			return len(q.Words)
		}
	case Timeline:
		return Clauses(q.Prefilter())
	case All, None, Term, Terms, Range, Exists, IDs:
	}
	return 1
}

func countClauses(parts []Query) int {
	n := 0
	for _, p := range parts {
		n += Clauses(p)
	}
	return n
}
