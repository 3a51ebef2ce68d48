package network

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres/conn"
	"kith/internal/record"
)

var _ loader.UserStore = (*Store)(nil)

// OwnerOf implements [loader.UserStore].
func (nw *Store) OwnerOf(ctx context.Context, app, externalID string) (string, error) {
	user, err := nw.EnsureUser(ctx, app, externalID)
	if err != nil {
		return "", err
	}
	return nw.UserOwner(ctx, user)
}

// NameOf returns the app and the external id of a user.
func (nw *Store) NameOf(ctx context.Context, user int64) (loader.UserName, error) {
	return conn.One(ctx, nw.db.Querier(), "name of a user", conn.NoUser(), pgx.RowToStructByPos[loader.UserName],
		"select a.name, u.external_id from users u join apps a on a.id = u.app_id where u.id = $1", user)
}

// LoadContacts implements [loader.UserStore].
func (nw *Store) LoadContacts(ctx context.Context, number int64, app, externalID string,
	contacts []loader.Contact,
) ([]loader.Related, error) {
	user, err := nw.EnsureUser(ctx, app, externalID)
	if err != nil {
		return nil, err
	}
	wanted := make([]string, len(contacts))
	for i, c := range contacts {
		wanted[i] = c.Identifier
	}
	ids, err := IdentifyFor(ctx, nw.db.Querier(), user, wanted)
	if err != nil {
		return nil, conn.Named("people of contacts", err)
	}
	out := make([]loader.Related, len(contacts))
	var past []network.PastContact
	for i, c := range contacts {
		h, err := parseHistory(c)
		if err != nil {
			out[i].Reason = err.Error()
			continue
		}
		if ids[i] == 0 {
			out[i].Reason = notFoundReason
			continue
		}
		past = append(past, network.PastContact{Identifier: c.Identifier, History: h})
		out[i].Outcome = record.Created
	}
	_, _, err = nw.PutContacts(ctx, number, user, past)
	return out, err
}

// parseHistory parses the contacts of a month.
func parseHistory(c loader.Contact) (h network.History, err error) {
	if h.Kind, err = network.ParseContactKind(c.Kind); err != nil {
		return h, fmt.Errorf("kind: %w", err)
	}
	if h.First, err = network.ParseDate(c.First); err != nil {
		return h, fmt.Errorf("first: %w", err)
	}
	if h.Last, err = network.ParseDate(c.Last); err != nil {
		return h, fmt.Errorf("last: %w", err)
	}
	if h.Last < h.First || c.Last[:len("2006-01")] != c.First[:len("2006-01")] {
		return h, fmt.Errorf("last: must be a day of the month of first, and not before it (got %s and %s)", c.First,
			c.Last)
	}
	h.Outgoing, h.Incoming = c.Outgoing, c.Incoming
	return h, nil
}

// Complete implements [loader.UserStore].
func (nw *Store) Complete(ctx context.Context, head loader.Head) error {
	user, err := nw.EnsureUser(ctx, head.App, head.ExternalUserID)
	if err == nil && head.Self != "" {
		err = nw.SetOwner(ctx, user, head.Self)
	}
	if err != nil {
		return err
	}
	return nw.ComputeScores(ctx, user)
}
