package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"kith/index/load"
	"kith/internal/auth"
	"kith/internal/importer"
	"kith/internal/imports"
)

// The app and the user of somebody who runs Kith for themselves.
const (
	homeApp  = "home"
	homeUser = "me"
)

// atHome makes the files those of the user me of the app home where nobody says whose they
// are: if they are of somebody who knows the people in them, and the directory is empty or
// has no other app. It reports whether it did.
func (c *importCmd) atHome(ctx context.Context, d *directory, p *imports.Preview) (bool, error) {
	if !p.Personal() {
		return false, nil
	}
	svc := d.auth(auth.Config{})
	apps, err := svc.Apps(ctx)
	if err == nil && len(apps) == 0 && c.App == "" && !c.Everyone {
		if people, err := d.db.Count(ctx, load.People); err != nil || people > 0 {
			return false, err
		}
		err = createHome(ctx, svc)
	}
	if err != nil {
		return false, err
	}
	return c.stayHome(ctx, d)
}

// stayHome makes the files those of the user me where the app home is the only one, and
// nobody says otherwise.
func (c *importCmd) stayHome(ctx context.Context, d *directory) (bool, error) {
	if c.App != "" || c.Everyone {
		return false, nil
	}
	apps, err := d.auth(auth.Config{}).Apps(ctx)
	if err != nil || len(apps) != 1 || apps[0].Name != homeApp {
		return false, err
	}
	c.App, c.User = homeApp, homeUser
	return true, nil
}

// createHome creates the app without a key: nobody would see it.
func createHome(ctx context.Context, svc *auth.Service) error {
	app, _, err := svc.CreateApp(ctx, homeApp)
	if err != nil {
		return err
	}
	keys, err := svc.Keys(ctx, app)
	for _, k := range keys {
		err = cmp.Or(err, svc.RevokeKey(ctx, app, k.ID))
	}
	return err
}

// nextAtHome says what to type after an import for the user me.
func nextAtHome(out io.Writer, p *imports.Preview, owner importer.Party) {
	company := "Acme"
	for name, n := range p.Employers {
		if most := p.Employers[company]; n > most || n == most && name < company {
			company = name
		}
	}
	fmt.Fprintf(out, `
You are the user %s of the app %s. Next:
  kith search --user %[1]s "who do I know at %[3]s"
  kith search --user %[1]s "who haven't I talked to in six months"
  kith serve                                           # the pages; it prints a link to sign in with
  kith token --app %[2]s --user %[1]s --email %[4]s    # for the API
`, homeUser, homeApp, plain(company), cmp.Or(owner.Email, "you@example.com"))
}
