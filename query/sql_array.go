package query

import (
	"slices"
	"strconv"
	"strings"
)

// longArray is the length in bytes from which an array is written once, before the conditions that use it.
const longArray = 100

// array is a long array of a statement: a column of the subquery lists.
type array struct {
	sql string
	// kind is the type of the elements of a setting, and size their number; they are empty for an array.
	kind string
	size int
}

// array returns an expression for an array. The subquery lists states a long array once, however often the statement
// uses it.
func (w *sqlWriter) array(sql string) string {
	if len(sql) < longArray {
		return sql
	}
	i := slices.IndexFunc(w.arrays, func(a array) bool { return a.sql == sql })
	if i < 0 {
		i = len(w.arrays)
		w.arrays = append(w.arrays, array{sql: sql})
	}
	return "lists." + listName(i)
}

// setting returns an expression for an array of n values that is not written out.
func (w *sqlWriter) setting(n int, kind string) string {
	w.arrays = append(w.arrays, array{kind: kind, size: n})
	return "lists." + listName(len(w.arrays)-1)
}

// textArray returns an expression for an array of texts.
func (w *sqlWriter) textArray(values []string) string {
	if len(values) > MaxLiterals {
		return w.setting(len(values), "text")
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = literal(v)
	}
	return w.array("ARRAY[" + strings.Join(quoted, ", ") + "]")
}

// idArray returns an expression for an array of ids.
func (w *sqlWriter) idArray(values []int64) string {
	if len(values) > MaxLiterals {
		return w.setting(len(values), "bigint")
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = strconv.FormatInt(v, 10)
	}
	return w.array("'{" + strings.Join(texts, ",") + "}'::bigint[]")
}

// lists returns the subquery with the long arrays.
func (w *sqlWriter) lists() string {
	if len(w.arrays) == 0 {
		return ""
	}
	columns := make([]string, len(w.arrays))
	for i, a := range w.arrays {
		sql := a.sql
		if a.kind != "" {
			sql = "current_setting(" + literal("kith."+listName(i)) + ", true)::" + a.kind + "[]"
		}
		columns[i] = sql + " AS " + listName(i)
	}
	return ", (SELECT\n  " + strings.Join(columns, ",\n  ") + "\n) lists"
}

// comment names the settings.
func (w *sqlWriter) comment() string {
	var b strings.Builder
	for i, a := range w.arrays {
		if a.kind != "" {
			b.WriteString("/* kith." + listName(i) + ": an array literal of " + strconv.Itoa(a.size) + " values */\n")
		}
	}
	return b.String()
}

func listName(i int) string { return "list_" + strconv.Itoa(i+1) }
