// Package refresh keeps people up to date. [Service] fetches their data from a source in background tasks that survive
// a crash; [Merge] merges it into the records.
package refresh
