package indextest

import (
	"fmt"
	"strconv"
	"strings"

	"kith/query"
)

// longest is how much of a query's text a message shows.
const longest = 1000

// brief is a query for a message: values of thousands of characters, and thousands of values, are cut.
func brief(q query.Query) string {
	text := Format(q)
	if len(text) <= longest {
		return text
	}
	return text[:longest] + " …"
}

// Format writes a query in the notation that [Parse] reads.
func Format(q query.Query) string {
	switch q := q.(type) {
	case query.All:
		return "(all)"
	case query.None:
		return "(none)"
	case query.And:
		return node("and", formatAll(q.Parts)...)
	case query.Or:
		return node("or", formatAll(q.Parts)...)
	case query.Not:
		return node("not", Format(q.Part))
	case query.Term:
		return node("term", string(q.Field), strconv.Quote(q.Value))
	case query.Terms:
		return node("terms", values(q.Field, q.Values)...)
	case query.AllWords:
		return node("words", values(q.Field, q.Words)...)
	case query.Phrase:
		return node(q.Name(), values(q.Field, q.Words)...)
	case query.Range:
		return node("range", string(q.Field), bound(q.Min), bound(q.Max))
	case query.Exists:
		return node("exists", string(q.Field))
	case query.Nested:
		return node("nested", string(q.Path), Format(q.Part))
	case query.IDs:
		return node("ids", strings.Fields(strings.Trim(fmt.Sprint(q.Values), "[]"))...)
	case query.Timeline:
		return node("timeline", strconv.Quote(query.String(q))) // for messages; Parse does not read it
	}
	return fmt.Sprintf("(unknown %T)", q)
}

func node(name string, operands ...string) string {
	return "(" + strings.Join(append([]string{name}, operands...), " ") + ")"
}

func formatAll(parts []query.Query) []string {
	texts := make([]string, len(parts))
	for i, p := range parts {
		texts[i] = Format(p)
	}
	return texts
}

func values(f query.Field, vs []string) []string {
	texts := []string{string(f)}
	for _, v := range vs {
		texts = append(texts, strconv.Quote(v))
	}
	return texts
}

func bound(v *int64) string {
	if v == nil {
		return "_"
	}
	return strconv.FormatInt(*v, 10)
}
