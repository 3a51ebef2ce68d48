package layout

import (
	"fmt"
	"slices"
	"strings"

	"kith/internal/imports/mapping"
)

// Column is a column of a table or a member of objects, with its meaning.
type Column struct {
	Name string
	// Members are its meanings, such as person.full_name; none if it is left out.
	Members []string
	// Known is true if the format leaves the column out on purpose.
	Known bool
}

// Bound is a format bound to the columns of a file.
type Bound struct {
	Layout  Layout
	Columns []Column
	// keys identify the columns in records.
	keys []string
}

// header is the columns of a file.
type header struct {
	names, keys []string // original and normalised names
	columns     []Column
	ids         []string // ids in records
	byKey       map[string][]int
}

// maxColumns limits the columns that are examined.
const maxColumns = 20_000

func newHeader(names []string, ids []string) *header {
	names = names[:min(len(names), maxColumns)]
	h := &header{names: names, byKey: map[string][]int{}, ids: ids}
	for i, name := range names {
		k := Key(name)
		h.keys = append(h.keys, k)
		h.columns = append(h.columns, Column{Name: name})
		h.byKey[k] = append(h.byKey[k], i)
	}
	return h
}

func (h *header) has(column string) bool { return len(h.find(column)) > 0 }

// find returns the columns that match a path.
func (h *header) find(path string) []int {
	pattern := patternKey(path)
	if !strings.Contains(pattern, "*") {
		return h.byKey[pattern]
	}
	var found []int
	for i, k := range h.keys {
		if match(pattern, k) {
			found = append(found, i)
		}
	}
	return found
}

// TableScore returns a function that scores how much a row resembles a header.
func TableScore(file string) func(cells []string) int {
	return func(cells []string) int {
		if len(cells) > maxColumns || slices.ContainsFunc(cells, func(c string) bool { return len(c) > 200 }) {
			return 0
		}
		h := newHeader(cells, nil)
		score := 0
		if l := find(Table, file, h.has); l != nil {
			score = 1000
		}
		known := map[string]bool{}
		for _, k := range h.keys {
			for _, m := range append(ofPeople().of(k), ofCompanies().of(k)...) {
				known[m] = true
			}
		}
		if score == 0 && len(known) < 2 {
			return 0
		}
		return score + len(known)
	}
}

// OfTable finds the format of a table by its header; ok is false if too little of it is known.
func OfTable(file string, names []string) (b *Bound, ok bool) {
	h := newHeader(names, tableIDs(names))
	if l := find(Table, file, h.has); l != nil {
		return h.bind(*l), true
	}
	l, ok := h.guess()
	if !ok {
		return nil, false
	}
	return h.bind(l), true
}

// BindTable binds a given format to a table, which has a column for each member that a mapping names.
func BindTable(l Layout, names []string) (*Bound, error) {
	h := newHeader(names, tableIDs(names))
	b := h.bind(l)
	if l.When != nil { // a built-in format may lack columns
		return b, nil
	}
	for group, members := range l.Groups() {
		for member, paths := range *members {
			if !slices.ContainsFunc(paths, h.has) {
				return nil, fmt.Errorf("the file has no column %q for %s.%s; it has %s",
					strings.Join(paths, " or "), group, member, strings.Join(quoteAll(names), ", "))
			}
		}
	}
	return b, nil
}

func quoteAll(names []string) []string {
	out := make([]string, 0, 20)
	for _, n := range names[:min(len(names), 20)] {
		out = append(out, fmt.Sprintf("%q", n))
	}
	return out
}

// tableIDs returns unique ids for columns, because names may repeat.
func tableIDs(names []string) []string {
	ids := make([]string, len(names))
	for i := range names {
		ids[i] = fmt.Sprintf("column %d", i+1)
	}
	return ids
}

