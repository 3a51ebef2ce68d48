package kith

import (
	"net/mail"
	"strings"
	"unicode"
)

// MaxEmail is the longest e-mail address, in bytes, from RFC 5321.
const MaxEmail = 254

// ValidEmail reports whether s is a bare e-mail address on one line: no display
// name, no comment, no quotation marks, and a domain that is not an address
// literal. Masked addresses of anonymised data are valid.
func ValidEmail(s string) bool {
	if len(s) > MaxEmail || strings.ContainsAny(s, `"[]`) || strings.ContainsFunc(s, spaceOrControl) {
		return false
	}
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Name == "" && parsed.Address == s
}

func spaceOrControl(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
