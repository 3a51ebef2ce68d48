package http

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/internal/refresh"
	"kith/internal/tasks"
)

// ticketAnswer is a refresh job as its requester sees it.
type ticketAnswer struct {
	ID     string      `json:"id"`
	Status tasks.State `json:"status"`
	// Progress is in percent.
	Progress   int           `json:"progress"`
	CreatedAt  time.Time     `json:"created_at"`
	FinishedAt *time.Time    `json:"finished_at"`
	Result     *ticketResult `json:"result"`
	Error      *itemError    `json:"error"`
}

type ticketResult struct {
	Person refreshedPerson `json:"person"`
}

// getTicket answers GET /v2/jobs/{id}.
func (s *Server) getTicket(w http.ResponseWriter, r *http.Request) error {
	return s.ticket(w, r, (*refresh.Service).Status)
}

// cancelTicket answers DELETE /v2/jobs/{id}.
func (s *Server) cancelTicket(w http.ResponseWriter, r *http.Request) error {
	return s.ticket(w, r, (*refresh.Service).Cancel)
}

func (s *Server) ticket(w http.ResponseWriter, r *http.Request,
	ask func(*refresh.Service, context.Context, kith.Actor, string) (refresh.Status, error),
) error {
	c := callerFrom(r.Context())
	status, err := ask(c.dataset.Refresh, r.Context(), c.actor, chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	respond(w, r, ticketOf(status))
	return nil
}

func ticketOf(s refresh.Status) ticketAnswer {
	out := ticketAnswer{ID: s.ID, Status: s.State, Progress: s.Progress(), CreatedAt: s.Created}
	if !s.Finished.IsZero() {
		out.FinishedAt = &s.Finished
	}
	if s.Person != nil {
		out.Result = &ticketResult{Person: refreshedOf(*s.Person)}
	}
	if code, message, failed := s.Error(); failed {
		out.Error = &itemError{Code: code, Message: message}
	}
	return out
}
