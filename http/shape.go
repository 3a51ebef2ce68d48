package http

import "kith/http/strict"

// The shapes that bodies are made of. What is rarer is written out as a
// [strict.Schema].

func object(fields []strict.Field) *strict.Schema {
	return &strict.Schema{Kinds: strict.Object, Fields: fields}
}

// array has at least and at most so many items; most of 0 is any number.
func array(least, most int, items *strict.Schema) *strict.Schema {
	return &strict.Schema{Kinds: strict.Array, MinItems: least, MaxItems: most, Items: items}
}

func text(shortest, longest int) *strict.Schema {
	return &strict.Schema{Kinds: strict.String, MinLength: shortest, MaxLength: longest}
}

// lines is a text that may have line breaks.
func lines(longest int) *strict.Schema {
	return &strict.Schema{Kinds: strict.String, MaxLength: longest, Lines: true}
}

// enum is one of some texts.
func enum[T ~string](values ...T) *strict.Schema {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	return &strict.Schema{Kinds: strict.String, Enum: names}
}

// whole is a whole number.
func whole(least, most float64) *strict.Schema {
	return &strict.Schema{Kinds: strict.Integer, Min: strict.Bound(least), Max: strict.Bound(most)}
}

func flag() *strict.Schema { return &strict.Schema{Kinds: strict.Bool} }

// first are the entries of a list up to the most that its shape lets it have. Of a
// longer one, which the shape has refused, the rest is not looked at.
func first[T any](entries []T, most int) []T { return entries[:min(len(entries), most)] }
