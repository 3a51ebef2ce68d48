// Package kith holds the nouns of a people-search and warm-outreach service: people, companies, the caller, and the
// kinds of error. It knows no engine, no HTTP and no SQL; every other package may import it and it imports none.
package kith

// MaxPromptLength is the longest prompt of a search, in Unicode code points.
const MaxPromptLength = 1000
