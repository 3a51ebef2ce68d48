package query

import (
	"strconv"
	"strings"
)

// maxPrinted is the maximum number of values that [String] writes for one set.
const maxPrinted = 20

// String returns a query as one line of text for people, in the order of the tree. Nothing parses
// it, and it shortens long sets of values.
func String(q Query) string {
	var b strings.Builder
	text(&b, q)
	return b.String()
}

func text(b *strings.Builder, q Query) {
	switch q := q.(type) {
	case All:
		b.WriteString("everyone")
	case None:
		b.WriteString("no one")
	case And:
		textParts(b, q.Parts, " and ", All{})
	case Or:
		textParts(b, q.Parts, " or ", None{})
	case Not:
		b.WriteString("not ")
		text(b, q.Part)
	case Term:
		b.WriteString(string(q.Field) + " = " + strconv.Quote(q.Value))
	case Terms:
		textSet(b, string(q.Field)+" in ", q.Values, strconv.Quote)
	case AllWords:
		textSet(b, string(q.Field)+" has all of ", q.Words, strconv.Quote)
	case Phrase:
		textPhrase(b, q)
	case Range:
		textRange(b, q)
	case Exists:
		b.WriteString(string(q.Field) + " is known")
	case Nested:
		b.WriteString("one " + string(q.Path) + " with ")
		textParts(b, []Query{q.Part}, "", All{})
	case IDs:
		textSet(b, "id in ", q.Values, func(v int64) string { return strconv.FormatInt(v, 10) })
	case Timeline:
		textTimeline(b, q)
	}
}

func textPhrase(b *strings.Builder, q Phrase) {
	if q.AnyOrder {
		textSet(b, string(q.Field)+" has in one value all of ", q.Words, strconv.Quote)
	} else {
		b.WriteString(string(q.Field) + " has the phrase " + strconv.Quote(strings.Join(q.Words, " ")))
	}
}

func textParts(b *strings.Builder, parts []Query, glue string, empty Query) {
	if len(parts) == 0 {
		text(b, empty)
		return
	}
	b.WriteByte('(')
	for i, p := range parts {
		if i > 0 {
			b.WriteString(glue)
		}
		text(b, p)
	}
	b.WriteByte(')')
}

func textSet[T any](b *strings.Builder, head string, values []T, show func(T) string) {
	b.WriteString(head + "{")
	for i, v := range values {
		if i == maxPrinted {
			b.WriteString(", and " + strconv.Itoa(len(values)-i) + " more")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(show(v))
	}
	b.WriteByte('}')
}

func textRange(b *strings.Builder, r Range) {
	if r.Min != nil {
		b.WriteString(strconv.FormatInt(*r.Min, 10) + " <= ")
	}
	b.WriteString(string(r.Field))
	if r.Max != nil {
		b.WriteString(" <= " + strconv.FormatInt(*r.Max, 10))
	}
	if r.Min == nil && r.Max == nil {
		b.WriteString(" is a number")
	}
}
