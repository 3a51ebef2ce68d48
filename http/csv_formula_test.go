package http

import "testing"

// No cell of a CSV file is a formula to a spreadsheet.
func TestCellsAreInert(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"": "", "Jane": "Jane", "=1+1": "'=1+1", "+49": "'+49", "-": "'-", "@cmd": "'@cmd", "\t=1": "'\t=1",
		"\r=1": "'\r=1",
		"a=1":  "a=1", "Ö": "Ö",
	} {
		if got := escapeFormula(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}
