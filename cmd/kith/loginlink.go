package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/auth"
)

type loginLinkCmd struct {
	App   string `required:""`
	User  string `required:""`
	Email string

	Operator bool

	URL string `name:"url" default:"http://127.0.0.1:8080"`
}

// Help is shown below the flags.
func (loginLinkCmd) Help() string {
	return `The link signs the user in once, within 15 minutes. It is a secret: send it to nobody else.

Examples:
  kith login-link --app home --user me
  kith login-link --app acme --user u1 --email jane@example.com --url https://kith.example.com
  kith login-link --app home --user me --operator`
}

// Run prints the link.
func (c *loginLinkCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	base, err := url.Parse(c.URL)
	if err != nil || !strings.HasPrefix(base.Scheme, "http") || base.Host == "" || base.RawQuery+base.Fragment != "" {
		return usageError(fmt.Errorf("--url must be an address such as https://kith.example.com (got %q)", c.URL))
	}
	return withApp(ctx, g, log, c.App, func(svc *auth.Service, app auth.App) error {
		issue := svc.LoginLink
		if c.Operator {
			issue = svc.OperatorLink
		}
		link, err := issue(ctx, app, auth.Identity{ExternalID: c.User, Email: c.Email})
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "signs %s in once, until %s:\n", c.User, link.Expires.Format(time.RFC3339))
		fmt.Fprintln(g.results, signInURL(c.URL, link))
		return nil
	})
}

// signInURL puts the secret into the fragment. Browsers send it to no server, so it
// appears in no log, and opening the page does not use it up.
func signInURL(base string, link auth.Credential) string {
	return strings.TrimSuffix(base, "/") + "/sign-in#" + link.Secret
}

// ownerEmail is the address of the user me until one is set.
const ownerEmail = "me@localhost"

// offerSignIn logs a sign-in link for the user me of the app home, the owner of the installation. It does so only if
// the server listens on loopback, there is no other app, and the user has no session yet.
func (s *serving) offerSignIn(ctx context.Context, log zerolog.Logger) error {
	at, ok := s.ln.Addr().(*net.TCPAddr)
	if !ok || !at.IP.IsLoopback() {
		return nil
	}
	svc := s.system.opened[0].auth(auth.Config{})
	app, ok, err := home(ctx, svc)
	if err != nil || !ok {
		return err
	}
	link, err := svc.OperatorLink(ctx, app, auth.Identity{ExternalID: homeUser, Email: ownerEmail})
	if kith.KindOf(err) == kith.Forbidden { // the user is disabled
		return nil
	}
	if err != nil {
		return err
	}
	log.Info().Str("url", signInURL(s.url, link)).Time("valid_until", link.Expires).
		Msg("open this link to sign in; it works once")
	return nil
}

// home returns the app of a person who runs Kith for themselves, and creates it in a
// dataset without apps. ok is false if there are other apps, or the user has signed in.
func home(ctx context.Context, svc *auth.Service) (app auth.App, ok bool, err error) {
	apps, err := svc.Apps(ctx)
	if err == nil && len(apps) == 0 {
		if _, err = createKeyless(ctx, svc, homeApp); err == nil {
			apps, err = svc.Apps(ctx)
		}
	}
	if err != nil || len(apps) != 1 || apps[0].Name != homeApp {
		return auth.App{}, false, err
	}
	tokens, err := svc.Tokens(ctx, apps[0], homeUser)
	for _, t := range tokens {
		if t.Session {
			return auth.App{}, false, err
		}
	}
	return apps[0], true, err
}
