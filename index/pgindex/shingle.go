package pgindex

import (
	"strings"

	"kith/query"
)

// maxShingle is the most tokens of a shingle. Nearly all titles in searches are no longer.
const maxShingle = 4

// isShingled reports whether the shingles of a field are terms: runs of two to [maxShingle] adjacent tokens, joined
// by spaces. The index then answers phrases alone. Otherwise the phrases of each document with these words are read
// and compared; for titles that is hundreds, because titles have so many variants.
func isShingled(f query.Field) bool {
	name := f[strings.IndexByte(string(f), '.')+1:]
	return name == query.Title || name == query.FromTitle
}

// shingles lists the shingles of a token sequence.
func shingles(tokens []string) []string {
	var out []string
	for from := range tokens {
		for to := from + 2; to <= min(from+maxShingle, len(tokens)); to++ {
			out = append(out, shingle(tokens[from:to]))
		}
	}
	return out
}

// titleWords returns the words of a shingle or a whole title; ok is false for other terms.
func titleWords(f query.Field, value string) (q query.AllWords, ok bool) {
	words := strings.Fields(value)
	title, whole := strings.CutSuffix(string(f), string(query.TitleExact))
	if whole {
		f = query.Field(title) + query.Title
	}
	return query.AllWords{Field: f, Words: words}, whole || len(words) > 1 && isShingled(f)
}

func shingle(tokens []string) string { return strings.Join(tokens, " ") }

// byShingles replaces phrases by shingles.
func byShingles(q query.Query) query.Query {
	found := false
	var asked func(query.Query) query.Query
	asked = func(q query.Query) query.Query {
		p, ok := q.(query.Phrase)
		if !ok || !isShingled(p.Field) || p.AnyOrder || len(p.Words) < 2 || len(p.Words) > maxShingle {
			return query.MapParts(q, asked)
		}
		found = true
		return query.Term{Field: p.Field, Value: shingle(p.Words)}
	}
	if out := asked(q); found {
		return query.Simplify(out) // several of one field become a set
	}
	return q
}
