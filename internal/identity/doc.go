// Package identity decides which records are of one person. [Cluster] groups records by
// what they share and is free of order: the groups depend on the set of records and on
// what people decided, and on nothing else. [Service.Unite] brings new records to those
// that are stored, merges the fields of each group by the rules of refresh, and keeps the
// records themselves, so that a merge can be undone. Pairs that are neither certain nor
// unlikely wait for a person to decide.
package identity
