// Package analysis turns text into index values: on the one side the fields of
// a document ([Person], [Company]), on the other the filters of a search
// ([Compile]). Both sides go through the same functions, so that an engine only
// ever compares tokens for being equal.
//
// All functions are pure and safe for concurrent use, take input of any size
// and content, and do work that is linear in it. The tables that they read are
// embedded, parsed once on first use, and never change.
package analysis
