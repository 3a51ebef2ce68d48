package auth

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"kith"
)

const (
	// LinkTTL is how long a link to sign in lasts.
	LinkTTL = 15 * time.Minute
	// SessionTTL is how long a session lasts.
	SessionTTL = 30 * 24 * time.Hour
	// maxAgent bounds what is kept of what a browser says that it is, in code points.
	maxAgent = 200
)

// Session is a session of a browser, without its secret. A session is a token with all
// scopes of users; it travels in a cookie and is begun with a link. One of the operator may
// run the installation, too.
type Session struct {
	ID int64
	// Agent is what the browser said that it is.
	Agent string
	// The times are in UTC. LastUsed is exact to the minute.
	Created, Expires, LastUsed time.Time
}

// Credential is a new link to sign in, or a new session; this is the only time that its
// secret can be read.
type Credential struct {
	Secret  string
	Expires time.Time
}

// LinkRecord is a link as it is stored.
type LinkRecord struct {
	Hash             Hash
	Created, Expires time.Time
	// Operator is true for a link to a session of the operator.
	Operator bool
}

// SessionRecord is a session as it is stored.
type SessionRecord struct {
	Hash             Hash
	Agent            string
	Created, Expires time.Time
	Scopes           kith.Scopes
}

// IsSession reports whether a secret is made for a session: one is never taken for
// the other, since only a session is sent by browsers of their own accord.
func IsSession(secret string) bool { return strings.HasPrefix(secret, sessionPrefix) }

// LoginLink makes a link that signs a user in once, within [LinkTTL]. Where the
// identity has an e-mail address, a user who is new is created; else they are
// NotFound. A user who is disabled is Forbidden.
func (s *Service) LoginLink(ctx context.Context, app App, id Identity) (Credential, error) {
	return s.loginLink(ctx, app, id, linkPrefix)
}

// OperatorLink is [Service.LoginLink] for a user who runs the installation: the session has [kith.ScopeOperator]
// beside the scopes of users.
func (s *Service) OperatorLink(ctx context.Context, app App, id Identity) (Credential, error) {
	return s.loginLink(ctx, app, id, operatorLinkPrefix)
}

func (s *Service) loginLink(ctx context.Context, app App, id Identity, prefix string) (Credential, error) {
	problems := id.Check()
	if id.Email == "" {
		problems = slices.DeleteFunc(problems, func(p kith.FieldError) bool { return p.Field == "email" })
	}
	if err := kith.InvalidFields(problems); err != nil {
		return Credential{}, err
	}
	id.Email = kith.NormalEmail(id.Email)
	now := s.now().UTC().Truncate(time.Millisecond)
	link := Credential{Secret: newSecret(prefix), Expires: now.Add(LinkTTL)}
	return link, s.store.SaveLink(ctx, app.ID, id, LinkRecord{
		Hash: HashOf(link.Secret), Created: now, Expires: link.Expires, Operator: prefix == operatorLinkPrefix,
	})
}

// SignIn ends a link and begins a session of its user. A link that is unknown, was
// used or has expired is Unauthorized, and of two uses at once one is. A user who is
// disabled is Forbidden.
func (s *Service) SignIn(ctx context.Context, link, agent string) (Credential, error) {
	if !plausible(link) {
		return Credential{}, errLink()
	}
	now := s.now().UTC().Truncate(time.Millisecond)
	in := Credential{Secret: newSecret(sessionPrefix), Expires: now.Add(SessionTTL)}
	scopes := kith.UserScopes
	if strings.HasPrefix(link, operatorLinkPrefix) { // which its hash is of, too
		scopes |= kith.ScopeOperator
	}
	err := s.store.UseLink(ctx, HashOf(link), SessionRecord{
		Hash: HashOf(in.Secret), Agent: shortened(agent), Created: now, Expires: in.Expires, Scopes: scopes,
	})
	if kith.KindOf(err) == kith.NotFound {
		return Credential{}, errLink()
	}
	return in, err
}

// Sessions lists the sessions of a user, the newest first.
func (s *Service) Sessions(ctx context.Context, a kith.Actor) ([]Session, error) {
	return s.store.SessionsOf(ctx, a.UserID, s.now())
}

// EndSession ends a session of a user; one that is not theirs is NotFound. Another
// process may let it pass for [cacheTTL] more.
func (s *Service) EndSession(ctx context.Context, a kith.Actor, id int64) error {
	return s.endOwn(ctx, a, id, true,
		kith.Errorf(kith.NotFound, "SESSION_NOT_FOUND", "you have no such session; GET /v2/user/sessions lists yours"))
}

// endOwn ends a session, or a token, of a user; missing is the error where it is not theirs.
func (s *Service) endOwn(ctx context.Context, a kith.Actor, id int64, session bool, missing error) error {
	ended, err := s.store.EndOwn(ctx, a.UserID, id, session)
	if err != nil {
		return err
	}
	if ended == 0 {
		return missing
	}
	s.cache.dropUser(a.UserID)
	return nil
}

// EndSessions ends all sessions of a user and returns how many there were. Tokens stay.
func (s *Service) EndSessions(ctx context.Context, a kith.Actor) (int, error) {
	ended, err := s.store.EndSessions(ctx, a.UserID)
	s.cache.dropUser(a.UserID)
	return ended, err
}

// shortened is what is kept of a text that a browser sends.
func shortened(agent string) string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(agent, ""))
	letters := []rune(clean)
	return string(letters[:min(len(letters), maxAgent)])
}

func errLink() error {
	return kith.Errorf(kith.Unauthorized, "LINK_INVALID",
		"the link is unknown, was used already, or has expired; ask the operator for a new one (kith login-link)")
}

func errSession() error {
	return kith.Errorf(kith.Unauthorized, "SESSION_ENDED",
		"the session has ended; sign in again with a new link (kith login-link)")
}
