package strict

import (
	"slices"
	"strings"
)

// Schema is the required shape of a value. Keywords mean the same as in JSON Schema, and apply only
// to values of their own type. An object accepts only declared members.
type Schema struct {
	// Kinds are the accepted types.
	Kinds Kind
	// Enum are the accepted texts of a string; empty for any.
	Enum []string
	// MinLength and MaxLength count code points; a MaxLength of 0 is no limit.
	MinLength, MaxLength int
	// Lines allows tabs and line breaks in a string; other control characters are never allowed.
	Lines bool
	// Unchecked allows any character in a string and any number. The code that uses the value
	// checks it, so that it can refuse this value alone.
	Unchecked bool
	// Digits requires a string to be an integer within Min and Max, in digits.
	Digits bool
	// Min and Max are inclusive limits of a number; nil is no limit.
	Min, Max *float64
	// MinItems and MaxItems are limits of an array; a MaxItems of 0 is no limit.
	MinItems, MaxItems int
	// Items is the shape of each element.
	Items *Schema
	// Fields are the members that an object may have.
	Fields []Field
	// OneMember requires exactly one of the members.
	OneMember bool
}

// Field is one member that an object may have.
type Field struct {
	Name     string
	Required bool
	Schema   *Schema
}

// Member returns the shape of a declared member, or nil.
func (s *Schema) Member(name string) *Schema {
	if f := s.field(name); f != nil {
		return f.Schema
	}
	return nil
}

// field returns the declared member with a name, or nil.
func (s *Schema) field(name string) *Field {
	i := slices.IndexFunc(s.Fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Fields[i]
}

// wanted describes the accepted values: "a string (auto or simple)".
func (s *Schema) wanted() string {
	if len(s.Enum) > 0 {
		return s.Kinds.String() + " (" + OneOf(s.Enum) + ")"
	}
	return s.Kinds.String()
}

// String names the kinds for messages: "a string or an object".
func (k Kind) String() string {
	kinds := []Kind{String, Integer, Number, Bool, Array, Object, Null}
	names := []string{"a string", "an integer", "a number", "true or false", "an array", "an object", "null"}
	var out []string
	for i, kind := range kinds {
		if k&kind != 0 {
			out = append(out, names[i])
		}
	}
	return OneOf(out)
}

// OneOf joins names for messages: "a, b or c".
func OneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
