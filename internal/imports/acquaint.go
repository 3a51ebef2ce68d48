package imports

import (
	"context"
	"strings"
	"time"

	"kith/index/analysis"
	"kith/internal/importer"
	"kith/internal/network"
)

// Network stores who a user knows. It is what this package needs of the records.
type Network interface {
	Meet(ctx context.Context, user int64, people []network.Acquaintanceship) (
		created, updated, unchanged int64, err error,
	)
	SetOwner(ctx context.Context, user int64, identifier string) error
	PutContacts(ctx context.Context, user int64, contacts []network.PastContact) (people, unknown int64, err error)
	Settle(ctx context.Context, user int64) error
}

// Known is what became of who a user knows.
type Known struct {
	// Created, Updated and Unchanged are relationships.
	Created, Updated, Unchanged int64
	// Contacts is true where the files have any, InContact of how many people they were
	// stored, and Unknown how many people are not stored.
	Contacts           bool
	InContact, Unknown int64
}

// acquaintedAtOnce is how many people are stored in one transaction.
const acquaintedAtOnce = 2000

// acquainting is a sink that stores who a user knows. The people themselves are
// stored before.
type acquainting struct {
	nets     Network
	user     int64
	progress func(people int64)

	people   []network.Acquaintanceship
	contacts []network.PastContact
	owner    []string
	met      int64
	known    Known
}

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
	a.met += int64(len(a.people))
	a.people = a.people[:0]
	a.known.Created, a.known.Updated, a.known.Unchanged = a.known.Created+created, a.known.Updated+updated,
		a.known.Unchanged+unchanged
	if a.progress != nil {
		a.progress(a.met)
	}
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
	a.known.Contacts = len(a.contacts) > 0
	if a.known.InContact, a.known.Unknown, err = a.nets.PutContacts(ctx, a.user, a.contacts); err != nil {
		return err
	}
	return a.nets.Settle(ctx, a.user)
}
