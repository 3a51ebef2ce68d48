package pgindex

import (
	"slices"
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
	if shingled, changed := withShingles(q); changed {
		return query.Simplify(shingled) // many of one field are one set
	}
	return q
}

func withShingles(q query.Query) (out query.Query, changed bool) {
	switch q := q.(type) {
	case query.And:
		parts, changed := allWithShingles(q.Parts)
		return query.And{Parts: parts}, changed
	case query.Or:
		parts, changed := allWithShingles(q.Parts)
		return query.Or{Parts: parts}, changed
	case query.Not:
		part, changed := withShingles(q.Part)
		return query.Not{Part: part}, changed
	case query.Nested:
		part, changed := withShingles(q.Part)
		return query.Nested{Path: q.Path, Part: part}, changed
	case query.Phrase:
		if isShingled(q.Field) && !q.AnyOrder && len(q.Words) > 1 && len(q.Words) <= maxShingle {
			return query.Term{Field: q.Field, Value: shingle(q.Words)}, true
		}
	case query.All, query.None, query.Term, query.Terms, query.AllWords, query.Range, query.Exists, query.IDs:
	}
	return q, false
}

// allWithShingles returns the parts as they are where none changes.
func allWithShingles(parts []query.Query) (out []query.Query, changed bool) {
	out = parts
	for i, p := range parts {
		part, other := withShingles(p)
		if !other {
			continue
		}
		if !changed {
			out, changed = slices.Clone(parts), true
		}
		out[i] = part
	}
	return out, changed
}
