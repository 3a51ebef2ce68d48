package auth_test

import (
	"testing"
	"time"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestLinksAndSessionsExpireToTheMillisecond(t *testing.T) {
	c := newClock()
	s := newService(pgtest.NewDataset(t), c)
	app, _ := createApp(t, s, "acme")
	link := func() auth.Credential {
		l, err := s.LoginLink(
			t.Context(), kith.OperatorPrincipal(), app, auth.Identity{ExternalID: "u1", Email: "u1@example.com"},
		)
		expect.NoError(t, err)
		return l
	}
	late, timely := link(), link()
	c.at = c.at.Add(auth.LinkTTL - time.Millisecond)
	in, err := s.SignIn(t.Context(), timely.Secret, "browser")
	if err != nil || !auth.IsSession(in.Secret) {
		t.Fatalf("a millisecond before the end of the link: %+v, %v", in, err)
	}
	c.at = late.Expires
	_, err = s.SignIn(t.Context(), late.Secret, "browser")
	wantCode(t, err, kith.Unauthorized, "LINK_INVALID")
	actor, err := s.Verify(t.Context(), in.Secret)
	if err != nil || actor.ExternalID != "u1" || actor.Scopes != kith.UserScopes || actor.TokenID == 0 {
		t.Errorf("actor of the session: %+v, %v", actor, err)
	}
	c.at = in.Expires
	_, err = s.Verify(t.Context(), in.Secret)
	wantCode(t, err, kith.Unauthorized, "SESSION_ENDED")
}

func TestLinksLeaveTheAddressOfTheUser(t *testing.T) {
	s := newService(pgtest.NewDataset(t), newClock())
	app, _ := createApp(t, s, "acme")
	_, err := s.LoginLink(t.Context(), kith.OperatorPrincipal(), app, auth.Identity{ExternalID: "u1"})
	wantCode(t, err, kith.NotFound, "USER_NOT_FOUND")
	_, err = s.LoginLink(
		t.Context(), kith.OperatorPrincipal(), app, auth.Identity{ExternalID: "", Email: "u1@example.com"},
	)
	if kith.KindOf(err) != kith.Invalid {
		t.Errorf("a link without a user: %v", err)
	}
	token := issue(t, s, app, "u1").Token
	other := auth.Identity{ExternalID: "u1", Email: "other@example.com"}
	if _, err := s.LoginLink(t.Context(), kith.OperatorPrincipal(), app, other); err != nil {
		t.Fatal(err)
	}
	if actor, err := s.Verify(t.Context(), token); err != nil || actor.Email != "u1@example.com" {
		t.Errorf("a link changed the address to %q, %v", actor.Email, err)
	}
}
