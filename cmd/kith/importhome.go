package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/imports"
	"kith/internal/record"
)

// The app and the user of a person who runs Kith for themselves.
const (
	homeApp  = "home"
	homeUser = "me"
)

// assignHome assigns the files to the user me of the app home if no flag names an owner. This requires that their owner
// knows the people in them, and that the dataset is empty or home is its only app. It reports whether it did so.
func (c *importCmd) assignHome(ctx context.Context, d *dataset, p *imports.Preview) (bool, error) {
	if !p.Personal() {
		return false, nil
	}
	svc := d.auth(auth.Config{})
	apps, err := svc.Apps(ctx)
	if err == nil && len(apps) == 0 && c.App == "" && !c.Everyone {
		if people, err := d.db.Count(ctx, record.People); err != nil || people > 0 {
			return false, err
		}
		_, err = createKeyless(ctx, svc, homeApp)
	}
	if err != nil {
		return false, err
	}
	return c.keepHome(ctx, d)
}

// keepHome assigns the files to the user me if home is the only app and no flag says otherwise.
func (c *importCmd) keepHome(ctx context.Context, d *dataset) (bool, error) {
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

// createKeyless creates an app without a key, because nobody would see the key.
func createKeyless(ctx context.Context, svc *auth.Service, name string) (auth.App, error) {
	app, _, err := svc.CreateApp(ctx, name)
	if err != nil {
		return app, err
	}
	keys, err := svc.Keys(ctx, app)
	for _, k := range keys {
		err = cmp.Or(err, svc.RevokeKey(ctx, kith.OperatorPrincipal(), app, k.ID))
	}
	return app, err
}

// printNextSteps prints what to do after an import for the user me.
func printNextSteps(out io.Writer, p *imports.Preview) {
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
  kith token --app %[2]s --user %[1]s                    # for the API
`, homeUser, homeApp, printable(company))
}
