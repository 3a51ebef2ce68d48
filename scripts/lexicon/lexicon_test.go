package main

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
)

// Countries have their English names; a long adjective and a code without a country have no place in the table.
func TestNationalitiesAreThoseOfCountries(t *testing.T) {
	lines, err := nationalityLines([]byte(`{"locale":"en","nationalities":{
		"FR":"French","DE":"German","??":"Nobody","VC":"one two three four five six seven eight nine"}}`))
	expect.NoError(t, err)
	want := []string{"country\tFrance\tFrench", "country\tGermany\tGerman", "country\tSt. Vincent & Grenadines"}
	if !strings.HasPrefix(lines[0], "#") || !slices.Equal(lines[1:], want) {
		t.Errorf("the lines are %q, want %q", lines, want)
	}
	if _, err := nationalityLines([]byte("<html>")); err == nil {
		t.Error("a page is accepted as a table")
	}
}
