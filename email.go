package kith

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
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

// NormalDomain returns the one form in which a domain is stored and compared: in the
// letters of its language, not in those that stand for them in DNS (xn--bcher-kva.example is
// bücher.example). Any other domain, and what is none, is returned as it is.
func NormalDomain(domain string) string {
	if !international(domain) {
		return domain
	}
	normal, err := idna.Lookup.ToUnicode(domain)
	if err != nil {
		return domain
	}
	return normal
}

// international is false for nearly every domain, and quick to tell.
func international(domain string) bool {
	return strings.ContainsFunc(domain, func(r rune) bool { return r >= utf8.RuneSelf }) ||
		strings.Contains(strings.ToLower(domain), "xn--")
}

// NormalEmail returns an e-mail address with its domain as [NormalDomain] has it.
func NormalEmail(address string) string {
	local, domain, _ := strings.Cut(address, "@")
	if !international(domain) {
		return address
	}
	if normal := local + "@" + NormalDomain(domain); ValidEmail(normal) {
		return normal
	}
	return address
}

// EmailSpellings returns all forms that the domain of an e-mail address may have had
// where it was stored before there was one form for it; the normal one comes first.
func EmailSpellings(address string) []string {
	normal := NormalEmail(address)
	local, domain, _ := strings.Cut(normal, "@")
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil && international(domain) {
		return []string{normal, local + "@" + ascii}
	}
	return []string{normal}
}
