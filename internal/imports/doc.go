// Package imports stores the files that people have: it reads them once with
// internal/importer into a [Spool], hands people and companies from there to a load, and
// what a user knows of them to the network of the user. [Files] does so for the command line. [Service] and [Worker]
// do so for callers of the API: files are kept in a folder until a background task has
// stored them, which a dead process leaves to the next one, and an import can be taken
// back. The package has no SQL and knows no HTTP.
package imports
