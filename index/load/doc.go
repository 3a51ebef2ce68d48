// Package load stores records and keeps the index in sync with them. It reads load files
// ([Loader]), moves changes into the index ([Drainer]), rebuilds the index while searches go on
// ([Reindexer]), and ranks and deletes.
//
// Records are authoritative; the index can be rebuilt. Every change of a record and its queue
// row share a transaction, and the queue is drained whenever the engine answers. No crash can
// leave a stored record out of the index for good.
package load
