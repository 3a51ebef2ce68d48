package http

import (
	"context"
	"net/http"
	"time"

	"github.com/go-chi/chi/v5"

	"kith"
	"kith/internal/jobs"
	"kith/internal/refresh"
)

// jobAnswer is a job as its requester sees it.
type jobAnswer struct {
	ID     string     `json:"id"`
	Status jobs.State `json:"status"`
	// Progress is in percent.
	Progress   int        `json:"progress"`
	CreatedAt  time.Time  `json:"created_at"`
	FinishedAt *time.Time `json:"finished_at"`
	Result     *jobResult `json:"result"`
	Error      *itemError `json:"error"`
}

type jobResult struct {
	Person refreshedPerson `json:"person"`
}

// getJob answers GET /v2/jobs/{id}.
func (s *Server) getJob(w http.ResponseWriter, r *http.Request) error {
	return s.job(w, r, Refresher.Job)
}

// cancelJob answers DELETE /v2/jobs/{id}.
func (s *Server) cancelJob(w http.ResponseWriter, r *http.Request) error {
	return s.job(w, r, Refresher.Cancel)
}

func (s *Server) job(w http.ResponseWriter, r *http.Request,
	ask func(Refresher, context.Context, kith.Actor, string) (refresh.Status, error),
) error {
	c := callerFrom(r.Context())
	status, err := ask(c.dataset.Refresh, r.Context(), c.actor, chi.URLParam(r, "id"))
	if err != nil {
		return err
	}
	respond(w, r, jobOf(status))
	return nil
}

func jobOf(s refresh.Status) jobAnswer {
	out := jobAnswer{ID: s.ID, Status: s.State, Progress: s.Progress(), CreatedAt: s.Created}
	if !s.Finished.IsZero() {
		out.FinishedAt = &s.Finished
	}
	if s.Person != nil {
		out.Result = &jobResult{Person: refreshedOf(*s.Person)}
	}
	if code, message, failed := s.Error(); failed {
		out.Error = &itemError{Code: code, Message: message}
	}
	return out
}
