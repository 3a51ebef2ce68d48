// Package identity decides which records describe one person. [Cluster] groups records by what they share, regardless
// of their order, and respects earlier decisions by people. [Uniter] adds new records to stored ones, merges the fields
// of each group by the rules of refresh, and keeps the records, so that a merge can be undone. A person decides about
// doubtful pairs; see [Service].
package identity
