package auth

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith"
)

// Limits of an identity.
const (
	MaxExternalID = 255 // code points
	maxLocalPart  = 64  // bytes, from RFC 5321
	maxLabel      = 63  // bytes, from RFC 1035
)

// Identity is the user of an app that a token is for.
type Identity struct {
	// ExternalID is the app's own id of the user.
	ExternalID string
	Email      string
}

// Check returns every problem of the identity; none if it is valid.
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
	case len(id.Email) > kith.MaxEmail:
		add("email", "TOO_LONG", "must have at most 254 bytes")
	case !validEmail(id.Email):
		add("email", "INVALID_EMAIL", "must be a valid e-mail address, such as jane@example.com")
	}
	return problems
}

// CheckKnown is [Identity.Check] for a user who may be without an address.
func (id Identity) CheckKnown() []kith.FieldError {
	return slices.DeleteFunc(id.Check(), func(p kith.FieldError) bool { return p.Field == "email" && id.Email == "" })
}

// validEmail is stricter than [kith.ValidEmail]: addresses of app users are never masked, so their domains must consist
// of host-name labels.
func validEmail(s string) bool {
	local, domain, _ := strings.Cut(s, "@")
	return kith.ValidEmail(s) && len(local) <= maxLocalPart && validDomain(domain)
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
