package strict

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf8"

	"kith"
)

// MaxProblems limits the problems in an answer: a list may have 50,000 wrong entries.
const MaxProblems = 100

// Check returns the problems of a value with their paths, at most the first [MaxProblems]. It cuts an array that is
// too long to its maximum, so that code that also interprets a refused value has no more to do than for a valid one.
func (s *Schema) Check(v *Value) []kith.FieldError {
	c := checker{}
	c.check(path{}, s, v)
	return c.problems
}

type checker struct{ problems []kith.FieldError }

func (c *checker) full() bool { return len(c.problems) >= MaxProblems }

func (c *checker) add(at path, code, format string, args ...any) {
	if !c.full() {
		c.problems = append(c.problems,
			kith.FieldError{Field: at.String(), Code: code, Message: fmt.Sprintf(format, args...)})
	}
}

// path is the position of a value. It is formatted only for a problem.
type path struct {
	above *path
	name  string
	index int
	// spare is true for an optional member.
	spare bool
}

// String writes the path, as in "people[3].score".
func (p path) String() string {
	if p.above == nil {
		return ""
	}
	above := p.above.String()
	switch {
	case p.name == "":
		return above + "[" + strconv.Itoa(p.index) + "]"
	case above == "":
		return p.name
	}
	return above + "." + p.name
}

func (c *checker) check(at path, s *Schema, v *Value) {
	if c.full() || !c.kind(at, s, *v) {
		return
	}
	switch v.Kind {
	case String:
		if s.Digits {
			c.digits(at, s, *v)
			return
		}
		c.text(at, s, v.Text)
	case Number:
		c.number(at, s, v.Float())
	case Array:
		c.array(at, s, v)
	case Object:
		c.object(at, s, v)
	}
}

// kind reports whether the type of a value is accepted.
func (c *checker) kind(at path, s *Schema, v Value) bool {
	if s.Kinds&v.Kind != 0 {
		return true
	}
	if _, whole := v.Integer(); v.Kind == Number && s.Kinds&Integer != 0 {
		if !whole && v.Float() == math.Trunc(v.Float()) {
			c.add(at, "OUT_OF_RANGE", "must be an integer of at most 64 bits, written in digits")
			return false
		}
		if !whole {
			c.add(at, "INVALID_TYPE", "must be %s (got %s)", s.Kinds, clip(v.Text))
		}
		return whole
	}
	hint := ""
	if v.Kind == Null && at.spare {
		hint = "; leave the member out instead"
	}
	c.add(at, "INVALID_TYPE", "must be %s, not %s%s", s.wanted(), v.Kind, hint)
	return false
}

func (c *checker) digits(at path, s *Schema, v Value) {
	n, ok := v.ID()
	if !ok {
		c.add(at, "INVALID_ID", "must be an id, as a number or as its digits in a string (got %q)", clip(v.Text))
		return
	}
	c.number(at, s, float64(n))
}

func (c *checker) text(at path, s *Schema, text string) {
	n := utf8.RuneCountInString(text)
	switch {
	case n < s.MinLength:
		c.add(at, "TOO_SHORT", "must have at least %s", count(s.MinLength, "character"))
	case s.MaxLength > 0 && n > s.MaxLength:
		c.add(at, "TOO_LONG", "must have at most %s (got %d)", count(s.MaxLength, "character"), n)
	}
	for i, r := range text {
		if !s.Unchecked && refused(r, s.Lines) {
			c.add(at, "INVALID_CHARACTER", "must not have control characters; found U+%04X at byte %d", r, i)
			break
		}
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, text) {
		c.add(at, "UNKNOWN_VALUE", "must be %s, not %q%s", OneOf(s.Enum), clip(text), suggest(text, s.Enum))
	}
}

// refused reports whether a string must not contain r: control characters, except tabs and line
// breaks if lines is true.
func refused(r rune, lines bool) bool {
	if lines && (r == '\t' || r == '\n' || r == '\r') {
		return false
	}
	return unicode.IsControl(r)
}

func (c *checker) number(at path, s *Schema, f float64) {
	switch below, above := s.Min != nil && f < *s.Min, s.Max != nil && f > *s.Max; {
	case s.Unchecked:
	case math.IsInf(f, 0):
		c.add(at, "OUT_OF_RANGE", "must be a number within the range of a double")
	case !below && !above:
	case s.Min != nil && s.Max != nil:
		c.add(at, "OUT_OF_RANGE", "must be between %s and %s (got %v)", decimal(*s.Min), decimal(*s.Max), f)
	case below:
		c.add(at, "OUT_OF_RANGE", "must be at least %s (got %v)", decimal(*s.Min), f)
	default:
		c.add(at, "OUT_OF_RANGE", "must be at most %s (got %v)", decimal(*s.Max), f)
	}
}

// decimal writes a number without an exponent.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func (c *checker) array(at path, s *Schema, v *Value) {
	switch n := len(v.Items); {
	case n < s.MinItems:
		c.add(at, "TOO_FEW_ITEMS", "must have at least %s", count(s.MinItems, "element"))
	case s.MaxItems > 0 && n > s.MaxItems:
		c.add(at, "TOO_MANY_ITEMS", "must have at most %s (got %d)", count(s.MaxItems, "element"), n)
		v.Items = v.Items[:s.MaxItems]
		return
	}
	for i := range v.Items {
		c.check(path{above: &at, index: i}, s.Items, &v.Items[i])
	}
}

func (c *checker) object(at path, s *Schema, v *Value) {
	for i := range v.Members {
		m := &v.Members[i]
		if c.full() { // finding the nearest name is slow
			return
		}
		here := path{above: &at, name: m.Name}
		if f := s.field(m.Name); f != nil {
			here.spare = !f.Required && !s.OneMember
			c.check(here, f.Schema, &m.Value)
		} else {
			c.unknown(here, s, m.Name)
		}
	}
	for _, f := range s.Fields {
		if _, ok := v.Get(f.Name); f.Required && !ok {
			c.add(path{above: &at, name: f.Name}, "REQUIRED", "must be given: %s", f.Schema.wanted())
		}
	}
	if s.OneMember && len(v.Members) != 1 {
		c.add(at, "INVALID_VALUE", "must have exactly one of the members %s", OneOf(s.names()))
	}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
