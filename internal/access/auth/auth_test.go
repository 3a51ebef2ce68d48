package auth_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// clock is a clock that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func newClock() *clock { return &clock{at: time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)} }

func newService(db *postgres.DB, c *clock) *auth.Service {
	return auth.New(db.Auth(), auth.Config{Now: c.now})
}

func issue(t *testing.T, s *auth.Service, app auth.App, user string) auth.Issued {
	t.Helper()
	issued, err := s.Issue(t.Context(), app, auth.Identity{ExternalID: user, Email: user + "@example.com"})
	expect.NoError(t, err)
	return issued
}

func createApp(t *testing.T, s *auth.Service, name string) (auth.App, string) {
	t.Helper()
	app, key, err := s.CreateApp(t.Context(), name)
	expect.NoError(t, err)
	return app, key
}

func wantCode(t *testing.T, err error, kind kith.Kind, code string) {
	t.Helper()
	got, ok := errors.AsType[*kith.Error](err)
	if !ok || got.Kind != kind || got.Code != code {
		t.Fatalf("got %v, want %s", err, code)
	}
}

func TestAppsHaveNamesAndKeys(t *testing.T) {
	s := newService(pgtest.NewDataset(t), newClock())
	app, key := createApp(t, s, "acme")
	if !strings.HasPrefix(key, "sk_") || len(key) != 46 {
		t.Errorf("key %q", key)
	}
	if got, err := s.Key(t.Context(), key); err != nil || got.App != app || got.Scopes != kith.DefaultScopes {
		t.Errorf("Key: %v, %v", got, err)
	}
	if got, err := s.AppByName(t.Context(), "acme"); err != nil || got != app {
		t.Errorf("AppByName: %v, %v", got, err)
	}
	_, _, err := s.CreateApp(t.Context(), "acme")
	wantCode(t, err, kith.Conflict, "APP_EXISTS")
	for _, bad := range []string{"", " acme", "a\x00", "\u200b", strings.Repeat("é", 101)} {
		_, _, err := s.CreateApp(t.Context(), bad)
		wantCode(t, err, kith.Invalid, "INVALID_APP_NAME")
	}
	for _, bad := range []string{"", "sk_unknown", key + "x", "sk_é", strings.Repeat("k", 300)} {
		_, err := s.Key(t.Context(), bad)
		wantCode(t, err, kith.Unauthorized, "SECRET_KEY_INVALID")
	}
	_, err = s.AppByName(t.Context(), "nobody")
	wantCode(t, err, kith.NotFound, "APP_NOT_FOUND")
}

func TestTokensBelongToTheirUser(t *testing.T) {
	c := newClock()
	s := newService(pgtest.NewDataset(t), c)
	app, _ := createApp(t, s, "acme")
	first := issue(t, s, app, "u1")
	if !strings.HasPrefix(first.Token, "kt_") || len(first.Token) != 46 ||
		!first.Expires.Equal(c.at.Add(24*time.Hour)) {
		t.Errorf("issued %+v", first)
	}
	actor, err := s.Verify(t.Context(), first.Token)
	expect.NoError(t, err)
	expect.Values(t, "actor",
		[]any{actor.AppID, actor.ExternalID, actor.Email, actor.CreatedAt.Equal(c.at), actor.Demo},
		app.ID, "u1", "u1@example.com", true, false)
	if !actor.TokenExpires.Equal(first.Expires) {
		t.Errorf("the token of %+v expires at %v", actor, first.Expires)
	}
	again, err := s.Issue(t.Context(), app, auth.Identity{ExternalID: "u1", Email: "new@example.com"})
	expect.NoError(t, err)
	same, err := s.Verify(t.Context(), again.Token)
	if err != nil || same.UserID != actor.UserID || same.Email != "new@example.com" ||
		!same.CreatedAt.Equal(actor.CreatedAt) {
		t.Errorf("the second token belongs to %+v, %v", same, err)
	}
	other, _ := createApp(t, s, "other")
	stranger, err := s.Verify(t.Context(), issue(t, s, other, "u1").Token)
	if err != nil || stranger.UserID == actor.UserID {
		t.Errorf("the user of another app is %+v, %v", stranger, err)
	}
	for _, bad := range []string{"", "kt_unknown", first.Token + "x", "kt_\n", strings.Repeat("t", 10000)} {
		_, err := s.Verify(t.Context(), bad)
		wantCode(t, err, kith.Unauthorized, "TOKEN_INVALID")
	}
}

