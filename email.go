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

// ValidEmail reports whether s is a bare e-mail address on one line: no display name, no comment, no quotation marks,
// and a domain that is not an address literal. Masked addresses of anonymised data are valid.
func ValidEmail(s string) bool {
	if len(s) > MaxEmail || strings.ContainsAny(s, `"[]`) || strings.ContainsFunc(s, spaceOrControl) {
		return false
	}
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Name == "" && parsed.Address == s
}

func spaceOrControl(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// NormalDomain returns the form in which a domain is stored and compared: Unicode instead of
// Punycode (xn--bcher-kva.example becomes bücher.example). Other text is returned unchanged.
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

// international is a quick check, false for nearly every domain.
func international(domain string) bool {
	return strings.ContainsFunc(domain, func(r rune) bool { return r >= utf8.RuneSelf }) ||
		strings.Contains(strings.ToLower(domain), "xn--")
}

// NormalEmail returns an e-mail address with its domain in the form of [NormalDomain].
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

// EmailSpellings returns an e-mail address with all forms of its domain, for addresses stored
// before the normal form existed; the normal one comes first.
func EmailSpellings(address string) []string {
	normal := NormalEmail(address)
	local, domain, _ := strings.Cut(normal, "@")
	if ascii, err := idna.Lookup.ToASCII(domain); err == nil && international(domain) {
		return []string{normal, local + "@" + ascii}
	}
	return []string{normal}
}
