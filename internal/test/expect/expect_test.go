package expect_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/expect"
)

// recorder keeps what a test reports.
type recorder struct{ message string }

func (r *recorder) Helper()                           {}
func (r *recorder) Fatal(args ...any)                 { r.message = fmt.Sprint(args...) }
func (r *recorder) Errorf(format string, args ...any) { r.message = fmt.Sprintf(format, args...) }

func TestErrorsEndTests(t *testing.T) {
	var r recorder
	if expect.NoError(&r, nil); r.message != "" {
		t.Errorf("success is reported: %s", r.message)
	}
	if expect.NoError(&r, errors.New("broken")); r.message != "broken" {
		t.Errorf("the error is reported as %q", r.message)
	}
}

func TestListsOfAnotherLengthEndTests(t *testing.T) {
	var r recorder
	if expect.Len(&r, "people", []string{"Ann"}, 1); r.message != "" {
		t.Errorf("the right length is reported: %s", r.message)
	}
	if expect.Len(&r, "people", []string{"Ann"}, 2); r.message != "people: got 1, want 2: [Ann]" {
		t.Errorf("another length is reported as %q", r.message)
	}
}

func TestMissingPartsAreReported(t *testing.T) {
	var r recorder
	if expect.Parts(&r, "text", "a and b", "a", "b"); r.message != "" {
		t.Errorf("present parts are reported: %s", r.message)
	}
	if expect.Parts(&r, "text", "a and b", "a", "c"); r.message != `text: want "c" in a and b` {
		t.Errorf("the missing part is reported as %q", r.message)
	}
}

// Texts are quoted, so that a number is no text and an empty text is visible.
func TestDifferentValuesAreReported(t *testing.T) {
	for _, tt := range []struct {
		got, want []any
		message   string
	}{
		{[]any{"a", 1, true}, []any{"a", 1, true}, ""},
		{[]any{int64(3)}, []any{3}, ""},
		{[]any{1}, []any{"1"}, `numbers: got 1; want "1"`},
		{[]any{"a"}, []any{"a", ""}, `numbers: got "a"; want "a", ""`},
		{[]any{[]int(nil)}, []any{[]int{}}, "numbers: got []int(nil); want []int{}"},
	} {
		var r recorder
		if expect.Values(&r, "numbers", tt.got, tt.want...); r.message != tt.message {
			t.Errorf("%v and %v: %q", tt.got, tt.want, r.message)
		}
	}
}

func TestExamplesAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"# a → b\na → b c\n→\n\"\\x00 \" → 'd'\n\"e\" f →": `"a" "b c", "" "", "\x00 " "'d'", "\"e\" f" "", `,
		"a → b\nc":    `"a" "b", FILE: no example: c`,
		"# nothing\n": "FILE has no examples",
	} {
		var r recorder
		file := filepath.Join(t.TempDir(), "examples.txt")
		expect.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		got := ""
		for given, wanted := range expect.Examples(&r, file) {
			got += fmt.Sprintf("%q %q, ", given, wanted)
		}
		if got += strings.ReplaceAll(r.message, file, "FILE"); got != want {
			t.Errorf("%q is read as %s, want %s", text, got, want)
		}
	}
}
