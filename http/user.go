package http

import (
	"context"
	"net/http"

	"kith"
	"kith/client"
	"kith/internal/network"
)

// me describes the caller and the size of its network. A user with a valid token is active.
// Relationships count as soon as they are stored, so nothing ever waits for synchronisation.
func me(r *http.Request) (any, error) {
	c := callerFrom(r.Context())
	summary, err := c.dataset.Network.Summary(r.Context(), c.actor)
	return newUserAnswer(c.actor, summary), err
}

// changeMe sets who the caller shares relationships with.
func changeMe(w http.ResponseWriter, r *http.Request) (write, error) {
	c := callerFrom(r.Context())
	change, v, err := readWrite(w, r, smallBody, asIs)
	change.do = func(ctx context.Context, in *Services) (any, error) {
		if err := in.Network.SetSharing(ctx, c.actor, network.Sharing(v.String("sharing"))); err != nil {
			return nil, err
		}
		summary, err := in.Network.Summary(ctx, c.actor)
		return newUserAnswer(c.actor, summary), err
	}
	return change, err
}

func newUserAnswer(a kith.Actor, n network.Summary) client.User {
	return client.User{
		ID: a.ExternalID, Email: a.Email, Name: a.Name, CreatedAt: a.CreatedAt,
		IsActive: true, IsSyncComplete: true, Demo: a.Demo,
		Network: client.UserNetwork{
			Relationships: n.Relationships, UpdatedAt: timeOrNull(n.UpdatedAt), Sharing: string(n.Sharing),
		},
		Token: client.UserToken{ExpiresAt: &a.TokenExpires, Scopes: a.Scopes.Names()},
	}
}
