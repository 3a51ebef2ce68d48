package main

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/prompt/prompttest"
)

func TestWordsAreFrequentAndNoNames(t *testing.T) {
	const list = `["mangers", "reading", "bath", "zyzzyva"]`
	const script = `module.exports = ['the','bath','london','reading','mangers']`
	for most, want := range map[int][]string{
		1: nil, 2: {"bath"}, 4: {"bath", "reading"}, 5: {"bath", "mangers", "reading"},
	} {
		isWord, err := frequentWords([]byte(list), []byte(script), most)
		expect.NoError(t, err)
		var got []string
		for _, w := range []string{"bath", "london", "mangers", "reading", "the", "zyzzyva"} {
			if isWord[w] {
				got = append(got, w)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("among %d: %q, want %q", most, got, want)
		}
	}
	if _, err := frequentWords([]byte(list), []byte(script), 6); err == nil {
		t.Error("a list of 5 frequent words is accepted for 6")
	}
	if _, err := frequentWords([]byte(script), []byte(list), 0); err == nil {
		t.Error("a list that is no JSON is accepted")
	}
}

func TestPlaceWordsAreNamesOfCities(t *testing.T) {
	cities := "bath\t1\t\nberlin\t2\t\nnew york\t3\t\nreading\t\t4\n"
	lines, err := placeLines(strings.NewReader(cities), map[string]bool{"bath": true, "reading": true, "york": true})
	expect.NoError(t, err)
	if want := []string{"bath", "reading"}; !strings.HasPrefix(lines[0], "#") || !slices.Equal(lines[1:], want) {
		t.Errorf("the names are %q, want %q", lines, want)
	}
}

// Only words that would be corrected are listed: near a word of the planner, and not one themselves.
func TestRightWordsAreNearWordsOfThePlanner(t *testing.T) {
	isWord := map[string]bool{}
	for _, w := range []string{
		"manager",     // a word of the planner
		"mangers",     // one edit from managers
		"in",          // a word of the grammar
		"developable", // two edits from a long word
		"zyzzyva",     // near nothing
	} {
		isWord[w] = true
	}
	lines, err := rightLines(prompttest.Lexicon(), isWord)
	expect.NoError(t, err)
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "#") })
	if want := []string{"mangers"}; !slices.Equal(lines, want) {
		t.Errorf("the words are %q, want %q", lines, want)
	}
}

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
