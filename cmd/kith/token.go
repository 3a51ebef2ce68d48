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

type tokenCmd struct {
	Issue  tokenIssueCmd  `cmd:"" default:"withargs"`
	List   tokenListCmd   `cmd:""`
	Revoke tokenRevokeCmd `cmd:""`
}

type tokenIssueCmd struct {
	App      string        `required:""`
	User     string        `required:""`
	Email    string        `required:""`
	TokenTTL time.Duration `name:"token-ttl" default:"24h" env:"KITH_TOKEN_TTL"`
}

// Help is shown below the flags.
func (tokenIssueCmd) Help() string {
	return `The token alone goes to standard output:
  TOKEN=$(kith token --app acme --user u1 --email jane@example.com)`
}

// Run issues the token.
func (c *tokenIssueCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	var b flagBounds
	positive(&b, "--token-ttl", c.TokenTTL)
	user := auth.Identity{ExternalID: c.User, Email: c.Email}
	if err := cmp.Or(b.err(), kith.InvalidFields(user.Check())); err != nil {
		return usageError(err)
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
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

type tokenListCmd struct {
	App  string `required:""`
	User string
}

// Run prints the tokens.
func (c *tokenListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return withApp(ctx, g, log, c.App, func(svc *auth.Service, app auth.App) error {
		tokens, err := svc.Tokens(ctx, app, c.User)
		if err != nil {
			return err
		}
		return table(g, "TOKEN\tUSER\tCREATED\tEXPIRES\tKEY\tSCOPES", func(row func(...any)) error {
			for _, t := range tokens {
				row(t.ID, t.User, minute(t.Created), minute(t.Expires), issuedBy(t), t.Scopes)
			}
			return nil
		})
	})
}

// issuedBy names the key that issued a token, or says that the token is a browser session.
func issuedBy(t auth.TokenInfo) string {
	if t.Session {
		return "(session)"
	}
	return cmp.Or(t.Key, "-")
}

type tokenRevokeCmd struct {
	asks
	Tokens []int64 `arg:"" name:"token"`
}

// Run revokes the tokens.
func (c *tokenRevokeCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.confirm("Revoke " + plural(int64(len(c.Tokens)), "token", "tokens")); err != nil {
		return err
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		svc := d.auth(auth.Config{})
		for _, id := range c.Tokens {
			if err := svc.RevokeToken(ctx, id); err != nil {
				return fmt.Errorf("token %d: %w", id, err)
			}
		}
		return nil
	})
}
