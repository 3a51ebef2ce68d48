// Package expect states what tests expect. Failures are reported at the line of the caller.
package expect

import (
	"fmt"
	"iter"
	"os"
	"strconv"
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

// Examples returns the lines "given → wanted" of a file, at least one, without its comments, which begin with #. A text
// in double quotes is in Go syntax.
func Examples(t failer, file string) iter.Seq2[string, string] {
	t.Helper()
	data, err := os.ReadFile(file)
	NoError(t, err)
	text := func(s string) string {
		s = strings.TrimSpace(s)
		if plain, err := strconv.Unquote(s); err == nil && s[0] == '"' {
			return plain
		}
		return s
	}
	n := 0
	return func(yield func(given, wanted string) bool) {
		for line := range strings.Lines(string(data)) {
			given, wanted, ok := strings.Cut(line, "→")
			switch {
			case line[0] == '#':
			case !ok:
				t.Errorf("%s: no example: %s", file, line)
			case !yield(text(given), text(wanted)):
				return
			default:
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s has no examples", file)
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
