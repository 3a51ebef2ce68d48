package layout

import (
	"maps"
	"slices"
	"strings"

	"kith/internal/imports/mapping"
)

// maxFlat limits the depth at which members of objects are examined.
const maxFlat = 4

// flatten lists the paths of the values in an object. A list is one value; for a list of
// objects, it also stores the first entry in lists.
func flatten(v map[string]any, prefix string, depth int, into map[string]bool, lists map[string]map[string]any) {
	for name, value := range v {
		path := prefix + name
		switch value := value.(type) {
		case map[string]any:
			if depth < maxFlat {
				flatten(value, path+".", depth+1, into, lists)
			}
		case []any:
			into[path] = true
			if len(value) > 0 {
				if entry, ok := value[0].(map[string]any); ok {
					lists[path] = entry
				}
			}
		default:
			into[path] = true
		}
	}
}

// OfObjects finds the format of objects from samples; ok is false if too little is known.
func OfObjects(file string, samples []map[string]any) (b *Bound, ok bool) {
	paths, lists, top := map[string]bool{}, map[string]map[string]any{}, map[string]bool{}
	for _, s := range samples {
		flatten(s, "", 0, paths, lists)
		for name := range s {
			top[name] = true
		}
	}
	names := slices.Sorted(maps.Keys(paths))
	if l := find(Objects, file, func(path string) bool { return top[path] || paths[path] }); l != nil {
		return bindObjects(*l, names), true
	}
	h := newHeader(names, names)
	for i, name := range names { // the last name of a path gives its meaning
		h.keys[i] = lastKey(h.keys[i], name)
	}
	l, ok := h.guess()
	if !ok {
		return nil, false
	}
	l.Open, l.Shape = false, Objects
	if l.Kind == People {
		h.extend(&l.Mapping, ofPeople(), People)
		ofLists(&l.Mapping, lists)
	}
	return bindObjects(l, names), true
}

// lastKey returns the key of a path, or that of its last name if the whole path is unknown.
func lastKey(key, path string) string {
	if len(ofPeople().of(key)) > 0 || len(ofCompanies().of(key)) > 0 {
		return key
	}
	last := Key(path[strings.LastIndexByte(path, '.')+1:])
	if outer, _, nested := strings.Cut(path, "."); nested && last == "name" {
		return Key(outer)
	}
	return last
}

// ofLists maps lists of jobs and schools, by the names in their entries.
func ofLists(m *mapping.Mapping, lists map[string]map[string]any) {
	for path, entry := range lists {
		for _, member := range ofPeople().of(lastKey(Key(path), path)) {
			switch member {
			case "person.work_history":
				m.Person["work_history"], m.Job = mapping.Paths{path}, ofEntry(entry, "current", "job")
			case "person.education_history":
				m.Person["education_history"], m.Education = mapping.Paths{path}, ofEntry(entry, "education")
			}
		}
	}
}

// ofEntry maps the members of a list entry.
func ofEntry(entry map[string]any, of ...string) mapping.Group {
	paths := map[string]bool{}
	flatten(entry, "", 1, paths, map[string]map[string]any{})
	group := mapping.Group{}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, name := range ofPeople().of(lastKey(Key(path), path)) {
			in, member, _ := strings.Cut(name, ".")
			if slices.Contains(of, in) && group[member] == nil {
				group[member] = mapping.Paths{path}
			}
		}
	}
	return group
}

// BindObjects binds a given format to objects, using samples.
func BindObjects(l Layout, samples []map[string]any) *Bound {
	paths := map[string]bool{}
	for _, s := range samples {
		flatten(s, "", 0, paths, map[string]map[string]any{})
	}
	return bindObjects(l, slices.Sorted(maps.Keys(paths)))
}

// within reports whether a path equals another one or is below it.
func within(path, outer string) bool {
	return path == outer || strings.HasPrefix(path, outer) && path[len(outer)] == '.'
}

// bindObjects records which paths a format uses; other paths are left out.
func bindObjects(l Layout, names []string) *Bound {
	b := &Bound{Layout: l}
	for _, name := range names {
		c := Column{Name: name}
		for group, members := range l.Groups() {
			if group == "job" || group == "education" { // relative to an entry
				continue
			}
			for member, paths := range *members {
				if slices.ContainsFunc(paths, func(p string) bool { return within(p, name) || within(name, p) }) {
					c.Members = append(c.Members, group+"."+member)
				}
			}
		}
		slices.Sort(c.Members)
		b.Columns = append(b.Columns, c)
	}
	return b
}
