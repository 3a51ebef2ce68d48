// Package layout knows the formats of files with records: the columns or members that identify
// a format, and where each keeps the members of a person, a company, a contact. Formats are
// data: a [Layout] is a named mapping. For an unknown format, a table of synonyms gives a
// mapping. [Bind] fits a mapping to the columns of one file.
package layout

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"kith/internal/mapping"
)

//go:embed data
var data embed.FS

// Kind is what the records of a file are.
type Kind string

// The kinds. Owner, Positions, Education and Skills are about the person whose
// file it is; Contacts say who wrote to which people.
const (
	People    Kind = "people"
	Companies Kind = "companies"
	Owner     Kind = "owner"
	Positions Kind = "positions"
	Education Kind = "education"
	Skills    Kind = "skills"
	Contacts  Kind = "contacts"
)

// Shape is what a file is made of.
type Shape string

// The shapes; a layout without one is for both.
const (
	Table   Shape = "table"
	Objects Shape = "objects"
)

// Layout is a format.
type Layout struct {
	Name  string `yaml:"name"`
	Title string `yaml:"title"`
	Kind  Kind   `yaml:"kind"`
	Shape Shape  `yaml:"shape"`
	// File is what the name of the file has to have in it; "" is any.
	File string `yaml:"file"`
	// When are sets of columns or paths, of which one has to be there whole.
	When [][]string `yaml:"when"`
	// Unless are columns that a file in the format does not have.
	Unless []string `yaml:"unless"`
	// Ignore are columns that are known, and left out.
	Ignore []string `yaml:"ignore"`
	// Open is true where columns of the file's owner are told by synonyms.
	Open bool `yaml:"open"`
	// Relation is how the owner of the file knows the people in it, or of contacts
	// what kind they are.
	Relation string `yaml:"relation"`
	// Before has what stands before the value of a member that is an identifier.
	Before map[string]string `yaml:"before"`

	mapping.Mapping `yaml:",inline"`
}

// all returns the formats. They are parsed once and never written again.
//
//nolint:gochecknoglobals // a memoised pure function, not state
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

// All returns the formats.
func All() []Layout { return slices.Clone(all()) }

// Named returns the format of a name.
func Named(name string) (*Layout, bool) {
	for i := range all() {
		if all()[i].Name == name {
			return &all()[i], true
		}
	}
	return nil, false
}

// matches returns how many columns of a format the file has, 0 where it is not in
// that format.
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

// find returns the format of which the file has the most columns.
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

// synonyms are the names that members have in files, by their key.
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

//nolint:gochecknoglobals // a memoised pure function, not state
var ofPeople = sync.OnceValue(func() synonyms { return readSynonyms("synonyms.tsv") })

//nolint:gochecknoglobals // a memoised pure function, not state
var ofCompanies = sync.OnceValue(func() synonyms { return readSynonyms("company_synonyms.tsv") })

// of returns the members that a name stands for, the likeliest first.
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
