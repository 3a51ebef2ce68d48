package main

import (
	"context"
	"fmt"
	"strings"

	"kith"
	"kith/internal/auth"
	"kith/internal/network"
)

// match is what a result says of why the person is among them.
type match struct {
	Network struct {
		Introduces []struct {
			Person     kith.Person   `json:"person"`
			ScoreLabel network.Label `json:"score_label"`
		} `json:"introduces"`
	} `json:"network"`
}

// introductions say whom the person can introduce the user to, where that was
// asked.
func (m match) introductions() string {
	var whom []string
	for _, i := range m.Network.Introduces {
		text := i.Person.FullName
		if i.ScoreLabel != network.Unlabelled {
			text += " (" + strings.ReplaceAll(string(i.ScoreLabel), "_", " ") + ")"
		}
		whom = append(whom, text)
	}
	if len(whom) == 0 {
		return ""
	}
	return "can introduce you to " + strings.Join(whom, ", ")
}

// asUser names the user as whom a command reads.
type asUser struct {
	User string `help:"Act as this user of an app, by your own id of the user, with the user's network." placeholder:"ID"`
	App  string `help:"Name of the app that the user is of; needed where several have one of that id." placeholder:"NAME"`
}

// in returns a context of the user who is named; nobody reads where none is.
func (c asUser) in(ctx context.Context, d *directory) (context.Context, error) {
	if c.User == "" {
		return ctx, nil
	}
	users, err := d.db.Auth().UsersNamed(ctx, c.App, c.User)
	if err != nil {
		return ctx, err
	}
	switch {
	case len(users) > 1:
		var apps []string
		for _, u := range users {
			apps = append(apps, u.App)
		}
		return ctx, fmt.Errorf("several apps have a user %q (%s): name one with --app", c.User, strings.Join(apps, ", "))
	case len(users) == 1:
		actor := users[0].Actor
		actor.Demo = d.demo
		return kith.WithActor(ctx, actor), nil
	case c.App == "":
		return ctx, fmt.Errorf("there is no user %q: a user begins with a token, from kith token or POST /v2/auth/tokens",
			c.User)
	}
	if _, err := appNamed(ctx, d.auth(auth.Config{}), c.App); err != nil {
		return ctx, err
	}
	return ctx, fmt.Errorf("app %q has no user %q: a user begins with a token, from kith token or POST /v2/auth/tokens",
		c.App, c.User)
}
