// Package query is the query language of searches: the table of fields, a sealed syntax tree, its simplifier
// and its printers. It knows no engine and analyses no text: values in a tree are in their indexed form.
package query
