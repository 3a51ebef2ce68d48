package http

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/client"
	"kith/internal/operation/tasks"
	"kith/internal/record/refresh"
)

// ticketAnswer is a refresh job as its requester sees it.
type ticketAnswer struct {
	ID     string      `json:"id"`
	Status tasks.State `json:"status"`
	// Progress is in percent.
	Progress   int                `json:"progress"`
	CreatedAt  time.Time          `json:"created_at"`
	FinishedAt *time.Time         `json:"finished_at"`
	Result     *ticketResult      `json:"result"`
	Error      *client.EntryError `json:"error"`
}

type ticketResult struct {
	Person refreshedPerson `json:"person"`
}

// getTicket answers GET /v2/jobs/{id}.
func getTicket(r *http.Request) (any, error) {
	return askTicket(r, (*refresh.Service).Status)
}

// cancelTicket answers DELETE /v2/jobs/{id}.
func cancelTicket(r *http.Request) (any, error) {
	return askTicket(r, (*refresh.Service).Cancel)
}

func askTicket(
	r *http.Request, ask func(*refresh.Service, context.Context, kith.Viewer, string) (refresh.Status, error),
) (any, error) {
	c := callerFrom(r.Context())
	status, err := ask(c.dataset.Refresh, r.Context(), c.viewer(), chi.URLParam(r, "id"))
	if err == nil && status.Person != nil {
		err = c.dataset.Audit.Read(r.Context(), c.by(), actionEnriched, []kith.Person{*status.Person})
	}
	return newTicketAnswer(status), err
}

func newTicketAnswer(s refresh.Status) ticketAnswer {
	out := ticketAnswer{
		ID: s.ID, Status: s.State, Progress: s.Progress(), CreatedAt: s.Created, FinishedAt: timeOrNull(s.Finished),
	}
	if s.Person != nil {
		out.Result = &ticketResult{Person: newRefreshedPerson(*s.Person)}
	}
	if code, message, failed := s.Error(); failed {
		out.Error = &client.EntryError{Code: code, Message: message}
	}
	return out
}
