package http

import (
	"net/http"
	"time"

	"kith"
)

// userAnswer is the user that a token speaks for.
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
	Relationships int        `json:"relationships"`
	UpdatedAt     *time.Time `json:"updated_at"`
}

type tokenSummary struct {
	ExpiresAt time.Time `json:"expires_at"`
}

// me tells the caller who it is. A user who has a valid token is active, and
// one without relationships has nothing that waits to be synchronised.
func (s *Server) me(w http.ResponseWriter, r *http.Request) error {
	s.ok(w, r, userOf(callerFrom(r.Context()).actor))
	return nil
}

func userOf(a kith.Actor) userAnswer {
	return userAnswer{
		ID: a.ExternalID, Email: a.Email, Name: a.Name, CreatedAt: a.CreatedAt,
		IsActive: true, IsSyncComplete: true, Demo: a.Demo,
		Token: tokenSummary{ExpiresAt: a.TokenExpires},
	}
}

// ok answers 200 with the success envelope.
func (s *Server) ok(w http.ResponseWriter, r *http.Request, data any) {
	writeJSON(w, http.StatusOK, success{Data: data, Metadata: metadata{RequestID: requestID(r.Context())}})
}
