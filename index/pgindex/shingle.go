package pgindex

import (
	"strings"

	"kith/query"
)

// maxShingle is up to how many tokens a shingle has: nearly all titles that are
// asked for have as many at most.
const maxShingle = 4

// isShingled reports whether the shingles of a field are terms: every two to
// [maxShingle] tokens that stand side by side, with a space between them. The index
// then answers a phrase alone. Without, each document that has the words is read, and
// its phrases are compared with the one that is asked for; of titles, that are
// hundreds, since what is called an engineer has so many names.
func isShingled(f query.Field) bool {
	name := f[strings.IndexByte(string(f), '.')+1:]
	return name == query.Title || name == query.FromTitle
}

// shingles lists the shingles of a sequence of tokens.
func shingles(tokens []string) []string {
	var out []string
	for from := range tokens {
		for to := from + 2; to <= min(from+maxShingle, len(tokens)); to++ {
			out = append(out, shingle(tokens[from:to]))
		}
	}
	return out
}

// titleWords are the words of a shingle, or of a whole title; ok is false for other terms.
func titleWords(f query.Field, value string) (q query.AllWords, ok bool) {
	words := strings.Fields(value)
	title, whole := strings.CutSuffix(string(f), string(query.TitleExact))
	if whole {
		f = query.Field(title) + query.Title
	}
	return query.AllWords{Field: f, Words: words}, whole || len(words) > 1 && isShingled(f)
}

func shingle(tokens []string) string { return strings.Join(tokens, " ") }

// byShingles asks for shingles in place of the phrases that they are, where the
// documents have them.
func (s statistics) byShingles(q query.Query) query.Query {
	if !s.shingled {
		return q
	}
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
		return query.Simplify(out) // many of one field are one set
	}
	return q
}
