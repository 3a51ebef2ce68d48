// Package saved stores users' lists of people and saved searches. [Lists] adds and removes people. [Searches] saves
// searches, reports matches that are new since the user last looked, and notifies webhooks. The stores check visibility
// when they read records, not this package.
package saved

import (
	"strings"
	"unicode"

	"kith"
)

const (
	// MaxPeople is how many people a list may have.
	MaxPeople = 10_000
	// MaxMatches is how many people a saved search may match: finding the new ones reads all of them.
	MaxMatches = 5_000
)

// Quotas are how many lists and searches one user may have; 0 is no limit.
type Quotas struct{ Lists, Searches int }

// checkName returns the problems of a name.
func checkName(name string) []kith.FieldError {
	if !kith.HasVisible(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return []kith.FieldError{{
			Field: "name", Code: "INVALID_NAME", Message: "must have a visible character, and no control characters",
		}}
	}
	return nil
}
