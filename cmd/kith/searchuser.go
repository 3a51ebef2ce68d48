package main

import (
	"context"
	"fmt"
	"strings"

	"kith"
	"kith/client"
	"kith/internal/access/auth"
)

// introductions says who the person can introduce the user to, if the search asked for that.
func introductions(m *client.Match) string {
	if m == nil || m.Network == nil || len(m.Network.Introduces) == 0 {
		return ""
	}
	var names []string
	for _, i := range m.Network.Introduces {
		text := i.Person.FullName
		if i.ScoreLabel != "" {
			text += " (" + strings.ReplaceAll(i.ScoreLabel, "_", " ") + ")"
		}
		names = append(names, text)
	}
	return strings.Join(names, ", ")
}

// asUser names the user on whose behalf a command reads.
type asUser struct {
	User string `placeholder:"ID"`
	App  string `placeholder:"NAME"`
}

// viewer returns the named user; without one, the operator.
func (c asUser) viewer(ctx context.Context, d *dataset) (kith.Viewer, error) {
	actor, named, err := c.actor(ctx, d)
	if err != nil {
		return kith.Viewer{}, err
	}
	if !named {
		return kith.Operator(), nil
	}
	return actor.Viewer(), nil
}

// actor returns the named user; named is false if no user was named.
func (c asUser) actor(ctx context.Context, d *dataset) (actor kith.Actor, named bool, err error) {
	if c.User == "" {
		return actor, false, nil
	}
	users, err := d.db.Auth().UsersNamed(ctx, c.App, c.User)
	if err != nil {
		return actor, false, err
	}
	switch {
	case len(users) > 1:
		var apps []string
		for _, u := range users {
			apps = append(apps, u.App)
		}
		return actor, false, fmt.Errorf("several apps have a user %q (%s): name one with --app", c.User,
			strings.Join(apps, ", "))
	case len(users) == 1:
		actor = users[0].Actor
		actor.Demo = d.demo
		return actor, true, nil
	case c.App == "":
		return actor, false, fmt.Errorf("there is no user %q: create one with kith token or POST /v2/auth/tokens",
			c.User)
	}
	if _, err := appNamed(ctx, d.auth(auth.Config{}), c.App); err != nil {
		return actor, false, err
	}
	return actor, false, fmt.Errorf("app %q has no user %q: create one with kith token or "+
		"POST /v2/auth/tokens", c.App, c.User)
}
