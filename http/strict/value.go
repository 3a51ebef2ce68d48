package strict

import (
	"math"
	"strconv"
)

// Kind is the JSON type of a value. A schema combines kinds with |.
type Kind uint8

// The kinds. Integer, a number without a fraction, is only for schemas: a parsed number is a Number.
const (
	Null Kind = 1 << iota
	Bool
	Number
	Integer
	String
	Array
	Object
)

// Value is one parsed JSON value.
type Value struct {
	Kind Kind
	// Text is a decoded String, or a Number as written.
	Text string
	// True is the value of a Bool.
	True bool
	// Items are the elements of an Array.
	Items []Value
	// Members are the members of an Object, in order.
	Members []Member
}

// Member is one member of an object.
type Member struct {
	Name  string
	Value Value
}

// Get returns the member with a name; ok is false if there is none.
func (v Value) Get(name string) (member Value, ok bool) {
	for i := range v.Members {
		if v.Members[i].Name == name {
			return v.Members[i].Value, true
		}
	}
	return Value{}, false
}

// String returns the text of a member that is a string, else "".
func (v Value) String(name string) string {
	m, _ := v.Get(name)
	if m.Kind != String {
		return ""
	}
	return m.Text
}

// Bool reports whether a member is true.
func (v Value) Bool(name string) bool {
	m, _ := v.Get(name)
	return m.Kind == Bool && m.True
}

// Int returns a member that is a number without a fraction, else 0.
func (v Value) Int(name string) int {
	m, _ := v.Get(name)
	n, _ := m.Integer()
	return int(n)
}

// Strings returns the texts of a member that is an array of strings.
func (v Value) Strings(name string) []string {
	m, _ := v.Get(name)
	var out []string
	for _, item := range m.Items {
		if item.Kind == String {
			out = append(out, item.Text)
		}
	}
	return out
}

// maxExact is the largest integer up to which float64 represents all integers.
const maxExact = 1 << 53

// Integer returns a number without a fraction, in any notation: 25, 25.0 and 2.5e1 are equal. ok is
// false for anything else.
func (v Value) Integer() (n int64, ok bool) {
	if v.Kind != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return n, true
	}
	f := v.Float()
	if f != math.Trunc(f) || math.Abs(f) > maxExact {
		return 0, false
	}
	return int64(f), true
}

// ID returns an id, written as a number or as its digits in a string; ok is false for anything else.
func (v Value) ID() (n int64, ok bool) {
	if v.Kind != String {
		return v.Integer()
	}
	n, err := strconv.ParseInt(v.Text, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == v.Text
}

// Float returns a number as a float64, infinite if out of range, and 0 for anything else.
func (v Value) Float() float64 {
	if v.Kind != Number {
		return 0
	}
	f, _ := strconv.ParseFloat(v.Text, 64)
	return f
}
