package kith

import (
	"fmt"
	"slices"
	"strings"
)

// Scopes is a set of what a credential may be used for. A secret key has scopes, and
// a token those of its key that are for users, or fewer.
type Scopes uint16

// The scopes.
const (
	// ScopeSearch is searching people.
	ScopeSearch Scopes = 1 << iota
	// ScopeRelationships is reading and changing the caller's network.
	ScopeRelationships
	// ScopeOutreachRead is reading sequences and all that belongs to them.
	ScopeOutreachRead
	// ScopeOutreachWrite is changing them, as far as nothing is sent by it.
	ScopeOutreachWrite
	// ScopeOutreachSend is approving e-mails, editing approved ones and setting up what sends them.
	ScopeOutreachSend
	// ScopeEnrich is reading people by their profile URL.
	ScopeEnrich
	// ScopeRefresh is having people refreshed.
	ScopeRefresh
	// ScopePrivacy is erasing people for all apps.
	ScopePrivacy
	// ScopeTokens is issuing tokens.
	ScopeTokens
	// ScopeAudit is reading the audit of all apps.
	ScopeAudit
	// ScopeOperator is running the installation: apps, keys, users, jobs, the index.
	ScopeOperator
)

const (
	// AllScopes are all of them.
	AllScopes = ScopeOperator<<1 - 1
	// UserScopes are those that a token can have. The session of an operator has ScopeOperator, too.
	UserScopes = AllScopes &^ (ScopePrivacy | ScopeTokens | ScopeAudit | ScopeOperator)
	// DefaultScopes are those of a key unless the operator says otherwise: all but those that reach beyond the app.
	DefaultScopes = AllScopes &^ (ScopePrivacy | ScopeAudit | ScopeOperator)
)

func scopeNames() []string {
	return []string{
		"search", "relationships", "outreach:read", "outreach:write", "outreach:send", "enrich", "refresh",
		"privacy", "tokens", "audit", "operator",
	}
}

// Has reports whether all scopes of other are in s.
func (s Scopes) Has(other Scopes) bool { return s&other == other }

// Names returns the names of the scopes, in a fixed order.
func (s Scopes) Names() []string {
	names := []string{}
	for i, name := range scopeNames() {
		if s.Has(1 << i) {
			names = append(names, name)
		}
	}
	return names
}

// String joins the names with commas.
func (s Scopes) String() string { return strings.Join(s.Names(), ",") }

// ParseScopes reads names of scopes.
func ParseScopes(names []string) (Scopes, error) {
	var s Scopes
	for _, name := range names {
		i := slices.Index(scopeNames(), strings.TrimSpace(name))
		if i < 0 {
			return 0, fmt.Errorf("%q is not a scope; the scopes are %s", name, strings.Join(scopeNames(), ", "))
		}
		s |= 1 << i
	}
	return s, nil
}
