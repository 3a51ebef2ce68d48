package main

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/access/auth"
)

type appCmd struct {
	Create appCreateCmd `cmd:"" creates:"dataset"`
	List   appListCmd   `cmd:""`
	Show   appShowCmd   `cmd:""`
	AddKey appAddKeyCmd `cmd:"" name:"add-key"`
	Rotate appRotateCmd `cmd:""`
	Revoke appRevokeCmd `cmd:""`
	Delete appDeleteCmd `cmd:""`
}

// keyFlags describe a new key.
type keyFlags struct {
	KeyName string        `default:"first" placeholder:"NAME"`
	Scopes  []string      `placeholder:"SCOPE"`
	Expires time.Duration `default:"0"`
}

// spec checks the flags.
func (f keyFlags) spec() (auth.KeySpec, error) {
	spec := auth.KeySpec{Name: f.KeyName, Scopes: kith.DefaultScopes, Lifetime: f.Expires}
	if f.Expires < 0 {
		return spec, fmt.Errorf("--expires must not be negative (got %s)", f.Expires)
	}
	if err := auth.CheckKeyName(f.KeyName); err != nil || len(f.Scopes) == 0 {
		return spec, err
	}
	var err error
	spec.Scopes, err = kith.ParseScopes(f.Scopes)
	return spec, err
}

type appCreateCmd struct {
	Name string `arg:""`
	keyFlags
}

// Run creates the app.
func (c *appCreateCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	spec, err := c.spec()
	if err := cmp.Or(err, auth.CheckAppName(c.Name)); err != nil {
		return usageError(err)
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		svc := d.auth(auth.Config{})
		app, key, err := svc.CreateAppWith(ctx, kith.OperatorPrincipal(), c.Name, spec)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "app %q created; its secret key is shown only now:\n", app.Name)
		return g.results.secret(key, func() error {
			return svc.DeleteApp(context.WithoutCancel(ctx), kith.OperatorPrincipal(), app)
		})
	})
}

// withApp runs f with the auth service of the dataset and one app.
func withApp(ctx context.Context, g *globals, log zerolog.Logger, name string,
	f func(*auth.Service, auth.App) error,
) error {
	return inApp(ctx, g, log, name, func(d *dataset, app auth.App) error { return f(d.auth(auth.Config{}), app) })
}

type appListCmd struct{ listFlags }

type appRow struct {
	App   string `json:"app" table:"whole"`
	Keys  int    `json:"keys"`
	Users int    `json:"users"`
}

// Run prints the apps.
func (c *appListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return inDataset(ctx, g, log, func(d *dataset) error {
		svc := d.auth(auth.Config{})
		apps, err := svc.Apps(ctx)
		if err != nil {
			return err
		}
		rows := make([]appRow, len(apps))
		for i, app := range apps {
			keys, err := svc.Keys(ctx, app)
			if err != nil {
				return err
			}
			users, err := svc.Users(ctx, app)
			if err != nil {
				return err
			}
			rows[i] = appRow{app.Name, len(keys), len(users)}
		}
		return printList(g.results, c.listFlags, rows, func(r appRow) appRow { return r })
	})
}

type appShowCmd struct {
	Name string `arg:""`
	listFlags
}

type keyRow struct {
	Key      int64     `json:"key"`
	Name     string    `json:"name" table:"whole"`
	Created  time.Time `json:"created"`
	Expires  time.Time `json:"expires,omitzero"`
	LastUsed time.Time `json:"last_used,omitzero"`
	Scopes   []string  `json:"scopes"`
}

// Run prints the keys.
func (c *appShowCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return withApp(ctx, g, log, c.Name, func(svc *auth.Service, app auth.App) error {
		keys, err := svc.Keys(ctx, app)
		if err != nil {
			return err
		}
		return printList(g.results, c.listFlags, keys, func(k auth.Key) keyRow {
			return keyRow{k.ID, k.Name, k.Created, k.Expires, k.LastUsed, k.Scopes.Names()}
		})
	})
}

type appAddKeyCmd struct {
	Name string `arg:""`
	keyFlags
}

// Run adds the key.
func (c *appAddKeyCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	spec, err := c.spec()
	if err != nil {
		return usageError(err)
	}
	return withApp(ctx, g, log, c.Name, func(svc *auth.Service, app auth.App) error {
		id, secret, err := svc.AddKey(ctx, kith.OperatorPrincipal(), app, spec)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "key %d of app %q; it is shown only now:\n", id, app.Name)
		return g.results.secret(secret, func() error {
			return svc.RevokeKey(context.WithoutCancel(ctx), kith.OperatorPrincipal(), app, id)
		})
	})
}

type appRotateCmd struct {
	Name  string        `arg:""`
	Key   int64         `arg:"" optional:""`
	Grace time.Duration `default:"24h"`
}

// Run rotates the key.
func (c *appRotateCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if c.Grace < 0 {
		return usageError(fmt.Errorf("--grace must not be negative (got %s)", c.Grace))
	}
	return withApp(ctx, g, log, c.Name, func(svc *auth.Service, app auth.App) error {
		old, err := c.old(ctx, svc, app)
		if err != nil {
			return err
		}
		id, secret, err := svc.Rotate(ctx, kith.OperatorPrincipal(), app, old, c.Grace)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "key %d replaces key %d, which stays valid for %s; it is shown only now:\n", id, old,
			c.Grace)
		return g.results.secret(secret, func() error {
			return svc.RevokeKey(context.WithoutCancel(ctx), kith.OperatorPrincipal(), app, id)
		})
	})
}

// old returns the key to replace: the named one, or the only one without an expiry.
func (c *appRotateCmd) old(ctx context.Context, svc *auth.Service, app auth.App) (int64, error) {
	if c.Key != 0 {
		return c.Key, nil
	}
	keys, err := svc.Keys(ctx, app)
	keys = slices.DeleteFunc(keys, func(k auth.Key) bool { return !k.Expires.IsZero() })
	if err == nil && len(keys) != 1 {
		err = fmt.Errorf("app %q has %d keys without an end; name the one to replace (kith app show lists them)",
			app.Name, len(keys))
	}
	if err != nil {
		return 0, err
	}
	return keys[0].ID, nil
}

type appRevokeCmd struct {
	Name string `arg:""`
	Key  int64  `arg:""`
	asks
}

// Run revokes the key.
func (c *appRevokeCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.confirm(fmt.Sprintf("Revoke key %d with the tokens that it issued", c.Key)); err != nil {
		return err
	}
	return withApp(ctx, g, log, c.Name, func(svc *auth.Service, app auth.App) error {
		return svc.RevokeKey(ctx, kith.OperatorPrincipal(), app, c.Key)
	})
}

type appDeleteCmd struct {
	Name string `arg:""`
	asks
}

// Run deletes the app.
func (c *appDeleteCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return withApp(ctx, g, log, c.Name, func(svc *auth.Service, app auth.App) error {
		users, err := svc.Users(ctx, app)
		if err != nil {
			return err
		}
		err = c.confirm(fmt.Sprintf("Delete app %q with its %s, their relationships and sequences", app.Name,
			kith.Counted(int64(len(users)), "user", "users")))
		if err != nil {
			return err
		}
		return svc.DeleteApp(ctx, kith.OperatorPrincipal(), app)
	})
}

// appNamed finds an app by name.
func appNamed(ctx context.Context, svc *auth.Service, name string) (auth.App, error) {
	app, err := svc.AppByName(ctx, name)
	if kith.KindOf(err) == kith.NotFound {
		err = fmt.Errorf("there is no app %q: make it with `kith app create %s`", name, name)
	}
	return app, err
}
