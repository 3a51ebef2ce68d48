package main

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/access/auth"
)

type userCmd struct {
	List    userListCmd    `cmd:""`
	Disable userDisableCmd `cmd:""`
	Enable  userEnableCmd  `cmd:""`
}

type userListCmd struct {
	App string `required:""`
	listFlags
}

type userRow struct {
	User     string    `json:"user" table:"whole"`
	Email    string    `json:"email"`
	Created  time.Time `json:"created"`
	Tokens   int       `json:"tokens"`
	Disabled time.Time `json:"disabled,omitzero"`
}

// Run prints the users.
func (c *userListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return withApp(ctx, g, log, c.App, func(svc *auth.Service, app auth.App) error {
		users, err := svc.Users(ctx, app)
		if err != nil {
			return err
		}
		return printList(g.results, c.listFlags, users, func(u auth.UserInfo) userRow {
			return userRow{u.ExternalID, u.Email, u.Created, u.Tokens, u.Disabled}
		})
	})
}

// usersOf names users of an app.
type usersOf struct {
	App   string   `required:""`
	Users []string `arg:"" name:"user"`
}

// set disables or enables the users.
func (c usersOf) set(ctx context.Context, g *globals, log zerolog.Logger, disabled bool) error {
	return withApp(ctx, g, log, c.App, func(svc *auth.Service, app auth.App) error {
		for _, user := range c.Users {
			if err := svc.SetDisabled(ctx, kith.OperatorPrincipal(), app, user, disabled); err != nil {
				return err
			}
		}
		return nil
	})
}

type userDisableCmd struct{ usersOf }

// Run disables the users.
func (c *userDisableCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.set(ctx, g, log, true)
}

type userEnableCmd struct{ usersOf }

// Run enables the users.
func (c *userEnableCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.set(ctx, g, log, false)
}
