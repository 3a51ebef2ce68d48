// Package identity decides which records describe one person. [Cluster] groups records by what
// they share, independent of their order, respecting earlier decisions by people.
// [Service.Unite] adds new records to stored ones, merges the fields of each group by the rules
// of refresh, and keeps the records, so that a merge can be undone. Doubtful pairs wait for a
// person to decide.
package identity
