// Package elasticindex is the driver of the portable index for Elasticsearch 8. It translates queries, documents and
// versions, runs them, and explains failures; package index decides stages and cursors.
//
// A version is a pair of indices, "<prefix>-people-v7" and "<prefix>-companies-v7". Searches use the aliases
// "<prefix>-people" and "<prefix>-companies", which point to the active version. Writes use the alias "<index>-write"
// of each index, and require it to be an alias. A write to a dropped version then fails; a write to an index name
// would make Elasticsearch create an index with a guessed mapping.
//
// The driver uses only features of every Elasticsearch 8: no plugins, scripts or ingest pipelines.
package elasticindex
