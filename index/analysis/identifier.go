package analysis

import "strings"

// IdentifierKind is what kind of thing an identifier of a person is.
type IdentifierKind int

// The kinds. A person id is not among them: a number may be a social identifier
// too, and only who looks it up can tell.
const (
	// NoIdentifier names nobody.
	NoIdentifier IdentifierKind = iota
	// ProfileIdentifier is a profile URL; its key is that of [URLKey].
	ProfileIdentifier
	// EmailIdentifier is an e-mail address; its key is in lower case.
	EmailIdentifier
	// SocialIdentifier is a social identifier, such as jane or @jane; its key is
	// that of [SocialID].
	SocialIdentifier
)

// Identifier tells what kind of identifier of a person a text is, and the key
// by which identifiers of that kind are compared. It is the one reading of what
// users, apps and files give.
func Identifier(text string) (kind IdentifierKind, key string) {
	text = trimmed(text)
	local, domain, at := strings.Cut(text, "@")
	switch {
	case strings.Contains(text, "/"):
		key, ok := URLKey(text)
		if ok && strings.Contains(key, "/") {
			return ProfileIdentifier, key
		}
		if ok || strings.Contains(text, "://") { // a site, or nothing that can be read
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
