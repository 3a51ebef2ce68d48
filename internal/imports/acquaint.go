package imports

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"

	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/record"
)

// Network stores who a user knows. It is the interface that this package needs.
type Network interface {
	// Meet and PutContacts take the number of the import, or 0.
	Meet(ctx context.Context, number, user int64, people []network.Acquaintanceship) (
		created, updated, unchanged int64, err error,
	)
	SetOwner(ctx context.Context, user int64, identifier string) error
	PutContacts(ctx context.Context, number, user int64, contacts []network.PastContact) (
		people, unknown int64, err error,
	)
	// Correspondents returns at most n unknown people, with addresses after one, with whom the user exchanged mail in
	// both directions, in all imports.
	Correspondents(ctx context.Context, user int64, after string, n int) ([]network.Correspondent, error)
	ComputeScores(ctx context.Context, user int64) error
}

// Known is the outcome of storing who a user knows.
type Known struct {
	// Created, Updated and Unchanged count relationships.
	Created, Updated, Unchanged int64
	// Contacts is true if the files have any. InContact counts people whose contacts were
	// stored, Unknown those who are not in the dataset.
	Contacts           bool
	InContact, Unknown int64
	// Correspondents are people stored because of mail in both directions.
	Correspondents loader.Stats
}

// acquaintedAtOnce is how many people are stored in one transaction.
const acquaintedAtOnce = 2000

// StoreContacts stores who a user knows, and how often they were in contact. Store the people
// first. It also stores unknown people with whom the user exchanged mail in both directions, in these files or others.
// It calls progress, if not nil, with the number of people so far.
func (s *Spool) StoreContacts(ctx context.Context, load *loader.Loader, o record.Origin, nets Network, user int64,
	progress func(people int64),
) (Known, error) {
	a := &contactStore{load: load, origin: o, nets: nets, user: user, progress: progress}
	err := s.readPart(partKnown, func(in io.Reader) error { return a.meetAll(ctx, in) })
	if err != nil {
		return a.known, err
	}
	return a.known, a.finish(ctx, s)
}

// contactStore is a run of StoreContacts.
type contactStore struct {
	load     *loader.Loader
	origin   record.Origin
	nets     Network
	user     int64
	progress func(people int64)

	met   int64
	known Known
}

// meetAll stores the relationships with the people in a part.
func (a *contactStore) meetAll(ctx context.Context, in io.Reader) error {
	from := gob.NewDecoder(in)
	for more := true; more; {
		people := make([]network.Acquaintanceship, 0, acquaintedAtOnce)
		for more && len(people) < acquaintedAtOnce {
			var p network.Acquaintanceship
			switch err := from.Decode(&p); {
			case errors.Is(err, io.EOF):
				more = false
			case err != nil:
				return fmt.Errorf("known people: %w", err)
			default:
				people = append(people, p)
			}
		}
		if err := a.meet(ctx, people); err != nil {
			return err
		}
	}
	return nil
}

func (a *contactStore) meet(ctx context.Context, people []network.Acquaintanceship) error {
	created, updated, unchanged, err := a.nets.Meet(ctx, a.origin.Import(), a.user, people)
	a.met += int64(len(people))
	a.known.Created, a.known.Updated = a.known.Created+created, a.known.Updated+updated
	a.known.Unchanged += unchanged
	if a.progress != nil {
		a.progress(a.met)
	}
	return err
}

// finish stores the rest. Scores come last, because they depend on everything else.
func (a *contactStore) finish(ctx context.Context, s *Spool) error {
	for _, identifier := range s.owner {
		if identifier == "" {
			continue
		}
		if err := a.nets.SetOwner(ctx, a.user, identifier); err != nil {
			return err
		}
	}
	var err error
	a.known.Contacts = len(s.contacts) > 0
	a.known.InContact, a.known.Unknown, err = a.nets.PutContacts(ctx, a.origin.Import(), a.user, s.contacts)
	if err != nil {
		return err
	}
	if err := a.storeCorrespondents(ctx, s); err != nil {
		return err
	}
	return a.nets.ComputeScores(ctx, a.user)
}
