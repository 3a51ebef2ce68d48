package analysis

import (
	"strings"

	"kith/query/tokenizer"
)

// IdentifierKind is the kind of a person's identifier.
type IdentifierKind int

// The kinds. Person ids are missing: a number may also be a social identifier, and only a lookup can decide.
const (
	// NoIdentifier identifies nobody.
	NoIdentifier IdentifierKind = iota
	// ProfileIdentifier is a profile URL; its key is that of [URLKey].
	ProfileIdentifier
	// EmailIdentifier is an e-mail address; its key is in lower case.
	EmailIdentifier
	// SocialIdentifier is a social identifier, such as jane or @jane; its key is that of [SocialID].
	SocialIdentifier
)

// Identifier returns the kind of an identifier, and the key that compares identifiers of that kind. All input from
// users, apps and files goes through it.
func Identifier(text string) (kind IdentifierKind, key string) {
	text = tokenizer.Trimmed(text)
	local, domain, at := strings.Cut(text, "@")
	switch {
	case strings.Contains(text, "/"):
		key, ok := URLKey(text)
		if ok && strings.Contains(key, "/") {
			return ProfileIdentifier, key
		}
		if ok || strings.Contains(text, "://") { // a site, or unreadable
			return NoIdentifier, ""
		}
	case at && local != "":
		if domain == "" || strings.Contains(domain, "@") || strings.ContainsFunc(text, notInPath) {
			return NoIdentifier, ""
		}
		return EmailIdentifier, strings.ToLower(Address(text))
	}
	if key = SocialID(text); key == "" {
		return NoIdentifier, ""
	}
	return SocialIdentifier, key
}
