// Package loader reads load files into the records ([Loader]) and writes exports ([ExportWriter]). [Merger] merges a
// person from a source of fresh data into the records, and [Filler] completes companies from a dataset of companies.
// Lines that cannot be stored go to a reject file with the reason.
package loader
