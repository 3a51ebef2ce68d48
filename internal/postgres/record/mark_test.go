package record_test

import (
	"slices"
	"testing"

	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// A mark is known until an index has a newer one. Marks of other records are unknown.
func TestMarksRiseAndAreKnownUntilReplaced(t *testing.T) {
	db := pgtest.Dataset(t, pgtest.MigratedURL(t), postgres.Options{Schema: pgtest.Schema})
	last := int64(0)
	next := func(want bool, had ...string) string {
		t.Helper()
		mark, ok, err := db.NextMark(t.Context(), had)
		if expect.NoError(t, err); ok != want || ok && (mark.Number <= last || mark.Text == "") {
			t.Fatalf("after the marks %q: %v, %v, the last had number %d", had, mark, ok, last)
		}
		last = mark.Number
		return mark.Text
	}
	known := func(want ...string) {
		t.Helper()
		got, err := db.KnownMarks(t.Context(), append(want, "another's"))
		expect.NoError(t, err)
		if slices.Sort(want); !slices.Equal(slices.Sorted(slices.Values(got)), want) {
			t.Fatalf("known are %q, want %q", got, want)
		}
	}
	known("")
	first := next(true, "")
	known("", first) // the index may have failed before it received the mark
	second := next(true)
	third := next(true, first, second)
	if got, _ := db.KnownMarks(t.Context(), []string{""}); len(got) > 0 {
		t.Error("the missing mark is accepted although the index has one")
	}
	known(first, second, third)
	next(false, third, "another's")
	known(first, second, third)
	if fourth := next(true, third); first == second || fourth == third {
		t.Error("two marks are the same")
	}
	if got, _ := db.KnownMarks(t.Context(), []string{first, second}); len(got) > 0 {
		t.Error("replaced marks are still known")
	}
}