// A new address is visible at once in the issuing process, with every token of the user. Other processes follow
// within two seconds.
func TestNewAddressesAreVisibleAtOnce(t *testing.T) {
	c := newClock()
	db := pgtest.NewDataset(t)
	s, replica := newService(db, c), newService(db, c)
	app, _ := createApp(t, s, "acme")
	first, other := issue(t, s, app, "u1"), issue(t, s, app, "u2")
	shows := func(s *auth.Service, token, want string) {
		t.Helper()
		if actor, err := s.Verify(t.Context(), token); err != nil || actor.Email != want {
			t.Errorf("the address is %q, %v, want %q", actor.Email, err, want)
		}
	}
	shows(s, first.Token, "u1@example.com")
	shows(replica, first.Token, "u1@example.com")
	for _, email := range []string{"new@example.com", "new@example.com", "u1@example.com", "newer@example.com"} {
		if _, err := s.Issue(t.Context(), app, auth.Identity{ExternalID: "u1", Email: email}); err != nil {
			t.Fatal(err)
		}
		shows(s, first.Token, email)
		shows(s, other.Token, "u2@example.com")
	}
	c.at = c.at.Add(2 * time.Second)
	shows(replica, first.Token, "newer@example.com")
}

func TestTokensExpireToTheMillisecond(t *testing.T) {
	c := newClock()
	s := newService(pgtest.NewDataset(t), c)
	app, _ := createApp(t, s, "acme")
	issued := issue(t, s, app, "u1")
	c.at = issued.Expires.Add(-time.Millisecond)
	if _, err := s.Verify(t.Context(), issued.Token); err != nil {
		t.Errorf("a millisecond before its end: %v", err)
	}
	c.at = issued.Expires // the cache still has the grant
	_, err := s.Verify(t.Context(), issued.Token)
	wantCode(t, err, kith.Unauthorized, "TOKEN_EXPIRED")
	c.at = issued.Expires.Add(25 * time.Hour)
	issue(t, s, app, "u1")
	_, err = s.Verify(t.Context(), issued.Token)
	wantCode(t, err, kith.Unauthorized, "TOKEN_INVALID")
}

func TestRevokedTokensAreInvalid(t *testing.T) {
	c := newClock()
	db := pgtest.NewDataset(t)
	s, replica := newService(db, c), newService(db, c)
	app, _ := createApp(t, s, "acme")
	a, b, other := issue(t, s, app, "u1"), issue(t, s, app, "u1"), issue(t, s, app, "u2")
	valid := func(s *auth.Service, token string) bool {
		_, err := s.Verify(t.Context(), token)
		if err != nil {
			wantCode(t, err, kith.Unauthorized, "TOKEN_INVALID")
		}
		return err == nil
	}
	for _, token := range []string{a.Token, b.Token, other.Token} {
		if !valid(s, token) || !valid(replica, token) {
			t.Fatal("a new token is not valid")
		}
	}
	expect.NoError(t, s.Revoke(t.Context(), a.Token, false))
	if valid(s, a.Token) || !valid(s, b.Token) {
		t.Error("revoking one token ended none or both")
	}
	c.at = c.at.Add(2 * time.Second)
	if valid(replica, a.Token) {
		t.Error("a replica still accepts the token after two seconds")
	}
	d := issue(t, s, app, "u1")
	expect.NoError(t, s.Revoke(t.Context(), b.Token, true))
	if valid(s, b.Token) || valid(s, d.Token) || !valid(s, other.Token) {
		t.Error("revoking all tokens of a user ended too few or too many")
	}
	wantCode(t, s.Revoke(t.Context(), b.Token, false), kith.Unauthorized, "TOKEN_INVALID")
}

