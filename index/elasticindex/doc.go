// Package elasticindex is the driver of the portable index for Elasticsearch
// 8. It translates queries, documents and versions, runs them, and says what
// went wrong; scope, stages and cursors are decided in package index.
//
// A version is a pair of indices, "<prefix>-people-v7" and
// "<prefix>-companies-v7". Searches go to the aliases "<prefix>-people" and
// "<prefix>-companies", which point to the active version. Writes go to the
// alias "<index>-write" that every index has, and demand that it be an alias:
// so a write to a version that is gone fails, where a write to an index name
// would have made Elasticsearch create an index with a guessed mapping.
//
// The driver uses only what every Elasticsearch 8 has: no plugin, no script,
// no ingest pipeline.
package elasticindex
