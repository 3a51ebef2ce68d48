package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"

	"kith/internal/test/expect"
)

type testRow struct {
	ID      int64     `json:"id"`
	Name    string    `json:"full_name" table:"whole"`
	Text    string    `json:"text"`
	Other   []string  `json:"other"`
	At      time.Time `json:"at,omitzero"`
	Profile string    `json:"profile" table:"spare"`
	Secret  string    `json:"secret" table:"-"`
}

func listed(t *testing.T, f listFlags, rows ...testRow) []string {
	t.Helper()
	var out strings.Builder
	expect.NoError(t, printList(&output{w: &out}, f, rows, func(r testRow) testRow { return r }))
	if out.Len() == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// A table without a terminal has 80 columns at most: spare columns go first, then the widest lose their ends, and whole
// ones stay. Every row has its columns below the headings.
func TestTablesFitTheirWidth(t *testing.T) {
	row := testRow{
		ID: 7, Name: "Dr. Bart Placeholder-Exemplaford", Text: strings.Repeat("text ", 9),
		Other: []string{"李小龙", "b", strings.Repeat("c", 40)}, Profile: "https://social.example/in/x",
	}
	ann := testRow{ID: 1234, Name: "Ann", At: time.Date(2026, 1, 2, 3, 4, 0, 0, time.UTC)}
	lines := listed(t, listFlags{}, row, ann)
	expect.Parts(t, "heading", lines[0], "ID    FULL NAME", "TEXT", "OTHER", "AT")
	expect.Parts(t, "row", lines[1], "7     "+row.Name+"  text tex…  李小龙 b …  -")
	expect.Parts(t, "row", lines[2], "1234  Ann", "2026-01-02 03:04Z")
	for _, line := range lines {
		if uniseg.StringWidth(line) > 80 || strings.Contains(line, "social.example") {
			t.Errorf("%d wide: %q", uniseg.StringWidth(line), line)
		}
	}
	narrow := listed(t, listFlags{}, testRow{Name: "Ann", Profile: "https://social.example/in/ann"})
	expect.Parts(t, "a table with room", strings.Join(narrow, "\n"), "PROFILE", "https://social.example/in/ann")
	if empty := listed(t, listFlags{}); empty != nil {
		t.Errorf("without rows, the table is %q", empty)
	}
}

// Rows after the first hundred are printed at once, in the columns of those.
func TestLongTablesAreNotKeptBack(t *testing.T) {
	var out strings.Builder
	list := newListing[testRow](&output{w: &out}, listFlags{})
	for i := range 2 * sample {
		expect.NoError(t, list.add(testRow{ID: 1, Name: "Ann", Text: "short"}))
		if rows := strings.Count(out.String(), "Ann"); i+1 < sample && rows != 0 || i+1 >= sample && rows != i+1 {
			t.Fatalf("after %d rows, %d are printed", i+1, rows)
		}
	}
	expect.NoError(t, list.add(testRow{ID: 1, Name: "A longer name", Text: "a longer text"}))
	expect.NoError(t, list.end())
	if !strings.Contains(out.String(), "A longer name  a lo…") {
		t.Errorf("a later row: %q", out.String()[out.Len()-80:])
	}
}

// JSON has a row a line, with all fields, and no escapes of &, < and >, whether they are new or stored.
func TestJSONRowsAreLines(t *testing.T) {
	row := testRow{ID: 1, Text: "A & <B>", Other: []string{`\u0026`}, Secret: "s"}
	lines := listed(t, listFlags{JSON: true}, row, testRow{})
	var back testRow
	if err := json.Unmarshal([]byte(lines[0]), &back); err != nil || !reflect.DeepEqual(back, row) || len(lines) != 2 {
		t.Errorf("%v: %q", err, lines)
	}
	expect.Parts(t, "the row", lines[0], `"A & <B>"`)
	var out strings.Builder
	expect.NoError(t, (&output{w: &out}).json(json.RawMessage(`{"a":"R\u0026D \u003c \\u0026 \\\u003e"}`), ""))
	if want := `{"a":"R&D < \\u0026 \\>"}` + "\n"; out.String() != want {
		t.Errorf("stored JSON: %q, not %q", out.String(), want)
	}
}