func TestFixedTokensCannotBeRevoked(t *testing.T) {
	c := newClock()
	s := newService(pgtest.NewDataset(t), c)
	fixed := auth.Fixed{
		App: "demo", Key: "demo_sk_global", Token: "demo_token_global",
		User: auth.Identity{ExternalID: "demo", Email: "demo@example.com"},
	}
	for range 2 {
		expect.NoError(t, s.EnsureFixed(t.Context(), fixed))
	}
	published, err := s.Key(t.Context(), fixed.Key)
	expect.NoError(t, err)
	app := published.App
	wantCode(t, s.Revoke(t.Context(), fixed.Token, false), kith.Forbidden, "TOKEN_FIXED")
	wantCode(t, s.Revoke(t.Context(), fixed.Token, true), kith.Forbidden, "TOKEN_FIXED")
	own := issue(t, s, app, "demo")
	expect.NoError(t, s.Revoke(t.Context(), own.Token, true))
	c.at = c.at.AddDate(50, 0, 0)
	if actor, err := s.Verify(t.Context(), fixed.Token); err != nil || actor.ExternalID != "demo" {
		t.Errorf("the published token: %+v, %v", actor, err)
	}
	expect.NoError(t, s.DropUsers(t.Context()))
	c.at = c.at.Add(2 * time.Second)
	_, err = s.Verify(t.Context(), fixed.Token)
	wantCode(t, err, kith.Unauthorized, "TOKEN_INVALID")
	expect.NoError(t, s.EnsureFixed(t.Context(), fixed))
	if _, err := s.Verify(t.Context(), fixed.Token); err != nil {
		t.Errorf("the published token after a second EnsureFixed: %v", err)
	}
}

func TestPostgresOutageIsNotUnauthorized(t *testing.T) {
	db := pgtest.NewDataset(t)
	s := newService(db, newClock())
	app, _ := createApp(t, s, "acme")
	issued := issue(t, s, app, "u1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Verify(ctx, issued.Token); err == nil || kith.KindOf(err) == kith.Unauthorized {
		t.Errorf("a failed look-up returns %v", err)
	}
}

func TestIdentitiesAreChecked(t *testing.T) {
	good := auth.Identity{ExternalID: "u1", Email: "jane@example.com"}
	tests := []struct {
		change func(*auth.Identity)
		want   string
	}{
		{func(*auth.Identity) {}, ""},
		{func(id *auth.Identity) { id.ExternalID = strings.Repeat("é", 255) }, ""},
		{func(id *auth.Identity) { id.ExternalID = "" }, "external_user_id REQUIRED"},
		{func(id *auth.Identity) { id.ExternalID = strings.Repeat("é", 256) }, "external_user_id TOO_LONG"},
		{func(id *auth.Identity) { id.ExternalID = "a\x00b" }, "external_user_id INVALID_CHARACTER"},
		{func(id *auth.Identity) { id.ExternalID = "a\u0085b" }, "external_user_id INVALID_CHARACTER"},
		{func(id *auth.Identity) { id.ExternalID = "  " }, "external_user_id INVALID_VALUE"},
		{func(id *auth.Identity) { id.Email = "" }, "email REQUIRED"},
		{func(id *auth.Identity) { id.Email = strings.Repeat("a", 250) + "@b.io" }, "email TOO_LONG"},
		{func(id *auth.Identity) { id.Email = "jane" }, "email INVALID_EMAIL"},
		{func(id *auth.Identity) { *id = auth.Identity{} }, "external_user_id REQUIRED, email REQUIRED"},
	}
	for _, tt := range tests {
		id := good
		tt.change(&id)
		var got []string
		for _, p := range id.Check() {
			got = append(got, p.Field+" "+p.Code)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%q: got %q, want %q", id, got, tt.want)
		}
	}
}

func TestIdentityEmailsAreChecked(t *testing.T) {
	valid := func(email string) bool { return len(auth.Identity{ExternalID: "u", Email: email}.Check()) == 0 }
	for _, good := range []string{
		"jane@example.com", "a.b+c@sub.example.co", "root@localhost", "jürgen@müller.de",
		"x_y-z@a-b.example", "o'neil@example.com",
	} {
		if !valid(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", "jane", "@example.com", "jane@", "a@b@c", "Jane <jane@example.com>", "<jane@example.com>",
		"jane@example..com",
		"jane@-example.com",
		"jane@exa_mple.com", "ja\u0081ne@example.com", ".jane@example.com", "ja..ne@example.com", "jane @example.com",
		"jane@example.com\n", `"a b"@example.com`, "a@[127.0.0.1]",
		"jane@example.com (Jane)", strings.Repeat("a", 65) + "@example.com", "jane@" + strings.Repeat("a", 64) + ".com",
		"jane@example.com, joe@example.com",
	} {
		if valid(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}
