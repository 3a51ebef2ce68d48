package query

import (
	"slices"
	"strconv"
	"strings"
)

// sqlWriter writes conditions on one row of a view.
type sqlWriter struct {
	b strings.Builder
	// row is the alias of the row to test: the person or a sub-document.
	row string
	// nested is true inside a sub-document.
	nested bool
	// arrays are the long arrays, in order.
	arrays []array
}

func (w *sqlWriter) write(s string) { w.b.WriteString(s) }

// condition writes q as an expression that needs no further parentheses.
func (w *sqlWriter) condition(q Query) {
	switch q := q.(type) {
	case All:
		w.write("TRUE")
	case None:
		w.write("FALSE")
	case And:
		w.and(q)
	case Or:
		w.or(q)
	case Not:
		// Columns may be null, and an unknown condition does not match.
		w.write("(")
		w.condition(q.Part)
		w.write(" IS NOT TRUE)")
	case Term:
		w.terms(q.Field, []string{q.Value}, "@>")
	case Terms:
		w.terms(q.Field, q.Values, "&&")
	case AllWords:
		w.terms(q.Field, q.Words, "@>")
	case Phrase:
		w.phrase(q)
	case Range:
		w.numbers(q)
	case Exists:
		w.exists(q.Field)
	case Nested:
		w.subDocument(q)
	case IDs:
		w.ids(q.Values)
	case Timeline:
		w.write("TRUE") // see [Statement.Checked]
	}
}

func (w *sqlWriter) and(q And) {
	if len(q.Parts) == 0 {
		w.write("TRUE")
		return
	}
	glue := "("
	for _, part := range q.Parts {
		w.write(glue)
		w.condition(part)
		glue = " AND "
	}
	w.write(")")
}

// or writes alternatives. It combines the phrases of one field: a title may have a hundred names,
// and each separate test would read the row's phrases again.
func (w *sqlWriter) or(q Or) {
	if len(q.Parts) == 0 {
		w.write("FALSE")
		return
	}
	phrases := map[Field][]Phrase{}
	for _, part := range q.Parts {
		if p, ok := part.(Phrase); ok && !p.AnyOrder {
			phrases[p.Field] = append(phrases[p.Field], p)
		}
	}
	glue := "("
	for _, part := range q.Parts {
		p, ok := part.(Phrase)
		switch {
		case !ok || p.AnyOrder:
			w.write(glue)
			w.condition(part)
		case phrases[p.Field] != nil:
			w.write(glue)
			w.phrases(phrases[p.Field])
			delete(phrases, p.Field)
		}
		glue = " OR "
	}
	w.write(")")
}

// terms compares the row's terms, hashes of "field:value", with those of the query. A value that
// PostgreSQL cannot hold matches nobody.
func (w *sqlWriter) terms(f Field, values []string, operator string) {
	storable := slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !Storable(v) })
	switch {
	case len(storable) == 0 && len(values) > 0, operator == "@>" && len(storable) < len(values):
		w.write("FALSE")
		return
	case len(storable) > fewTerms && !slices.ContainsFunc(storable, func(v string) bool { return isLong(f, v) }),
		len(storable) > MaxLiterals:
		w.write("(" + w.row + ".terms " + operator + " ARRAY(SELECT hashtextextended(" + literal(string(f)+":") +
			" || v, 0) FROM unnest(" + w.values(storable) + ") AS v))")
		return
	}
	w.write("(" + w.row + ".terms " + operator + " ARRAY[")
	for i, v := range storable {
		if i > 0 {
			w.write(", ")
		}
		w.write("hashtextextended(" + literal(SQLTerm(f, v)) + ", 0)")
	}
	w.write("]::bigint[])")
}

// fewTerms is the maximum number of terms of one field to write individually.
const fewTerms = 3

// values returns an expression for an array of values. Those of several words are apart, because conditions for phrases
// share them.
func (w *sqlWriter) values(of []string) string {
	if len(of) > MaxLiterals {
		return w.textArray(of)
	}
	phrases, words := []string{}, []string{}
	for _, v := range of {
		if strings.Contains(v, " ") {
			phrases = append(phrases, v)
		} else {
			words = append(words, v)
		}
	}
	switch {
	case len(phrases) == 0:
		return w.textArray(words)
	case len(words) == 0:
		return w.textArray(phrases)
	}
	return w.textArray(phrases) + " || " + w.textArray(words)
}

