package main

import (
	"context"
	"errors"
	"net/http"

	"github.com/rs/zerolog"

	"kith"
	"kith/client"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record/enrich"
	"kith/internal/search/saved"
	"kith/internal/search/suggest"
)

// caller are the flags for the user and the server of a command that calls the API.
type caller struct {
	asUser
	Token  string `env:"KITH_TOKEN" placeholder:"TOKEN"`
	Server string `env:"KITH_SERVER" placeholder:"URL"`
}

// check validates the flags before anything is opened.
func (c caller) check() error {
	switch {
	case c.App != "" && c.User == "":
		return errors.New("--app names the app of a user: give --user as well")
	case c.User != "" && c.Token != "":
		return errors.New("--user and --token both say who searches: give one of them")
	case c.Server != "" && c.Token == "":
		return errors.New("--server needs the access token of a user: give --token, or set KITH_TOKEN")
	}
	return nil
}

// call runs f with an API client for the caller: of a server or, in this process, of the
// dataset, which f then gets too.
func (c caller) call(
	ctx context.Context, g *globals, log zerolog.Logger, f func(*client.Client, *dataset) error,
) error {
	if c.Server != "" {
		api, err := client.New(client.Config{URL: c.Server, Token: c.Token})
		if err != nil {
			return usageError(err)
		}
		return commandError(ctx, f(api, nil))
	}
	return inDataset(ctx, g, log, func(d *dataset) error {
		api, err := c.local(ctx, d)
		if err != nil {
			return err
		}
		return commandError(ctx, f(api, d))
	})
}

// commandError converts an error of the API into one for commands.
func commandError(ctx context.Context, err error) error {
	e, ok := errors.AsType[*client.Error](err)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case !ok:
		return err
	case e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity:
		return usageError(err)
	case e.Status == http.StatusServiceUnavailable:
		return &kith.Error{Kind: kith.Unavailable, Code: e.Code, Detail: e.Detail, RetryAfter: e.RetryAfter}
	}
	return err
}

// unbounded is a rate that no command reaches.
const unbounded = 1_000_000

// local returns a client of the API for the dataset in this process.
func (c caller) local(ctx context.Context, d *dataset) (*client.Client, error) {
	served, err := d.apiDataset()
	if err != nil {
		return nil, err
	}
	token := c.Token
	if token == "" {
		if served.Auth, served.Operator, err = c.oneCaller(ctx, d); err != nil {
			return nil, err
		}
		token = "local"
	}
	server, err := kithhttp.New(kithhttp.Config{
		Datasets: []kithhttp.Dataset{served}, Logger: zerolog.Nop(), Rate: unbounded, Burst: unbounded,
	})
	if err != nil {
		return nil, err
	}
	return client.New(client.Config{URL: client.LocalURL, Token: token, Transport: client.Local(server)})
}

// apiDataset returns the dataset in the form that the API needs for searching, and for reading and preparing outreach.
func (d *dataset) apiDataset() (kithhttp.Dataset, error) {
	searcher, err := d.search(0)
	if err != nil {
		return kithhttp.Dataset{}, err
	}
	known, given := d.auth(auth.Config{}), d.givenSequences()
	services := func(db *postgres.DB) *kithhttp.Services {
		return &kithhttp.Services{
			Auth: known.On(db.Auth()), Lists: saved.NewLists(db.Saved(), saved.Quotas{}),
			Network: network.New(db.Network()), Outreach: newOutreach(db, given), Audit: db.Audit(),
		}
	}
	return kithhttp.Dataset{
		Services: *services(d.db), Answers: d.answers(services),
		Name: d.name, Demo: d.demo, Search: searcher, Suggest: suggest.New(d.db, searcher), Reach: d.reach(),
		Enrich: enrich.New(d.db, nil), IDs: d.ids, Seal: d.sealer,
	}, nil
}

// oneCaller returns an Auth in which every token belongs to the user of the flags, or to the operator.
func (c caller) oneCaller(ctx context.Context, d *dataset) (kithhttp.Auth, bool, error) {
	actor, named, err := c.actor(ctx, d)
	actor.Scopes = kith.DefaultScopes
	return fixedAuth{Auth: d.auth(auth.Config{}), actor: actor}, !named, err
}

// fixedAuth returns the same user for every token.
type fixedAuth struct {
	kithhttp.Auth
	actor kith.Actor
}

// Verify implements [kithhttp.Auth].
func (f fixedAuth) Verify(context.Context, string) (kith.Actor, error) { return f.actor, nil }
