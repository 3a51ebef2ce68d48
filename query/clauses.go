package query

// nestedTimes is how often at most an engine is asked for what is asked of a
// sub-document: of the fields of the document, to discard most, of the fields of
// the only job, and of the sub-documents.
const nestedTimes = 3

// Clauses returns how many single values and words at most an engine is asked
// for by a query. Many values of one field count once, as do words in a row.
func Clauses(q Query) int {
	switch q := q.(type) {
	case And:
		return clausesOf(q.Parts)
	case Or:
		return clausesOf(q.Parts)
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

func clausesOf(parts []Query) int {
	n := 0
	for _, p := range parts {
		n += Clauses(p)
	}
	return n
}