// phrase tests for the words of one phrase, next to each other or not.
func (w *sqlWriter) phrase(p Phrase) {
	if !p.AnyOrder {
		w.phrases([]Phrase{p})
		return
	}
	if len(p.Words) == 0 || !Storable(strings.Join(p.Words, " ")) {
		w.write("FALSE")
		return
	}
	w.write("EXISTS (SELECT FROM unnest(" + w.row + ".phrases) AS s WHERE starts_with(s, " +
		literal(string(p.Field)+":") + ")")
	for _, word := range p.Words {
		w.write(" AND s LIKE " + likeLiteral("", " "+word+" "))
	}
	w.write(")")
}

// phrases tests for any of several phrases of one field among the row's "field: word word " phrases.
func (w *sqlWriter) phrases(of []Phrase) {
	var patterns, words []string
	for _, p := range of {
		text := strings.Join(p.Words, " ")
		if len(p.Words) > 0 && Storable(text) {
			patterns = append(patterns, likeLiteral(string(p.Field)+":", " "+text+" "))
			words = append(words, escapeLike(text))
		}
	}
	if len(patterns) == 0 {
		w.write("FALSE")
		return
	}
	w.write("EXISTS (SELECT FROM unnest(" + w.row + ".phrases) AS s WHERE ")
	field := string(of[0].Field) + ":"
	switch list := "ARRAY[" + strings.Join(patterns, ", ") + "]"; {
	case len(patterns) == 1:
		w.write("s LIKE " + patterns[0])
	case len(list) < longArray:
		w.write("starts_with(s, " + literal(field) + ") AND s LIKE ANY (" + list + ")")
	default:
		w.write("starts_with(s, " + literal(field) + ") AND s LIKE ANY (ARRAY(SELECT " + literal(field+"% ") +
			" || v || ' %' FROM unnest(" + w.textArray(words) + ") AS v))")
	}
	w.write(")")
}

func (w *sqlWriter) numbers(r Range) {
	column := w.row + "." + Column(r.Field)
	if !w.hasColumn(r.Field) {
		w.write("FALSE")
		return
	}
	if r.Min == nil && r.Max == nil {
		w.write("(" + column + " IS NOT NULL)")
		return
	}
	var bounds []string
	if r.Min != nil {
		bounds = append(bounds, column+" >= "+integer(*r.Min))
	}
	if r.Max != nil {
		bounds = append(bounds, column+" <= "+integer(*r.Max))
	}
	w.write("(" + strings.Join(bounds, " AND ") + ")")
}

// exists tests the column of a number that the row itself has. For all else it looks the field up
// among the fields of the row's terms; flattened numbers have terms too, for their buckets.
func (w *sqlWriter) exists(f Field) {
	if w.hasColumn(f) && !strings.Contains(string(f), ".") {
		w.write("(" + w.row + "." + Column(f) + " IS NOT NULL)")
		return
	}
	w.write("(" + literal(string(f)) + " = ANY(" + w.row + ".fields))")
}

// hasColumn reports whether the row has a column for a field. A person has columns for its own
// numbers and for the flattened ones of its current job; a sub-document for its numbers.
func (w *sqlWriter) hasColumn(f Field) bool {
	return slices.ContainsFunc(PersonFields(), func(info Info) bool {
		switch {
		case info.Kind != Number:
			return false
		case w.nested:
			return info.Field == f && len(info.Paths) > 0
		case len(info.Paths) == 0:
			return info.Field == f
		}
		return info.Field.In(Current) == f && slices.Contains(info.Paths, Current)
	})
}

func (w *sqlWriter) subDocument(n Nested) {
	outer, wasNested := w.row, w.nested
	w.row, w.nested = "n", true
	w.write("EXISTS (SELECT FROM people_search_nested n WHERE n.person_id = " + outer + ".id AND n.path = " +
		literal(string(n.Path)) + " AND ")
	w.condition(n.Part)
	w.write(")")
	w.row, w.nested = outer, wasNested
}

// ids compares the person's id, also inside a sub-document.
func (w *sqlWriter) ids(values []int64) {
	column := w.row + ".id"
	if w.nested {
		column = w.row + ".person_id"
	}
	w.write("(" + column + " = ANY(" + w.idArray(values) + "))")
}

// integer writes a number that PostgreSQL reads as a bigint, including the lowest.
func integer(v int64) string {
	if v < 0 {
		return "'" + strconv.FormatInt(v, 10) + "'::bigint"
	}
	return strconv.FormatInt(v, 10)
}
