// Package query is the language of searches: the table of fields, a sealed syntax tree, its
// simplifier and its printers. It knows no engine and analyses no text: values in a tree have
// their indexed form.
package query
