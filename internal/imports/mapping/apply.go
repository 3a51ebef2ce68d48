package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// Line converts a provider's answer into a line of a load file, and returns the day of the data.
func (m Mapping) Line(answer []byte) (line []byte, asOf string, err error) {
	var whole any
	dec := json.NewDecoder(bytes.NewReader(answer))
	dec.UseNumber() // keep numbers as written
	if err := dec.Decode(&whole); err != nil {
		return nil, "", err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, "", errors.New("there is more after the JSON")
	}
	root, _ := At(whole, m.Root).(map[string]any)
	if root == nil {
		return nil, "", errors.New("the person is not an object")
	}
	asOf, _ = At(root, m.AsOf).(string)
	if len(m.Person) == 0 {
		line, err = json.Marshal(root)
		return line, asOf, err
	}
	line, err = json.Marshal(m.Of(root))
	return line, asOf, err
}

// Of returns the members of a person, nested as in a load file, without missing ones.
func (m Mapping) Of(record any) map[string]any {
	person := map[string]any{}
	for member, paths := range m.Person {
		value := paths.value(member, record)
		switch member {
		case memberRelevant:
			value = entry(value, m.Job)
		case memberHistory:
			value = entries(value, m.Job)
		case memberEducation:
			value = entries(value, m.Education)
		}
		put(person, member, value)
	}
	if job := m.Current.Of(record); len(job) > 0 {
		put(person, memberRelevant, job)
	}
	return person
}

// Of returns the members of the group, nested as in a load file.
func (g Group) Of(record any) map[string]any {
	out := map[string]any{}
	for member, paths := range g {
		put(out, member, paths.value(member, record))
	}
	return out
}

// value returns the value of a member at the first path that has one, or all values of a list; nil if there is none.
func (p Paths) value(member string, record any) any {
	if len(p) == 1 {
		return At(record, p[0])
	}
	if !IsList(member) {
		for _, path := range p {
			if v := At(record, path); !isEmpty(v) {
				return v
			}
		}
		return nil
	}
	return concat(len(p), func(i int) any { return At(record, p[i]) })
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	}
	return false
}

func entries(list any, members Group) any {
	items, _ := list.([]any)
	var out []any
	for _, item := range items {
		e, _ := entry(item, members).(map[string]any)
		if e == nil {
			continue
		}
		roles, _ := e[memberRoles].([]any)
		delete(e, memberRoles)
		for _, role := range roles {
			if r, ok := entry(role, members).(map[string]any); ok {
				out = append(out, completeRole(r, e))
			}
		}
		if len(roles) == 0 {
			out = append(out, e)
		}
	}
	if out == nil {
		return nil
	}
	return out
}

// completeRole completes a role with the company of the whole employment.
func completeRole(role, stay map[string]any) map[string]any {
	if company, ok := stay["company"]; ok && role["company"] == nil {
		role["company"] = company
	}
	return role
}

func entry(item any, members Group) any {
	if _, object := item.(map[string]any); !object {
		return nil
	}
	return members.Of(item)
}

// At returns the value at a path, or nil. A member whose name contains dots is found by the whole rest of the path.
func At(v any, path string) any {
	if path == "" {
		return v
	}
	if m, ok := v.(map[string]any); ok {
		if value, ok := m[path]; ok {
			return value
		}
	}
	name, rest, _ := strings.Cut(path, ".")
	switch container := v.(type) {
	case map[string]any:
		return At(container[name], rest)
	case []any:
		if name == "*" {
			return concat(len(container), func(i int) any { return At(container[i], rest) })
		}
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(container) {
			return At(container[i], rest)
		}
	}
	return nil
}

// concat returns n values and the entries of lists among them as one list; nil if there are none.
func concat(n int, value func(i int) any) any {
	var all []any
	for i := range n {
		switch v := value(i).(type) {
		case nil:
		case []any:
			all = append(all, v...)
		default:
			all = append(all, v)
		}
	}
	if all == nil {
		return nil
	}
	return all
}

// put sets a member by its dotted name; nil values are skipped.
func put(into map[string]any, member string, value any) {
	if value == nil {
		return
	}
	first, rest, nested := strings.Cut(member, ".")
	if !nested {
		into[first] = value
		return
	}
	inner, _ := into[first].(map[string]any)
	if inner == nil {
		inner = map[string]any{}
		into[first] = inner
	}
	put(inner, rest, value)
}
