package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"kith/index/analysis"
	"kith/index/load"
	"kith/internal/auth"
	"kith/internal/importer"
	"kith/internal/network"
	"kith/internal/postgres"
)

// forUser says whose files are imported.
type forUser struct {
	App  string `help:"App whose files these are: only its users see the people. Without it everyone does." placeholder:"NAME"`
	User string `help:"The app's own id of the user whose files these are: the user knows the people, and sees them alone. Created where there is none." placeholder:"ID"`
}

func (f forUser) check() error {
	if f.App == "" && f.User != "" {
		return errors.New("--user is a user of an app; name it with --app")
	}
	return nil
}

// owner is a context in which records are those of the user or the app, and the user; 0
// where none is named.
func (f forUser) owner(ctx context.Context, d *directory) (owned context.Context, user int64, err error) {
	nets, owner := d.db.Network(), load.Everyone
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
	return load.WithOwner(ctx, owner), user, err
}

// acquaint reads the files once more and stores whom the user knows, and how often they
// were in contact.
func (c *importCmd) acquaint(
	ctx context.Context, d *directory, out io.Writer, user int64, files []string, opts importer.Options,
) (stored int64, err error) {
	sink := &acquainting{nets: d.db.Network(), user: user}
	if _, err := importer.Run(ctx, files, opts, sink); err != nil {
		return 0, err
	}
	if err := sink.finish(ctx); err != nil {
		return 0, err
	}
	fmt.Fprintf(out, "relationships of %s: %d new, %d changed, %d unchanged\n", c.User, sink.created, sink.updated, sink.unchanged)
	if len(sink.contacts) > 0 {
		fmt.Fprintf(out, "contacts of %s: with %s", c.User, plural(sink.inContact, "person", "people"))
		if sink.unknown > 0 {
			fmt.Fprintf(out, "; %s not stored, so those with them are not either", plural(sink.unknown, "person is", "people are"))
		}
		fmt.Fprintln(out)
	}
	return sink.created + sink.updated + sink.unchanged + sink.inContact, nil
}

// acquainting is a sink that stores whom a user knows. The people themselves are
// stored before.
type acquainting struct {
	nets     *postgres.Network
	user     int64
	people   []network.Acquaintanceship
	contacts []network.PastContact
	owner    []string

	created, updated, unchanged int64
	inContact, unknown          int64
}

// acquaintedAtOnce is how many people are stored in one transaction.
const acquaintedAtOnce = 2000

// Person implements [importer.Sink].
func (a *acquainting) Person(ctx context.Context, p *importer.Person) error {
	identifier := p.SocialURL
	if identifier == "" {
		identifier = p.Email
	}
	sources, err := p.Sources()
	if err != nil {
		return err
	}
	known := network.Acquaintanceship{Identifier: identifier, Emails: p.Emails, Sources: sources}
	if r := p.Relationship; r != nil {
		if kind, err := network.ParseKind(strings.ReplaceAll(r.Kind, " ", "_")); err == nil {
			known.Kinds = network.KindsOf(kind)
		}
		known.Since = sinceDay(r.Since)
	}
	if a.people = append(a.people, known); len(a.people) < acquaintedAtOnce {
		return nil
	}
	return a.meet(ctx)
}

// sinceDay is the first day of a date, nil where it is none that can be stored.
func sinceDay(date string) *network.Day {
	day, err := analysis.ParseDay(date, false)
	if date == "" || err != nil || day < 0 || day > time.Now().Unix()/(24*60*60) {
		return nil
	}
	since := network.Day(day) //nolint:gosec // no later than today
	return &since
}

func (a *acquainting) meet(ctx context.Context) error {
	created, updated, unchanged, err := a.nets.Meet(ctx, a.user, a.people)
	a.people = a.people[:0]
	a.created, a.updated, a.unchanged = a.created+created, a.updated+updated, a.unchanged+unchanged
	return err
}

// Company implements [importer.Sink].
func (*acquainting) Company(context.Context, *importer.Company) error { return nil }

// Owner implements [importer.Sink].
func (a *acquainting) Owner(_ context.Context, o *importer.Owner) error {
	a.owner = append(a.owner, o.SocialURL)
	a.owner = append(a.owner, o.Emails...)
	return nil
}

// History implements [importer.Sink].
func (a *acquainting) History(_ context.Context, h *importer.History) error {
	identifier := h.With.SocialURL
	if identifier == "" {
		identifier = h.With.Email
	}
	if identifier == "" {
		return nil
	}
	for _, m := range h.Months {
		a.contacts = append(a.contacts, network.PastContact{Identifier: identifier, History: network.History{
			Kind: contactKind(h.Kind), Outgoing: m.Outgoing, Incoming: m.Incoming,
			First: network.DayOf(m.First), Last: network.DayOf(m.Last),
		}})
	}
	return nil
}

// contactKind is the kind of contact that files call so.
func contactKind(kind string) network.ContactKind {
	if k, err := network.ParseContactKind(kind); err == nil {
		return k
	}
	return network.ContactEmail
}

// Reject implements [importer.Sink].
func (*acquainting) Reject(context.Context, importer.Reject) error { return nil }

// finish stores what is left. Scores come last, as they are made of all of it.
func (a *acquainting) finish(ctx context.Context) error {
	if err := a.meet(ctx); err != nil {
		return err
	}
	for _, identifier := range a.owner {
		if identifier == "" {
			continue
		}
		if err := a.nets.SetOwner(ctx, a.user, identifier); err != nil {
			return err
		}
	}
	var err error
	if a.inContact, a.unknown, err = a.nets.PutContacts(ctx, a.user, a.contacts); err != nil {
		return err
	}
	return a.nets.Settle(ctx, a.user)
}
