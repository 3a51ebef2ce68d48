// Package imports stores files of other programs: it reads them once with internal/importer
// into a [Spool], passes people and companies to a load, and relationships and contacts to the
// user's network. [Files] does so for the command line. [Service] and [Worker] do so for the
// API: a background task stores uploaded files, survives a dead process, and an import can be
// undone. It knows no SQL and no HTTP.
package imports
