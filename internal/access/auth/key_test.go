package auth_test

import (
	"testing"
	"time"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// During a rotation some key is valid at every moment.
func TestRotatedKeysStayValidForAGracePeriod(t *testing.T) {
	c := newClock()
	s := newService(pgtest.NewDataset(t), c)
	app, old := createApp(t, s, "acme")
	before, err := s.Key(t.Context(), old)
	expect.NoError(t, err)
	token, err := s.IssueBy(t.Context(), before, auth.Identity{ExternalID: "u1", Email: "u1@example.com"}, 0)
	expect.NoError(t, err)
	id, fresh, err := s.Rotate(t.Context(), kith.OperatorPrincipal(), app, before.ID, time.Hour)
	expect.NoError(t, err)
	after, err := s.Key(t.Context(), fresh)
	if err != nil || after.ID != id || after.Name != before.Name || after.Scopes != before.Scopes ||
		!after.Expires.IsZero() {
		t.Errorf("the new key is %+v, %v", after, err)
	}
	if _, err := s.Key(t.Context(), old); err != nil {
		t.Errorf("the old key is not valid within the grace period: %v", err)
	}
	c.at = c.at.Add(time.Hour)
	_, err = s.Key(t.Context(), old)
	wantCode(t, err, kith.Unauthorized, "SECRET_KEY_EXPIRED")
	if _, err := s.Verify(t.Context(), token.Token); err != nil {
		t.Errorf("a token of the old key ended with it: %v", err)
	}
	_, _, err = s.Rotate(t.Context(), kith.OperatorPrincipal(), app, 4711, 0)
	wantCode(t, err, kith.NotFound, "KEY_NOT_FOUND")
}

// A revoked key is invalid at once, and so are its tokens.
func TestRevokedKeysEndTheirTokens(t *testing.T) {
	c := newClock()
	s := newService(pgtest.NewDataset(t), c)
	app, _ := createApp(t, s, "acme")
	id, secret, err := s.AddKey(t.Context(), kith.OperatorPrincipal(), app,
		auth.KeySpec{Name: "leaked", Scopes: kith.DefaultScopes, Lifetime: time.Hour})
	expect.NoError(t, err)
	_, _, err = s.AddKey(t.Context(), kith.OperatorPrincipal(), app, auth.KeySpec{Name: "leaked"})
	wantCode(t, err, kith.Conflict, "KEY_EXISTS")
	for _, bad := range []string{" ", "\u200b"} {
		_, _, err = s.AddKey(t.Context(), kith.OperatorPrincipal(), app, auth.KeySpec{Name: bad})
		wantCode(t, err, kith.Invalid, "INVALID_KEY_NAME")
	}
	key, err := s.Key(t.Context(), secret)
	expect.NoError(t, err)
	leaked, err := s.IssueBy(t.Context(), key, auth.Identity{ExternalID: "u1", Email: "u1@example.com"}, 0)
	expect.NoError(t, err)
	own := issue(t, s, app, "u1")
	keys, err := s.Keys(t.Context(), app)
	if err != nil || len(keys) != 2 || keys[1].Name != "leaked" || !keys[1].LastUsed.Equal(c.at) ||
		!keys[1].Expires.Equal(c.at.Add(time.Hour)) || !keys[0].LastUsed.IsZero() {
		t.Errorf("keys %+v, %v", keys, err)
	}
	other, _ := createApp(t, s, "globex")
	wantCode(t, s.RevokeKey(t.Context(), kith.OperatorPrincipal(), other, id), kith.NotFound, "KEY_NOT_FOUND")
	expect.NoError(t, s.RevokeKey(t.Context(), kith.OperatorPrincipal(), app, id))
	_, err = s.Key(t.Context(), secret)
	wantCode(t, err, kith.Unauthorized, "SECRET_KEY_INVALID")
	_, err = s.Verify(t.Context(), leaked.Token)
	wantCode(t, err, kith.Unauthorized, "TOKEN_INVALID")
	if _, err := s.Verify(t.Context(), own.Token); err != nil {
		t.Errorf("a token of the operator ended with the key: %v", err)
	}
}

func TestAppsListTheirTokensAndUsers(t *testing.T) {
	c := newClock()
	s := newService(pgtest.NewDataset(t), c)
	app, _ := createApp(t, s, "acme")
	first := issue(t, s, app, "u1")
	issue(t, s, app, "u2")
	tokens, err := s.Tokens(t.Context(), app, "u1")
	if err != nil || len(tokens) != 1 || tokens[0].User != "u1" || tokens[0].Scopes != kith.UserScopes {
		t.Fatalf("tokens: %+v, %v", tokens, err)
	}
	expect.NoError(t, s.RevokeToken(t.Context(), kith.OperatorPrincipal(), tokens[0].ID))
	wantCode(t, s.RevokeToken(t.Context(), kith.OperatorPrincipal(), tokens[0].ID), kith.NotFound, "TOKEN_NOT_FOUND")
	_, err = s.Verify(t.Context(), first.Token)
	wantCode(t, err, kith.Unauthorized, "TOKEN_INVALID")

	expect.NoError(t, s.SetDisabled(t.Context(), kith.OperatorPrincipal(), app, "u2", true))
	wantCode(t, s.SetDisabled(t.Context(), kith.OperatorPrincipal(), app, "u3", true), kith.NotFound, "USER_NOT_FOUND")
	users, err := s.Users(t.Context(), app)
	if err != nil || len(users) != 2 || !users[0].Disabled.IsZero() || !users[1].Disabled.Equal(c.at) ||
		users[1].Tokens != 0 {
		t.Errorf("users: %+v, %v", users, err)
	}
	_, err = s.Issue(t.Context(), app, auth.Identity{ExternalID: "u2", Email: "u2@example.com"})
	wantCode(t, err, kith.Forbidden, "USER_DISABLED")
	expect.NoError(t, s.SetDisabled(t.Context(), kith.OperatorPrincipal(), app, "u2", false))
	issue(t, s, app, "u2")
}
