// Package load brings records in and keeps the index level with them. It reads
// load files ([Loader]), moves what changed into the index ([Drainer]),
// rebuilds the index while searches go on ([Reindexer]), and ranks and deletes.
//
// The records are what counts; the index can be thrown away and made again.
// Every change of a record is written together with a row of a queue, in one
// transaction, and the queue is worked off whenever the engine answers. So
// nothing that was stored can be missing from the index for good, whatever
// crashes.
package load
