package auth

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith"
)

// Limits of an identity.
const (
	MaxExternalID = 255 // code points
	MaxEmail      = 254 // bytes, from RFC 5321
	maxLocalPart  = 64  // bytes, from RFC 5321
	maxLabel      = 63  // bytes, from RFC 1035
)

// Identity says which user of an app a token is for.
type Identity struct {
	// ExternalID is the app's own name for the user.
	ExternalID string
	Email      string
}

// Check returns every problem of the identity, none where it can be accepted.
func (id Identity) Check() []kith.FieldError {
	var problems []kith.FieldError
	add := func(field, code, message string) {
		problems = append(problems, kith.FieldError{Field: field, Code: code, Message: message})
	}
	switch n := utf8.RuneCountInString(id.ExternalID); {
	case n == 0:
		add("external_user_id", "REQUIRED", "must be given: the app's own identifier of the user, 1 to 255 characters")
	case n > MaxExternalID:
		add("external_user_id", "TOO_LONG", "must have 1 to 255 characters")
	case strings.ContainsFunc(id.ExternalID, unicode.IsControl) || !utf8.ValidString(id.ExternalID):
		add("external_user_id", "INVALID_CHARACTER", "must not have control characters")
	case strings.TrimSpace(id.ExternalID) == "":
		add("external_user_id", "INVALID_VALUE", "must not be blank")
	}
	switch {
	case id.Email == "":
		add("email", "REQUIRED", "must be given: the e-mail address of the user, such as jane@example.com")
	case len(id.Email) > MaxEmail:
		add("email", "TOO_LONG", "must have at most 254 bytes")
	case !ValidEmail(id.Email):
		add("email", "INVALID_EMAIL", "must be a valid e-mail address, such as jane@example.com")
	}
	return problems
}

// ValidEmail reports whether s is a bare e-mail address: no display name, no
// comment, no quoted local part, and a domain made of host-name labels.
func ValidEmail(s string) bool {
	if len(s) > MaxEmail || strings.ContainsFunc(s, unicode.IsSpace) {
		return false
	}
	addr, err := mail.ParseAddress(s)
	if err != nil || addr.Name != "" || addr.Address != s {
		return false
	}
	local, domain, _ := strings.Cut(s, "@")
	return len(local) <= maxLocalPart && !strings.Contains(local, `"`) && validDomain(domain)
}

func validDomain(domain string) bool {
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || len(label) > maxLabel || strings.Trim(label, "-") != label {
			return false
		}
		for _, r := range label {
			if r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
				return false
			}
		}
	}
	return true
}
