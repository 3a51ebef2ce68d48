package pgindex

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgtype"

	"kith"
	"kith/index"
)

// Trace returns a context under which every index records its statements, and a function that returns those recorded
// so far, in the order they were sent. Comments after each statement show its parameters.
func Trace(ctx context.Context) (tracing context.Context, sent func() []string) {
	ctx, noted := index.Trace[statement](ctx)
	return ctx, func() []string {
		var texts []string
		for _, st := range noted() {
			texts = append(texts, st.String())
		}
		return texts
	}
}

// String is the statement followed by its parameters.
func (st statement) String() string {
	var b strings.Builder
	b.WriteString(st.sql)
	for i, value := range st.values {
		text := formatArg(st.oids[i], value)
		for _, h := range st.hashed {
			if h.parameter == i {
				text = "hashes of " + array(kith.Each(h.terms, quote))
			}
		}
		fmt.Fprintf(&b, "\n-- $%d = %s", i+1, text)
	}
	return b.String()
}

// formatArg is a parameter as a literal.
func formatArg(oid uint32, value []byte) string {
	switch oid {
	case pgtype.TextOID:
		return quote(string(value))
	case pgtype.Int8OID:
		return strconv.FormatInt(number(value), 10)
	case pgtype.TextArrayOID, pgtype.Int8ArrayOID:
		return array(elements(oid, value))
	}
	return fmt.Sprintf("\\x%x", value)
}

// constant is a parameter as a typed constant.
func constant(oid uint32, value []byte) string {
	switch oid {
	case pgtype.TextOID:
		return quote(string(value)) + "::text"
	case pgtype.Int8OID:
		return "'" + formatArg(oid, value) + "'::bigint"
	case pgtype.TextArrayOID:
		return formatArg(oid, value) + "::text[]"
	}
	text := append(make([]byte, 0, 2*len(value)), "'{"...)
	for i, v := range numbers(value) {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, v, 10)
	}
	return string(append(text, "}'::bigint[]"...))
}

// elements reads an array without nulls that [args] wrote.
func elements(oid uint32, value []byte) []string {
	var out []string
	for _, element := range nullable(value) {
		if oid == pgtype.Int8ArrayOID {
			out = append(out, strconv.FormatInt(number(element), 10))
		} else {
			out = append(out, quote(string(element)))
		}
	}
	return out
}

func array(elements []string) string { return "ARRAY[" + strings.Join(elements, ", ") + "]" }

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
