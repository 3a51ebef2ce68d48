// Package refresh keeps people fresh: it asks a source for their data, merges
// what it has into the records by rules ([Merge]), and does so as jobs that
// survive a crash ([Service]).
package refresh
