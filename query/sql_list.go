package query

import (
	"strconv"
	"strings"
)

// Scored is an entry of a list with its score. It names the people who have the value in the field;
// without a field the value is a person's id.
type Scored struct {
	Field Field
	Value string
	Score float64
}

// byScore orders people by the highest score of the entries that name them; people without an entry come last.
// Names of ids share the array with terms, because no term begins like them.
func (w *sqlWriter) byScore(entries []Scored) {
	if len(entries) == 0 {
		return
	}
	names, scores := w.entries(entries)
	w.write("(SELECT max(l.score) FROM unnest(" + names + ", " + scores + ") AS l(name, score)" +
		" WHERE hashtextextended(l.name, 0) = ANY(p.terms) OR l.name = 'id:' || p.id) DESC NULLS LAST, ")
}

// entries returns expressions for the names and scores of entries.
func (w *sqlWriter) entries(entries []Scored) (names, scores string) {
	if n := len(entries); n > MaxLiterals {
		return w.setting(n, "text"), w.setting(n, "float8")
	}
	texts, numbers := make([]string, len(entries)), make([]string, len(entries))
	for i, e := range entries {
		name := "id:" + e.Value
		if e.Field != "" {
			name = SQLTerm(e.Field, e.Value)
		}
		texts[i], numbers[i] = name, strconv.FormatFloat(e.Score, 'g', -1, 64)
	}
	return w.textArray(texts), w.array("'{" + strings.Join(numbers, ",") + "}'::float8[]")
}
