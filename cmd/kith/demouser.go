package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/demo"
	"kith/internal/imports"
	"kith/internal/network"
	"kith/internal/search/saved"
)

// demoUser gives the published user of the demo what users make themselves, by the same services. Each start does it
// again, because it begins with new users.
type demoUser struct {
	served   kithhttp.Dataset
	data     *demo.Dataset
	contacts []network.Contact
}

// furnish makes three lists and a saved search with news, and begins an import of messages.
func (u demoUser) furnish(ctx context.Context, svc *auth.Service) error {
	a, err := svc.Verify(ctx, demoToken)
	if err != nil {
		return err
	}
	known := slices.Collect(slices.Chunk(u.contacts, 12))
	for i, name := range []string{"To meet at the conference", "Could hire from us", "Advisors"} {
		if i >= len(known) {
			break
		}
		if err := u.list(ctx, a, name, known[i]); err != nil {
			return err
		}
	}
	if err := u.saveSearch(ctx, a); err != nil {
		return err
	}
	return u.importMessages(ctx, a)
}

func (u demoUser) list(ctx context.Context, a kith.Actor, name string, contacts []network.Contact) error {
	list, err := u.served.Lists.Create(ctx, a, name)
	if err != nil {
		return err
	}
	people := make([]saved.Named, len(contacts))
	for i, c := range contacts {
		people[i].ID = c.Person
	}
	_, err = u.served.Lists.Add(ctx, a, list.ID, people)
	return err
}

// newInSearch is how many people are new in the saved search.
const newInSearch = 4

func (u demoUser) saveSearch(ctx context.Context, a kith.Actor) error {
	const name = "Data scientists in Berlin"
	request := json.RawMessage(`{"filters": {"position": "\"data scientist\"", "city": "Berlin"}, "scope": "global"}`)
	matches, err := u.served.Searches.FindMatches(ctx, a, name, request)
	if err != nil {
		return err
	}
	_, err = u.served.Searches.Save(ctx, a, name, matches.Without(newInSearch))
	return err
}

// importMessages hands in the export of a professional network, which the worker stores in the background.
func (u demoUser) importMessages(ctx context.Context, a kith.Actor) error {
	files, err := u.data.Export(u.contacts, time.Now().UTC())
	if err != nil {
		return err
	}
	upload, err := u.served.Imports.Upload()
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := upload.Add(f.Name, bytes.NewReader(f.Text)); err != nil {
			return fmt.Errorf("messages of the demo: %w", err)
		}
	}
	_, err = u.served.Imports.Create(ctx, a, upload, imports.Settings{})
	return err
}
