package query

import (
	"strings"
	"unicode"
)

// Column returns the SQL column of a Number field: the field's name in snake case, with dots as underscores. The
// days Start and End become start_day and end_day, because end is a reserved word. No column name needs quotes.
func Column(f Field) string {
	var b strings.Builder
	for _, r := range string(f) {
		switch {
		case r == '.':
			b.WriteByte('_')
		case unicode.IsUpper(r):
			b.WriteByte('_')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
	}
	name := b.String()
	if last := name[strings.LastIndexByte(name, '_')+1:]; last == string(Start) || last == string(End) {
		return name + "_day"
	}
	return name
}
