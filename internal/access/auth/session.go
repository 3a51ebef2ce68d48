package auth

import (
	"context"
	"strings"
	"time"
	"unicode"

	"kith"
)

const (
	// LinkTTL is the lifetime of a sign-in link.
	LinkTTL = 15 * time.Minute
	// SessionTTL is the lifetime of a session.
	SessionTTL = 30 * 24 * time.Hour
	// maxAgent is how many code points of a browser's user agent are stored.
	maxAgent = 200
)

// Session is a browser session, without its secret. A session is a token with all user scopes, sent in a cookie and
// begun with a link. A session of the operator also has the operator scope.
type Session struct {
	ID int64
	// Agent is the browser's user agent.
	Agent string
	// The times are in UTC. LastUsed is exact to the minute.
	Created, Expires, LastUsed time.Time
}

// Credential is a new sign-in link or session; its secret cannot be read again.
type Credential struct {
	Secret  string
	Expires time.Time
}

// LinkRecord is the stored form of a link.
type LinkRecord struct {
	Hash             Hash
	Created, Expires time.Time
	// Operator is true for a link to a session of the operator.
	Operator bool
}

// SessionRecord is the stored form of a session.
type SessionRecord struct {
	Hash             Hash
	Agent            string
	Created, Expires time.Time
	Scopes           kith.Scopes
}

// IsSession reports whether a secret belongs to a session. Sessions and bearer tokens are not interchangeable, because
// browsers send session cookies on their own.
func IsSession(secret string) bool { return strings.HasPrefix(secret, sessionPrefix) }

// LoginLink makes a link that signs a user in once, within [LinkTTL]. It creates an unknown user if the identity has an
// e-mail address; otherwise an unknown user is NotFound. A disabled user is Forbidden.
func (s *Service) LoginLink(ctx context.Context, by kith.Principal, app App, id Identity) (Credential, error) {
	return s.loginLink(ctx, by, app, id, linkPrefix)
}

// OperatorLink is [Service.LoginLink] for a user who operates the installation: the session has [kith.ScopeOperator] in
// addition to the user scopes.
func (s *Service) OperatorLink(ctx context.Context, by kith.Principal, app App, id Identity) (Credential, error) {
	return s.loginLink(ctx, by, app, id, operatorLinkPrefix)
}

// DemoLink is [Service.OperatorLink] for a server with a demo: the browser looks at the demo first, see [OpensDemo].
func (s *Service) DemoLink(ctx context.Context, by kith.Principal, app App, id Identity) (Credential, error) {
	return s.loginLink(ctx, by, app, id, demoLinkPrefix)
}

// OpensDemo reports whether a link was made by [Service.DemoLink]. Its session is one like any other: that the browser
// looks at the demo is for the server to arrange.
func OpensDemo(link string) bool { return strings.HasPrefix(link, demoLinkPrefix) }

func (s *Service) loginLink(
	ctx context.Context, by kith.Principal, app App, id Identity, prefix string,
) (Credential, error) {
	if err := kith.InvalidFields(id.CheckKnown()); err != nil {
		return Credential{}, err
	}
	id.Email = kith.NormalEmail(id.Email)
	now := s.now().UTC().Truncate(time.Millisecond)
	link := Credential{Secret: newSecret(prefix), Expires: now.Add(LinkTTL)}
	return link, s.store.SaveLink(ctx, by, app.ID, id, LinkRecord{
		Hash: HashOf(link.Secret), Created: now, Expires: link.Expires, Operator: prefix != linkPrefix,
	})
}

// SignIn uses up a link and begins a session for its user. An unknown, used or expired link is Unauthorized; of two
// concurrent uses, one is refused that way. A disabled user is Forbidden.
func (s *Service) SignIn(ctx context.Context, link, agent string) (Credential, error) {
	if !plausible(link) {
		return Credential{}, errLink()
	}
	now := s.now().UTC().Truncate(time.Millisecond)
	in := Credential{Secret: newSecret(sessionPrefix), Expires: now.Add(SessionTTL)}
	scopes := kith.UserScopes
	if strings.HasPrefix(link, operatorLinkPrefix) || OpensDemo(link) { // safe: the hash covers the prefix
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

// EndSession ends a session of the user; NotFound if it is not theirs. Another process may accept it for up to
// [cacheTTL].
func (s *Service) EndSession(ctx context.Context, a kith.Actor, id int64) error {
	return s.endOwn(ctx, a, id, true,
		kith.Errorf(kith.NotFound, "SESSION_NOT_FOUND", "you have no such session; GET /v2/user/sessions lists yours"))
}

// endOwn ends a session or token of the user; missing is the error if it is not theirs.
func (s *Service) endOwn(ctx context.Context, a kith.Actor, id int64, session bool, missing error) error {
	ended, err := s.store.EndOwn(ctx, a, id, session)
	if err != nil {
		return err
	}
	if ended == 0 {
		return missing
	}
	s.cache.dropUser(a.UserID)
	return nil
}

// EndSessions ends all sessions of the user and returns their number. Tokens stay.
func (s *Service) EndSessions(ctx context.Context, a kith.Actor) (int, error) {
	ended, err := s.store.EndSessions(ctx, a)
	s.cache.dropUser(a.UserID)
	return ended, err
}

// shortened removes control characters from a user agent and truncates it to maxAgent.
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
