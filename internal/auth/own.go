package auth

import (
	"context"
	"slices"
	"time"

	"kith"
)

// MaxOwnTTL is the longest that a token lasts which a user makes.
const MaxOwnTTL = 365 * 24 * time.Hour

// shownTokens bounds how many of their tokens a user is shown.
const shownTokens = 100

// OwnTokens lists the valid tokens of a user, the newest 100, the newest first. Sessions
// and published tokens are not among them.
func (s *Service) OwnTokens(ctx context.Context, a kith.Actor) ([]TokenInfo, error) {
	all, err := s.store.TokensOf(ctx, a.AppID, a.ExternalID, s.now())
	if err != nil {
		return nil, err
	}
	own := slices.DeleteFunc(all, func(t TokenInfo) bool { return t.Session || t.Fixed })
	slices.SortFunc(own, func(a, b TokenInfo) int { return int(b.ID - a.ID) })
	return own[:min(len(own), shownTokens)], nil
}

// IssueOwn makes a token for the user themselves, for another client of theirs. ttl is at
// most [MaxOwnTTL].
func (s *Service) IssueOwn(ctx context.Context, a kith.Actor, scopes kith.Scopes, ttl time.Duration,
) (int64, Issued, error) {
	now, ttl := s.now().UTC().Truncate(time.Millisecond), min(ttl, MaxOwnTTL)
	out := Issued{Token: newSecret(tokenPrefix), Expires: now.Add(ttl), TTL: ttl, Scopes: scopes & kith.UserScopes}
	id, err := s.store.AddToken(ctx, a.UserID,
		TokenRecord{Hash: HashOf(out.Token), Created: now, Expires: out.Expires, Scopes: out.Scopes})
	return id, out, err
}

// EndOwnToken ends a token of a user; one that is not theirs is NotFound. Another process
// may let it pass for [cacheTTL] more.
func (s *Service) EndOwnToken(ctx context.Context, a kith.Actor, id int64) error {
	return s.endOwn(ctx, a, id, false,
		kith.Errorf(kith.NotFound, "TOKEN_NOT_FOUND", "you have no such token; GET /v2/user/tokens lists yours"))
}
