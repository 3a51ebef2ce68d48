package http

import (
	"context"
	"net/http"
	"time"

	"kith"
	"kith/internal/network"
)

// userAnswer is the user of a token.
type userAnswer struct {
	ID             string         `json:"id"`
	Email          string         `json:"email"`
	Name           string         `json:"name"`
	CreatedAt      time.Time      `json:"created_at"`
	IsActive       bool           `json:"is_active"`
	IsSyncComplete bool           `json:"is_sync_complete"`
	Demo           bool           `json:"demo"`
	Network        networkSummary `json:"network"`
	Token          tokenSummary   `json:"token"`
}

type networkSummary struct {
	Relationships int             `json:"relationships"`
	UpdatedAt     *time.Time      `json:"updated_at"`
	Sharing       network.Sharing `json:"sharing"`
}

type tokenSummary struct {
	ExpiresAt time.Time `json:"expires_at"`
	Scopes    []string  `json:"scopes"`
}

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

func newUserAnswer(a kith.Actor, n network.Summary) userAnswer {
	return userAnswer{
		ID: a.ExternalID, Email: a.Email, Name: a.Name, CreatedAt: a.CreatedAt,
		IsActive: true, IsSyncComplete: true, Demo: a.Demo,
		Network: networkSummary{Relationships: n.Relationships, Sharing: n.Sharing, UpdatedAt: timeOrNull(n.UpdatedAt)},
		Token:   tokenSummary{ExpiresAt: a.TokenExpires, Scopes: a.Scopes.Names()},
	}
}
