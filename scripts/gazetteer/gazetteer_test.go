package main

import (
	"slices"
	"testing"

	"kith/internal/test/expect"
)

func file(text string) func(string) ([]byte, error) {
	return func(string) ([]byte, error) { return []byte(text), nil }
}

// Names lead to the cities of this name and to those of this alias, most populous first. Airport codes are no aliases,
// and small cities have few, in Latin script.
func TestCitiesAreFoundByNameAndAlias(t *testing.T) {
	read := file(`{
		"a": {"geonameid": 5, "name": "Springfield", "countrycode": "US", "admin1code": "IL", "population": 100,
			"alternatenames": ["SPI", "Springfild", "Спрингфилд"]},
		"b": {"geonameid": 4, "name": "Springfield", "countrycode": "US", "admin1code": "MO", "population": 200},
		"c": {"geonameid": 3, "name": "Köln", "countrycode": "DE", "admin1code": "07", "population": 1000000,
			"alternatenames": ["Cologne", "Кельн", "CGN", "köln"]},
		"d": {"geonameid": 2, "name": "New York City", "countrycode": "US", "admin1code": "NY", "population": 8000000,
			"alternatenames": ["NYC", "Big Apple", "New York", "a name of six whole words"]},
		"e": {"geonameid": 1, "name": "Aa", "countrycode": "NL", "admin1code": "01", "population": 100,
			"alternatenames": ["Aaaa", "Aaab", "Aaac", "Aaad", "Aaae", "Aaaf", "Aaag", "Aaah", "Aaai"]}}`)
	cities, err := cityLines(read)
	expect.NoError(t, err)
	names, err := cityNameLines(read)
	expect.NoError(t, err)
	if want := []string{
		"New York\tus.NY\t8000000", "Köln\tde.07\t1000000", "Springfield\tus.MO\t200", "Aa\tnl.01\t100",
		"Springfield\tus.IL\t100",
	}; !slices.Equal(cities, want) {
		t.Errorf("the cities are %q, want %q", cities, want)
	}
	if want := []string{
		"aa\t3\t", "aaaa\t\t3", "aaab\t\t3", "aaac\t\t3", "aaad\t\t3", "aaae\t\t3", "aaaf\t\t3", "aaag\t\t3",
		"aaah\t\t3", "big apple\t\t0", "cologne\t\t1", "koeln\t\t1", "koln\t1\t", "new york\t0\t", "new york city\t\t0",
		"springfield\t2,4\t", "springfild\t\t4", "кельн\t\t1",
	}; !slices.Equal(names, want) {
		t.Errorf("the names are %q, want %q", names, want)
	}
}

// Our own nicknames of a name replace those of the source.
func TestNicknamesAreMerged(t *testing.T) {
	lines, err := nicknameLines(file("name1,relationship,name2\nemily,has_nickname,emma\n" +
		"robert,has_nickname,rob\nrobert,has_nickname, bob\nrobert,has_nickname,rob\n"))
	expect.NoError(t, err)
	if !slices.IsSorted(lines) || !slices.Contains(lines, "robert\tbob|rob") ||
		!slices.Contains(lines, "emily\tem|emmy|mel|millie") {
		t.Errorf("the nicknames are %q", lines)
	}
}
