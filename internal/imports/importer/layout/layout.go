// Package layout defines the formats of files with records: the columns or members that identify a format, and where it
// stores the fields of a person, company or contact. Formats are data: a [Layout] is a named mapping. For an unknown
// format, a table of synonyms gives a mapping. [Fit] binds a mapping to the columns of one file.
package layout

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"kith/internal/imports/mapping"
)

//go:embed data
var data embed.FS

// Kind is the kind of records in a file.
type Kind string

// The kinds. Owner, Positions, Education and Skills describe the owner of the file;
// Contacts are messages between people.
const (
	People    Kind = "people"
	Companies Kind = "companies"
	Owner     Kind = "owner"
	Positions Kind = "positions"
	Education Kind = "education"
	Skills    Kind = "skills"
	Contacts  Kind = "contacts"
)

// Shape is the structure of a file.
type Shape string

// The shapes; a layout without one supports both.
const (
	Table   Shape = "table"
	Objects Shape = "objects"
)

// Layout is a file format.
type Layout struct {
	Name  string `yaml:"name"`
	Title string `yaml:"title"`
	Kind  Kind   `yaml:"kind"`
	Shape Shape  `yaml:"shape"`
	// File must be part of the file name; "" allows any.
	File string `yaml:"file"`
	// When are sets of columns or paths; the file must have all of one set.
	When [][]string `yaml:"when"`
	// Unless are columns that a file in the format does not have.
	Unless []string `yaml:"unless"`
	// Ignore are known columns that are left out.
	Ignore []string `yaml:"ignore"`
	// Open is true if synonyms identify additional columns.
	Open bool `yaml:"open"`
	// Relation is the relationship of the file's owner to the people in it; for contacts, it is their kind.
	Relation string `yaml:"relation"`
	// Before maps members that are identifiers to the prefix of their values.
	Before map[string]string `yaml:"before"`

	mapping.Mapping `yaml:",inline"`
}

// all returns the formats. They are parsed once and never written again.
var all = sync.OnceValue(func() []Layout {
	var list []Layout
	for _, name := range []string{"network", "addressbooks", "vendors", "objects"} {
		text, err := data.ReadFile("data/" + name + ".yaml")
		var some []Layout
		if err == nil {
			err = yaml.Unmarshal(text, &some)
		}
		if err != nil {
			panic(fmt.Sprintf("%s.yaml: %v", name, err)) // the file is part of the binary
		}
		list = append(list, some...)
	}
	return list
})

// All returns all formats.
func All() []Layout { return slices.Clone(all()) }

// Named returns the format with a name.
func Named(name string) (*Layout, bool) {
	for i := range all() {
		if all()[i].Name == name {
			return &all()[i], true
		}
	}
	return nil, false
}

// matches returns how many identifying columns of a format the file has, or 0 if the file is not in that format.
func (l *Layout) matches(shape Shape, file string, has func(column string) bool) int {
	if l.Shape != "" && l.Shape != shape || l.File != "" && !strings.Contains(Key(file), l.File) {
		return 0
	}
	if slices.ContainsFunc(l.Unless, has) {
		return 0
	}
	most := 0
	for _, set := range l.When {
		if len(set) > most && !slices.ContainsFunc(set, func(c string) bool { return !has(c) }) {
			most = len(set)
		}
	}
	return most
}

// find returns the matching format with the most columns in the file.
func find(shape Shape, file string, has func(column string) bool) *Layout {
	var best *Layout
	most := 0
	for i := range all() {
		if n := all()[i].matches(shape, file, has); n > most {
			best, most = &all()[i], n
		}
	}
	return best
}

// synonyms map column names, as keys, to members.
type synonyms struct {
	members  map[string][]string // key → members, such as person.full_name
	patterns []struct{ pattern, member string }
}

func readSynonyms(name string) synonyms {
	s := synonyms{members: map[string][]string{}}
	text, err := data.ReadFile("data/" + name)
	if err != nil {
		panic(err) // the file is part of the binary
	}
	for line := range strings.Lines(string(text)) {
		member, names, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for name := range strings.SplitSeq(names, ";") {
			key := patternKey(name)
			if strings.Contains(key, "*") {
				s.patterns = append(s.patterns, struct{ pattern, member string }{key, member})
			} else if !slices.Contains(s.members[key], member) {
				s.members[key] = append(s.members[key], member)
			}
		}
	}
	return s
}

var ofPeople = sync.OnceValue(func() synonyms { return readSynonyms("synonyms.tsv") })

var ofCompanies = sync.OnceValue(func() synonyms { return readSynonyms("company_synonyms.tsv") })

// of returns the members that a name may mean, likeliest first.
func (s synonyms) of(key string) []string {
	if members := s.members[key]; len(members) > 0 {
		return members
	}
	for _, p := range s.patterns {
		star := strings.IndexByte(p.pattern, '*')
		if match(p.pattern, key) && strings.TrimLeft(key[star:], "0123456789") == p.pattern[star+1:] {
			return []string{p.member}
		}
	}
	return nil
}
