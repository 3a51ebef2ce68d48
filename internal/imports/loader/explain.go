package loader

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

var errNotObject = errors.New("the line is not a JSON object")

// problem returns an error about one member of a line.
func problem(path, format string, args ...any) error {
	return fmt.Errorf("%s: %s", path, fmt.Sprintf(format, args...))
}

// explain turns a decoder error into a sentence about the line.
func explain(err error, shape reflect.Type) error {
	if semantic, ok := errors.AsType[*json.SemanticError](err); ok {
		path := formatPointer(semantic.JSONPointer)
		if errors.Is(err, json.ErrUnknownName) {
			return unknownField(semantic.JSONPointer, shape)
		}
		if semantic.GoType != nil && semantic.JSONKind != 0 {
			return wrongTypeError(path, semantic)
		}
	}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		if errors.Is(err, jsontext.ErrDuplicateName) {
			return problem(formatPointer(syntactic.JSONPointer), "is given twice")
		}
		return fmt.Errorf("not valid JSON at byte %d: %w", syntactic.ByteOffset+1, syntactic.Err)
	}
	return err
}

// wrongTypeError says what a member must be. If the JSON type is right, the number is out of range or the time invalid.
func wrongTypeError(path string, e *json.SemanticError) error {
	switch want := typeName(e.GoType); {
	case want == aNumber && e.JSONKind == '0':
		return problem(path, "is too large a number")
	case want == aTime && e.JSONKind == '"':
		return problem(path, "is not a time such as 2026-03-01T12:00:00Z")
	default:
		return problem(path, "must be %s, not %s", want, describeGiven(e))
	}
}

func unknownField(at jsontext.Pointer, shape reflect.Type) error {
	name := at.LastToken()
	known := fieldNames(shapeAt(shape, at.Parent()))
	if near := nearest(name, known); near != "" {
		return problem(formatPointer(at), "is not a field; did you mean %q?", near)
	}
	return problem(formatPointer(at), "is not a field; there are: %s", strings.Join(known, ", "))
}

// formatPointer writes a JSON pointer in the path notation of API errors: work_history[0].title.
func formatPointer(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if _, err := strconv.Atoi(token); err == nil && b.Len() > 0 {
			b.WriteString("[" + token + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	if b.Len() == 0 {
		return "the line"
	}
	return b.String()
}

// shapeAt returns the type at a pointer.
func shapeAt(t reflect.Type, p jsontext.Pointer) reflect.Type {
	for token := range p.Tokens() {
		t = element(t)
		if t.Kind() != reflect.Struct {
			continue
		}
		for _, field := range reflect.VisibleFields(t) {
			if nameOf(field) == token {
				t = field.Type
				break
			}
		}
	}
	return element(t)
}

// element strips pointers and slices.
func element(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return t
}

func fieldNames(t reflect.Type) []string {
	if t.Kind() != reflect.Struct {
		return nil
	}
	var names []string
	for _, field := range reflect.VisibleFields(t) {
		if !field.Anonymous {
			names = append(names, nameOf(field))
		}
	}
	return names
}

// nameOf returns the name of a field in JSON.
func nameOf(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// nearest returns the most similar known name, or "" if none is close.
func nearest(name string, known []string) string {
	best, distance := "", len(name)/3+1
	for _, k := range known {
		if d := levenshtein.ComputeDistance(strings.ToLower(name), k); d <= distance {
			best, distance = k, d-1
		}
	}
	return best
}

const aNumber, aTime = "a number", "a time"

func typeName(t reflect.Type) string {
	if t == reflect.TypeFor[time.Time]() {
		return aTime
	}
	switch t.Kind() {
	case reflect.Pointer:
		return typeName(t.Elem())
	case reflect.String:
		return "a string"
	case reflect.Int, reflect.Int64:
		return "an integer"
	case reflect.Float64:
		return aNumber
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice:
		return "an array"
	default:
		return "an object"
	}
}

func describeGiven(e *json.SemanticError) string {
	switch e.JSONKind {
	case '"':
		return "a string"
	case '0':
		if len(e.JSONValue) > 0 && len(e.JSONValue) <= 40 {
			return "the number " + string(e.JSONValue)
		}
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	default:
		return "null"
	}
}
