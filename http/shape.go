package http

import "kith/http/strict"

// Shapes for bodies. Rarer ones are written as a [strict.Schema].

func object(fields []strict.Field) *strict.Schema {
	return &strict.Schema{Kinds: strict.Object, Fields: fields}
}

// array has between least and most items; a most of 0 is no limit.
func array(least, most int, items *strict.Schema) *strict.Schema {
	return &strict.Schema{Kinds: strict.Array, MinItems: least, MaxItems: most, Items: items}
}

func text(shortest, longest int) *strict.Schema {
	return &strict.Schema{Kinds: strict.String, MinLength: shortest, MaxLength: longest}
}

// lines is a text with line breaks.
func lines(longest int) *strict.Schema {
	return &strict.Schema{Kinds: strict.String, MaxLength: longest, Lines: true}
}

// enum is one of several texts.
func enum[T ~string](values ...T) *strict.Schema {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return &strict.Schema{Kinds: strict.String, Enum: names}
}

// whole is an integer.
func whole(least, most float64) *strict.Schema {
	return &strict.Schema{Kinds: strict.Integer, Min: strict.Bound(least), Max: strict.Bound(most)}
}

func flag() *strict.Schema { return &strict.Schema{Kinds: strict.Bool} }

// first returns at most the number of entries that the shape allows. The shape has already refused
// a longer list, so the rest can be ignored.
func first[T any](entries []T, most int) []T { return entries[:min(len(entries), most)] }
