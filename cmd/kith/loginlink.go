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
	"kith/internal/access/auth"
)

type loginLinkCmd struct {
	App   string `required:""`
	User  string `required:""`
	Email string

	Operator bool

	URL string `name:"url" default:"http://127.0.0.1:8080"`
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
		link, err := issue(ctx, kith.OperatorPrincipal(), app, auth.Identity{ExternalID: c.User, Email: c.Email})
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

// printWayIn prints how to open the pages, alone and after the log of the start, if the server listens on loopback: a
// sign-in link for the owner of the installation or, if there is none, the address of the demo. The link with a demo
// shows the demo first.
func (s *serving) printWayIn(ctx context.Context) error {
	at, ok := s.ln.Addr().(*net.TCPAddr)
	if !ok || !at.IP.IsLoopback() {
		return nil
	}
	flags := s.system.flags
	link, err := s.ownerLink(ctx, flags.Demo)
	switch {
	case err != nil:
		return err
	case link.Secret != "":
		fmt.Fprintf(flags.results, "\nOpen this link to sign in. It works once, within 15 minutes:\n\n  %s\n\n",
			signInURL(s.url, link))
	case flags.Demo:
		fmt.Fprintf(flags.results, "\nOpen the demo:\n\n  %s/\n\n", s.url)
	}
	return nil
}

// ownerLink returns a sign-in link for the user me of the app home, the owner of the installation, and creates them in
// a dataset without apps. The link is empty if there are other apps, or the user is disabled.
func (s *serving) ownerLink(ctx context.Context, demo bool) (auth.Credential, error) {
	svc := s.system.opened[0].auth(auth.Config{})
	app, ok, err := home(ctx, svc)
	if err != nil || !ok {
		return auth.Credential{}, err
	}
	issue := svc.OperatorLink
	if demo {
		issue = svc.DemoLink
	}
	link, err := issue(ctx, kith.OperatorPrincipal(), app, auth.Identity{ExternalID: homeUser, Email: ownerEmail})
	if kith.KindOf(err) == kith.Forbidden { // the user is disabled
		return auth.Credential{}, nil
	}
	return link, err
}

// home returns the app of a person who runs Kith for themselves, and creates it in a dataset without apps. ok is false
// if there are other apps.
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
	return apps[0], true, nil
}
