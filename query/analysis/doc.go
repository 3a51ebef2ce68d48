// Package analysis turns records and filters into index values: the fields of a document ([Person], [Company]) and the
// query of a search ([Compile]). Both use the same functions on words, titles and places, from the packages tokenizer,
// taxonomy and gazetteer, so an engine only compares tokens for equality.
//
// All functions are pure and safe for concurrent use, accept input of any size and content, and
// take linear time. Their embedded tables are parsed once, on first use, and never change.
package analysis
