// Package expect states what tests expect. Failures are reported at the line of the caller.
package expect

import (
	"fmt"
	"strings"
)

// failer is a test, a benchmark or a property of a test.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// NoError ends the test if a step of it failed.
func NoError(t failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Len ends the test unless a list has n entries: what follows reads them. what names the list.
func Len[T any](t failer, what string, list []T, n int) {
	t.Helper()
	if len(list) != n {
		t.Fatal(fmt.Sprintf("%s: got %d, want %d: %+v", what, len(list), n, list))
	}
}

// Values reports an error unless the values, printed in Go syntax, are as wanted. what names them together.
func Values(t failer, what string, got []any, want ...any) {
	t.Helper()
	if g, w := printed(got), printed(want); g != w {
		t.Errorf("%s: got %s; want %s", what, g, w)
	}
}

// Parts reports an error unless the text has all the parts. what names the text.
func Parts(t failer, what, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s: want %q in %s", what, part, text)
		}
	}
}

func printed(values []any) string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprintf("%#v", v)
	}
	return strings.Join(out, ", ")
}
