package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"kith/internal/access/auth"
	"kith/internal/imports"
	"kith/internal/imports/loader"
)

// checkExports rejects flags that make no sense for an export, which belongs to one user.
func (c *importCmd) checkExports(p *imports.Preview) error {
	switch {
	case len(p.Exports) == 0 || c.User != "":
		return nil
	case c.Everyone:
		return errors.New("an export of Kith belongs to a user: leave out --everyone")
	case c.App != "":
		return errors.New("an export of Kith belongs to a user: name the user with --user, or leave out --app")
	}
	return nil
}

// exportUser returns the owner of the exports: the user of the flags, or nil for the users
// that the exports name. In a dataset without apps, it creates their apps, without keys.
func (c *importCmd) exportUser(
	ctx context.Context, d *dataset, out io.Writer, exports []loader.UserName,
) (*loader.UserName, error) {
	if c.User != "" {
		return &loader.UserName{App: c.App, ExternalUserID: c.User}, nil
	}
	svc := d.auth(auth.Config{})
	apps, err := svc.Apps(ctx)
	if err != nil {
		return nil, err
	}
	isEmpty := len(apps) == 0
	for _, user := range exports {
		switch {
		case slices.ContainsFunc(apps, func(a auth.App) bool { return a.Name == user.App }):
		case !isEmpty:
			return nil, fmt.Errorf("the export belongs to the app %s, which does not exist here: "+
				"name another user with --app and --user, or create it with kith app create %[1]s", user.App)
		default:
			app, err := createKeyless(ctx, svc, user.App)
			if err != nil {
				return nil, err
			}
			apps = append(apps, app)
			fmt.Fprintf(out, "the app %s was created; kith app add-key %[1]s makes a secret key for it\n", user.App)
		}
	}
	return nil, nil
}
