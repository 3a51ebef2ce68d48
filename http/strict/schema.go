package strict

import (
	"slices"
	"strings"
)

// Schema is the shape that a value must have. It means what the same keywords
// mean in JSON Schema; a keyword binds only values of its own type. An object
// takes no members but the declared ones.
type Schema struct {
	// Kinds are the types that are accepted.
	Kinds Kind
	// Enum are the accepted texts of a string; empty for any.
	Enum []string
	// MinLength and MaxLength count code points; a MaxLength of 0 is no limit.
	MinLength, MaxLength int
	// Lines lets a string have tabs and line breaks; no string has other
	// control characters.
	Lines bool
	// Unchecked lets a string have any character, and a number be any: whoever takes
	// it judges it by itself, so that it alone is refused.
	Unchecked bool
	// Min and Max bound a number, both included; nil is no limit.
	Min, Max *float64
	// MinItems and MaxItems bound an array; a MaxItems of 0 is no limit.
	MinItems, MaxItems int
	// Items is the shape of each element.
	Items *Schema
	// Fields are the members that an object may have.
	Fields []Field
	// OneMember wants exactly one of the members.
	OneMember bool
}

// Field is one member that an object may have.
type Field struct {
	Name     string
	Required bool
	Schema   *Schema
}

// field returns the declared member of that name, nil where there is none.
func (s *Schema) field(name string) *Field {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Fields[i]
}

// wanted says what is accepted: "a string (auto or simple)".
func (s *Schema) wanted() string {
	if len(s.Enum) > 0 {
		return s.Kinds.String() + " (" + OneOf(s.Enum) + ")"
	}
	return s.Kinds.String()
}

// kindNames are in the order in which messages name several.
func kindNames() []struct {
	kind Kind
	name string
} {
	return []struct {
		kind Kind
		name string
	}{
		{String, "a string"},
		{Integer, "an integer"},
		{Number, "a number"},
		{Bool, "true or false"},
		{Array, "an array"},
		{Object, "an object"},
		{Null, "null"},
	}
}

// String names the kinds as messages do: "a string or an object".
func (k Kind) String() string {
	var out []string
	for _, n := range kindNames() {
		if k&n.kind != 0 {
			out = append(out, n.name)
		}
	}
	return OneOf(out)
}

// OneOf joins names as messages have them: "a, b or c".
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Bound returns a pointer to n, for [Schema.Min] and [Schema.Max].
func Bound(n float64) *float64 { return &n }
