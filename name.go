package kith

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the longest name that commands take, in code points.
const MaxName = 100

// HasVisible reports whether a text has a visible character: white space, control and format characters such as
// zero-width spaces, fillers, and combining marks alone are not.
func HasVisible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.In(r, unicode.Z, unicode.M, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
	})
}

// CheckName checks the name of an app, a key or a team, which people type in commands; what is "an app".
func CheckName(name, what, code string) error {
	if !HasVisible(name) || utf8.RuneCountInString(name) > MaxName || !utf8.ValidString(name) ||
		strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl) {
		return Errorf(Invalid, code, "the name of %s must have 1 to %d characters, one of them visible, "+
			"without control characters and without spaces at its ends", what, MaxName)
	}
	return nil
}
