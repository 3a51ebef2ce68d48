package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/access/auth"
)

type tokenCmd struct {
	Issue  tokenIssueCmd  `cmd:"" default:"withargs"`
	List   tokenListCmd   `cmd:""`
	Revoke tokenRevokeCmd `cmd:""`
}

type tokenIssueCmd struct {
	App      string `required:""`
	User     string `required:""`
	Email    string
	TokenTTL time.Duration `name:"token-ttl" default:"24h" env:"KITH_TOKEN_TTL"`
}

// Run issues the token.
func (c *tokenIssueCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	var b flagBounds
	positive(&b, "--token-ttl", c.TokenTTL)
	user := auth.Identity{ExternalID: c.User, Email: c.Email}
	if err := cmp.Or(b.err(), kith.InvalidFields(user.CheckKnown())); err != nil {
		return usageError(err)
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		svc := d.auth(auth.Config{TTL: c.TokenTTL})
		app, err := appNamed(ctx, svc, c.App)
		if err != nil {
			return err
		}
		issued, err := c.issue(ctx, d, svc, app, user)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "valid until %s:\n", issued.Expires.Format(time.RFC3339))
		fmt.Fprintln(g.results, issued.Token)
		return nil
	})
}

// issue issues the token. Without an address the user must exist, and keeps theirs: an import makes users without any.
func (c *tokenIssueCmd) issue(ctx context.Context, d *dataset, svc *auth.Service, app auth.App, user auth.Identity) (
	auth.Issued, error,
) {
	if user.Email != "" {
		return svc.Issue(ctx, app, user)
	}
	users, err := d.db.Auth().UsersNamed(ctx, c.App, c.User)
	if err == nil && len(users) == 0 {
		err = fmt.Errorf("app %q has no user %q: give --email to create them", c.App, c.User)
	}
	if err != nil {
		return auth.Issued{}, err
	}
	_, issued, err := svc.IssueOwn(ctx, users[0].Actor, kith.UserScopes, c.TokenTTL)
	return issued, err
}

type tokenListCmd struct {
	App  string `required:""`
	User string
	listFlags
}

type tokenRow struct {
	Token   int64     `json:"token"`
	User    string    `json:"user" table:"whole"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
	Key     string    `json:"key"`
	Scopes  []string  `json:"scopes"`
}

// Run prints the tokens.
func (c *tokenListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return withApp(ctx, g, log, c.App, func(svc *auth.Service, app auth.App) error {
		tokens, err := svc.Tokens(ctx, app, c.User)
		if err != nil {
			return err
		}
		return printList(g.results, c.listFlags, tokens, func(t auth.TokenInfo) tokenRow {
			return tokenRow{t.ID, t.User, t.Created, t.Expires, issuedBy(t), t.Scopes.Names()}
		})
	})
}

// issuedBy names the key that issued a token, or says that the token is a browser session.
func issuedBy(t auth.TokenInfo) string {
	if t.Session {
		return "(session)"
	}
	return t.Key
}

type tokenRevokeCmd struct {
	asks
	Tokens []int64 `arg:"" name:"token"`
}

// Run revokes the tokens.
func (c *tokenRevokeCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.confirm("Revoke " + kith.Counted(int64(len(c.Tokens)), "token", "tokens")); err != nil {
		return err
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		svc := d.auth(auth.Config{})
		for _, id := range c.Tokens {
			if err := svc.RevokeToken(ctx, kith.OperatorPrincipal(), id); err != nil {
				return fmt.Errorf("token %d: %w", id, err)
			}
		}
		return nil
	})
}