// bind resolves the paths of a layout to columns.
func (h *header) bind(l Layout) *Bound {
	for name, group := range l.Groups() {
		bound := mapping.Group{}
		for member, paths := range *group {
			for _, path := range paths {
				for _, i := range h.find(path) {
					bound[member] = append(bound[member], h.ids[i])
					h.columns[i].Members = append(h.columns[i].Members, name+"."+member)
				}
			}
		}
		*group = bound
	}
	for _, path := range l.Ignore {
		for _, i := range h.find(path) {
			h.columns[i].Known = true
		}
	}
	if l.Open {
		h.extend(&l.Mapping, ofPeople(), l.Kind)
	}
	for i := range h.columns {
		slices.Sort(h.columns[i].Members)
	}
	return &Bound{Layout: l, Columns: h.columns, keys: h.ids}
}

// extend adds columns by synonyms, for members that have none yet or are lists.
func (h *header) extend(m *mapping.Mapping, s synonyms, kind Kind) {
	into := m.Groups()
	for i, k := range h.keys {
		if len(h.columns[i].Members) > 0 || h.columns[i].Known {
			continue
		}
		for _, name := range s.of(k) {
			group, member, _ := strings.Cut(name, ".")
			if group == "job" || group == "education" || kind == Companies && group != "company" {
				continue
			}
			g := into[group]
			if *g == nil {
				*g = mapping.Group{}
			}
			if len((*g)[member]) > 0 && name == "person.social_url" { // another profile may be the better one
				name, member = "person.websites", "websites"
			}
			if len((*g)[member]) > 0 && !mapping.IsList(member) {
				continue
			}
			(*g)[member] = append((*g)[member], h.ids[i])
			h.columns[i].Members = append(h.columns[i].Members, name)
			break
		}
	}
}

// guess builds a format from synonyms: of people if columns name people, else of companies.
func (h *header) guess() (Layout, bool) {
	people := Layout{Name: "people", Title: "people, by the names of the columns", Kind: People, Open: true}
	var m mapping.Mapping
	h.extend(&m, ofPeople(), People)
	parts := len(m.Person["first_name"]) + len(m.Person["last_name"]) + len(m.Person["emails"])
	names := len(m.Person["full_name"]) + parts
	profiles := slices.DeleteFunc(h.namesByID(m.Person["social_url"]),
		func(name string) bool { return Key(name) == "url" })
	sure := parts+len(m.Current["title"])+len(m.Current["company.name"]) > 0 || len(profiles) > 0 && len(m.Current) == 0
	for i := range h.columns {
		h.columns[i].Members = nil
	}
	if names > 0 && sure {
		return people, true
	}
	companies := Layout{Name: "companies", Title: "companies, by the names of the columns", Kind: Companies}
	h.extend(&companies.Mapping, ofCompanies(), Companies)
	called := h.namesByID(companies.Company["name"])
	ok := len(called) > 0 && (len(companies.Company) > 2 || len(companies.Company) == 2 && Key(called[0]) != "name")
	if ok {
		for member, ids := range companies.Company { // bind looks up names
			companies.Company[member] = h.namesByID(ids)
		}
	}
	for i := range h.columns {
		h.columns[i].Members = nil
	}
	return companies, ok
}

func (h *header) namesByID(ids mapping.Paths) mapping.Paths {
	var names mapping.Paths
	for _, id := range ids {
		if i := slices.Index(h.ids, id); i >= 0 {
			names = append(names, h.names[i])
		}
	}
	return names
}

// Record converts a table row into a record of the used columns.
func (b *Bound) Record(cells []string) map[string]any {
	record := make(map[string]any, 16)
	for i, cell := range cells {
		if i >= len(b.Columns) {
			break
		}
		if len(b.Columns[i].Members) == 0 || cell == "" {
			continue
		}
		if strings.Contains(cell, " ::: ") { // several values in one cell
			var all []any
			for part := range strings.SplitSeq(cell, " ::: ") {
				all = append(all, part)
			}
			record[b.keys[i]] = all
			continue
		}
		record[b.keys[i]] = cell
	}
	return record
}

// Fit binds a layout to the columns that exist.
func Fit(l Layout, names []string) *Bound { return newHeader(names, tableIDs(names)).bind(l) }

// Paths returns the sorted, distinct columns or members that a layout names.
func Paths(l Layout) []string {
	var all []string
	for _, group := range l.Groups() {
		for _, paths := range *group {
			all = append(all, paths...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
