package main

import (
	"context"
	"fmt"

	"github.com/rs/zerolog"

	"kith/internal/access/auth"
	"kith/internal/network"
)

type teamCmd struct {
	Create teamCreateCmd `cmd:""`
	Add    teamAddCmd    `cmd:""`
	Remove teamRemoveCmd `cmd:""`
	Delete teamDeleteCmd `cmd:""`
	List   teamListCmd   `cmd:""`
}

// teamOf names a team.
type teamOf struct {
	App  string `required:""`
	Team string `arg:""`
}

type teamCreateCmd struct{ teamOf }

// Run creates the team.
func (c *teamCreateCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := network.CheckTeamName(c.Team); err != nil {
		return usageError(err)
	}
	return inApp(ctx, g, log, c.App,
		func(d *dataset, app auth.App) error { return d.db.Network().CreateTeam(ctx, app.ID, c.Team) })
}

type teamAddCmd struct {
	teamOf
	Users []string `arg:"" name:"user"`
}

// Run adds the users.
func (c *teamAddCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inApp(ctx, g, log, c.App, func(d *dataset, app auth.App) error {
		return d.db.Network().AddMember(ctx, app.ID, c.Team, c.Users...)
	})
}

type teamRemoveCmd struct {
	teamOf
	Users []string `arg:"" name:"user"`
}

// Run removes the users.
func (c *teamRemoveCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inApp(ctx, g, log, c.App, func(d *dataset, app auth.App) error {
		return d.db.Network().RemoveMember(ctx, app.ID, c.Team, c.Users...)
	})
}

type teamDeleteCmd struct {
	teamOf
	asks
}

// Run deletes the team.
func (c *teamDeleteCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.confirm(fmt.Sprintf("Delete team %q", c.Team)); err != nil {
		return err
	}
	return inApp(ctx, g, log, c.App,
		func(d *dataset, app auth.App) error { return d.db.Network().DeleteTeam(ctx, app.ID, c.Team) })
}

type teamListCmd struct {
	App string `required:""`
	listFlags
}

type teamRow struct {
	Team  string   `json:"team" table:"whole"`
	Users []string `json:"users"`
}

// Run prints the teams.
func (c *teamListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inApp(ctx, g, log, c.App, func(d *dataset, app auth.App) error {
		teams, err := d.db.Network().Teams(ctx, app.ID)
		if err != nil {
			return err
		}
		return printList(g.results, c.listFlags, teams, func(t network.TeamInfo) teamRow {
			return teamRow{t.Name, t.Members}
		})
	})
}

// inApp runs f with the dataset and one of its apps.
func inApp(ctx context.Context, g *globals, log zerolog.Logger, name string, f func(*dataset, auth.App) error,
) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		app, err := appNamed(ctx, d.auth(auth.Config{}), name)
		if err != nil {
			return err
		}
		return f(d, app)
	})
}
