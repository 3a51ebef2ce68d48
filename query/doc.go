// Package query is the language in which Kith asks for people and companies:
// the table of fields, a sealed syntax tree over them, its simplifier and its
// printers. It is a leaf: it knows no engine and analyses no text. Values in a
// tree are already in the form in which they are indexed.
package query
