package imports

import (
	"context"

	"kith/internal/imports/importer"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/record"
)

// partCorrespondents is the part with the people stored because of mail in both directions.
const partCorrespondents = "correspondents.ndjson.zst"

// storeCorrespondents stores the unknown people with whom the user exchanged mail in both directions, and then that the
// user knows them.
func (a *contactStore) storeCorrespondents(ctx context.Context, s *Spool) error {
	s.parts = map[string]*part{}
	err := a.eachCorrespondents(ctx, func(people []*importer.Person) error {
		for _, p := range people {
			line, _, err := lineOf(p)
			if err != nil {
				return err
			}
			if err := s.write(partCorrespondents, "", line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return err
	}
	a.known.Correspondents, err = s.load(ctx, a.load, a.origin, partCorrespondents,
		loader.Options{Kind: record.People})
	if err != nil {
		return err
	}
	return a.eachCorrespondents(ctx, func(people []*importer.Person) error {
		known := make([]network.Acquaintanceship, len(people))
		for i, p := range people {
			known[i] = newAcquaintanceship(p, nil)
		}
		met := a.known.Created
		if err := a.meet(ctx, known); err != nil {
			return err
		}
		met = a.known.Created - met
		a.known.InContact, a.known.Unknown = a.known.InContact+met, max(0, a.known.Unknown-met)
		return nil
	})
}

// eachCorrespondents calls f with some people at a time.
func (a *contactStore) eachCorrespondents(ctx context.Context, f func([]*importer.Person) error) error {
	for after := ""; ; {
		found, err := a.nets.Correspondents(ctx, a.user, after, acquaintedAtOnce)
		if err != nil || len(found) == 0 {
			return err
		}
		people := make([]*importer.Person, len(found))
		for i, c := range found {
			people[i], after = importer.Correspondent(c.Name, c.Email), c.Email
		}
		if err := f(people); err != nil {
			return err
		}
	}
}
