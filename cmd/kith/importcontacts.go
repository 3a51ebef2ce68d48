package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/imports"
	"kith/internal/record"
)

// forUser names the owner of imported files.
type forUser struct {
	App  string `placeholder:"NAME"`
	User string `placeholder:"ID"`
}

func (f forUser) check() error {
	if f.App == "" && f.User != "" {
		return errors.New("--user is a user of an app; name it with --app")
	}
	return nil
}

// origin returns the origin of records of the user or the app, and the user; 0 if none is named.
func (f forUser) origin(ctx context.Context, d *dataset) (o record.Origin, user int64, err error) {
	nets, owner := d.db.Network(), record.Everyone
	switch {
	case f.User != "":
		if user, err = nets.EnsureUser(ctx, f.App, f.User); err == nil {
			owner, err = nets.UserOwner(ctx, user)
		}
	case f.App != "":
		var app auth.App
		if app, err = appNamed(ctx, d.auth(auth.Config{}), f.App); err == nil {
			owner, err = nets.AppOwner(ctx, app.ID)
		}
	}
	return record.OwnedBy(owner), user, err
}

// storeContacts stores who the user knows, and how often they were in contact.
func (c *importCmd) storeContacts(ctx context.Context, d *dataset, out io.Writer, o record.Origin, user int64,
	spool *imports.Spool,
) (stored int64, err error) {
	known, err := spool.StoreContacts(ctx, d.loader(), o, d.db.Network(), user, nil)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "relationships of %s: %d new, %d changed, %d unchanged\n", c.User, known.Created, known.Updated,
		known.Unchanged)
	if known.Correspondents.Read > 0 {
		fmt.Fprintf(out, "people known from mail only: %s\n", known.Correspondents)
	}
	if known.Contacts {
		fmt.Fprintf(out, "contacts of %s: with %s", c.User, kith.Counted(known.InContact, "person", "people"))
		if known.Unknown > 0 {
			fmt.Fprintf(out, "; %s not stored: unknown, without mail in both directions",
				kith.Counted(known.Unknown, "person is", "people are"))
		}
		fmt.Fprintln(out)
	}
	return known.Created + known.Updated + known.Unchanged + known.InContact, nil
}
