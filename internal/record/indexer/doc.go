// Package indexer keeps the index in sync with the records. [Drainer] moves queued changes into the index, [Reindexer]
// rebuilds it while searches go on, [Keeper] ranks and deletes records, and [Maintenance] serves the operator.
//
// Records are authoritative; the index can be rebuilt. Every change of a record and its queue row share a transaction,
// and the queue is drained whenever the engine answers. No crash can leave a stored record out of the index for good.
package indexer
