// Package refresh keeps people up to date: it fetches their data from a source, merges it into
// the records ([Merge]), in background tasks that survive a crash ([Service]).
package refresh
