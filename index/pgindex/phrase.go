package pgindex

import (
	"fmt"
	"slices"
	"strings"

	"kith/query"
)

func (w *writer) phrase(q query.Phrase, s source) string {
	if len(q.Words) == 1 {
		return w.row(query.Term{Field: q.Field, Value: q.Words[0]}, s)
	}
	if len(q.Words) == 0 || slices.ContainsFunc(q.Words, func(word string) bool { return !query.Storable(word) }) {
		return "FALSE"
	}
	parts := [][]string{q.Words}
	if q.AnyOrder {
		parts = slices.Collect(slices.Chunk(q.Words, 1))
	}
	before, there := "", w.beginPhraseTest(q.Field, s)
	for _, part := range parts {
		words := w.text(spaced(part))
		there += " AND strpos(f, " + words + ") > 0"
		if s.c == "" {
			// Sub-documents have their phrases in the row: a look at all at once rejects most.
			before += "strpos(" + s.alias + ".phrases, " + words + ") > 0 AND "
		}
	}
	return w.signedTest(func() string { return w.columnCheck(q, s) }, before+there+")")
}

// rowOr tests all phrases of one field at once: reading the phrases of a row costs more than comparing them with many.
func (w *writer) rowOr(parts []query.Query, s source) string {
	byField := map[query.Field][]query.Phrase{}
	var fields []query.Field
	var rest []query.Query
	for _, part := range parts {
		p, ok := part.(query.Phrase)
		if !ok || p.AnyOrder || len(p.Words) < 2 ||
			!slices.ContainsFunc(parts, func(o query.Query) bool { return isOtherPhrase(o, p) }) {
			rest = append(rest, part)
			continue
		}
		if byField[p.Field] == nil {
			fields = append(fields, p.Field)
		}
		byField[p.Field] = append(byField[p.Field], p)
	}
	texts := w.rows(rest, s)
	for _, f := range fields {
		texts = append(texts, w.anyPhrase(f, byField[f], s))
	}
	if len(texts) == 0 {
		return "FALSE"
	}
	return "(" + strings.Join(texts, " OR ") + ")"
}

// oneExclusion combines several excluded phrases into one condition, so that a row's phrases are read once.
func oneExclusion(parts []query.Query) []query.Query {
	var rest, phrases []query.Query
	for _, p := range parts {
		not, _ := p.(query.Not)
		if _, ok := not.Part.(query.Phrase); ok {
			phrases = append(phrases, not.Part)
		} else {
			rest = append(rest, p)
		}
	}
	if len(phrases) < 2 {
		return parts
	}
	return append(rest, query.Not{Part: query.Or{Parts: phrases}})
}

// isOtherPhrase reports whether q is another phrase of the field of p.
func isOtherPhrase(q query.Query, p query.Phrase) bool {
	o, ok := q.(query.Phrase)
	return ok && !o.AnyOrder && o.Field == p.Field && len(o.Words) > 1 && !slices.Equal(o.Words, p.Words)
}

// anyPhrase requires any of several phrases of one field.
func (w *writer) anyPhrase(f query.Field, phrases []query.Phrase, s source) string {
	var patterns []string
	may := make([]query.Query, len(phrases))
	for i, p := range phrases {
		may[i] = p
		if !slices.ContainsFunc(p.Words, func(word string) bool { return !query.Storable(word) }) {
			patterns = append(patterns, "%"+literal(spaced(p.Words))+"%")
		}
	}
	there := w.beginPhraseTest(f, s) + " AND f LIKE ANY (" + w.texts(patterns) + "))"
	return w.signedTest(func() string { return w.columnCheck(query.Or{Parts: may}, s) }, there)
}

// beginPhraseTest begins a test for a phrase f of a field in a row; further conditions on f and a parenthesis must
// follow.
func (w *writer) beginPhraseTest(field query.Field, s source) string {
	start, ok := w.layout.phrasePrefix(field)
	if !ok {
		start = phraseEnd // no phrase begins so
	}
	return fmt.Sprintf("EXISTS (SELECT FROM unnest(string_to_array(%s.phrases, E'\\n')) f WHERE starts_with(f, %s)",
		s.alias, w.text(start+" "))
}

// literal escapes a text for LIKE.
func literal(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "%", `\%`), "_", `\_`)
}
