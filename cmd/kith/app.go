package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/auth"
)

type appCmd struct {
	Create appCreateCmd `cmd:"" help:"Create an app and print its secret key, which is shown only now."`
}

type appCreateCmd struct {
	Name string `arg:"" help:"Name of the app."`
}

// Help is shown below the flags.
func (appCreateCmd) Help() string {
	return `The key alone goes to standard output:
  KEY=$(kith app create acme)`
}

// Run creates the app.
func (c *appCreateCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := auth.CheckAppName(c.Name); err != nil {
		return misused(err)
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		app, key, err := d.auth(auth.Config{}).CreateApp(ctx, c.Name)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "app %q is created; this is its secret key, and it is not shown again:\n", app.Name)
		return g.results.secret(key, func() error { return d.db.Auth().DropApp(context.WithoutCancel(ctx), app.ID) })
	})
}

type tokenCmd struct {
	App      string        `required:"" help:"Name of the app."`
	User     string        `required:"" help:"Your own id of the user."`
	Email    string        `required:"" help:"E-mail address of the user."`
	TokenTTL time.Duration `name:"token-ttl" help:"How long the token lasts." default:"24h" env:"KITH_TOKEN_TTL"`
}

// Help is shown below the flags.
func (tokenCmd) Help() string {
	return `The token alone goes to standard output:
  TOKEN=$(kith token --app acme --user u1 --email jane@example.com)`
}

// Run issues the token.
func (c *tokenCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	var b flagBounds
	positive(&b, "--token-ttl", c.TokenTTL)
	user := auth.Identity{ExternalID: c.User, Email: c.Email}
	if err := cmp.Or(b.err(), kith.InvalidFields(user.Check())); err != nil {
		return misused(err)
	}
	return inDirectory(ctx, g, log, func(d *directory) error {
		svc := d.auth(auth.Config{TTL: c.TokenTTL})
		app, err := appNamed(ctx, svc, c.App)
		if err != nil {
			return err
		}
		issued, err := svc.Issue(ctx, app, user)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "valid until %s:\n", issued.Expires.Format(time.RFC3339))
		fmt.Fprintln(g.results, issued.Token)
		return nil
	})
}

// appNamed finds an app by its name.
func appNamed(ctx context.Context, svc *auth.Service, name string) (auth.App, error) {
	app, err := svc.AppByName(ctx, name)
	if isKind(err, kith.NotFound) {
		err = fmt.Errorf("there is no app %q: make it with `kith app create %s`", name, name)
	}
	return app, err
}
