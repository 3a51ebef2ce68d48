package auth

import (
	"context"
	"slices"
	"time"

	"kith"
)

// MaxOwnTTL is the longest lifetime of a token that a user makes.
const MaxOwnTTL = 365 * 24 * time.Hour

// shownTokens is how many of their tokens a user can list.
const shownTokens = 100

// OwnTokens lists the user's valid tokens, newest first, at most 100. Sessions and published tokens are left out.
func (s *Service) OwnTokens(ctx context.Context, a kith.Actor) ([]TokenInfo, error) {
	all, err := s.store.TokensOf(ctx, a.AppID, a.ExternalID, s.now())
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(all, func(t TokenInfo) bool { return t.Session || t.Fixed })
	slices.SortFunc(own, func(a, b TokenInfo) int { return int(b.ID - a.ID) })
	return own[:min(len(own), shownTokens)], nil
}

// IssueOwn makes a token for another client of the user, and returns its id. ttl is capped at [MaxOwnTTL].
func (s *Service) IssueOwn(ctx context.Context, a kith.Actor, scopes kith.Scopes, ttl time.Duration,
) (int64, Issued, error) {
	now, ttl := s.now().UTC().Truncate(time.Millisecond), min(ttl, MaxOwnTTL)
	out := Issued{Token: newSecret(tokenPrefix), Expires: now.Add(ttl), TTL: ttl, Scopes: scopes & kith.UserScopes}
	id, err := s.store.AddToken(ctx, a.Principal(), a.UserID,
		TokenRecord{Hash: HashOf(out.Token), Created: now, Expires: out.Expires, Scopes: out.Scopes})
	return id, out, err
}

// EndOwnToken revokes a token of the user; NotFound if it is not theirs. Another process may accept it for up to
// [cacheTTL].
func (s *Service) EndOwnToken(ctx context.Context, a kith.Actor, id int64) error {
	return s.endOwn(ctx, a, id, false,
		kith.Errorf(kith.NotFound, "TOKEN_NOT_FOUND", "you have no such token; GET /v2/user/tokens lists yours"))
}
