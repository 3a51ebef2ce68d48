// Package imports stores files of other programs. It reads them once with package importer into a [Spool], and passes
// people and companies to a load, and relationships and contacts to the user's network. [Files] serves the command
// line. [Service] and [Worker] serve the API: a background task stores uploaded files, survives a crashed process, and
// an import can be undone. The package knows no SQL and no HTTP.
package imports
