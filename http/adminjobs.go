package http

import (
	"context"
	"errors"
	"math"
	"net/http"
	"time"

	"kith"
	"kith/internal/jobs"
)

// JobQueue is the part of [jobs.Queue] that the server needs for the operator.
type JobQueue interface {
	List(ctx context.Context, f jobs.Filter) ([]jobs.Info, error)
	Retry(ctx context.Context, id int64) (jobs.Info, error)
	End(ctx context.Context, id int64) (jobs.Info, error)
}

// workAnswer is the operator's view of a background job.
type workAnswer struct {
	ID       int64      `json:"id"`
	Kind     string     `json:"kind"`
	About    string     `json:"about"`
	State    jobs.State `json:"state"`
	Attempt  int        `json:"attempt"`
	Attempts int        `json:"attempts"`

	CreatedAt time.Time  `json:"created_at"`
	NextAt    *time.Time `json:"next_at"`
	EndedAt   *time.Time `json:"ended_at"`
	Error     *itemError `json:"error"`
}

func workOf(j jobs.Info) workAnswer {
	out := workAnswer{
		ID: j.ID, Kind: j.Kind, About: j.Key, State: j.State, Attempt: j.Attempt, Attempts: j.Attempts,
		CreatedAt: j.Created.UTC(), NextAt: timeOrNull(j.Next.UTC()), EndedAt: timeOrNull(j.Ended.UTC()),
	}
	if j.Reason.Code != "" {
		out.Error = &itemError{Code: j.Reason.Code, Message: j.Reason.Message}
	}
	return out
}

// listWork answers GET /v2/admin/jobs, newest first.
func (s *Server) listWork(w http.ResponseWriter, r *http.Request) error {
	d, owner := operated(r)
	page, err := pageOf(r)
	if err != nil {
		return err
	}
	filter := jobs.Filter{State: jobs.State(page.query.Get("state"))}
	cursor := listCursor{d.Seal, "jobs", owner + "/" + page.query.Get("state")}
	return answerNumbered(w, r, page, cursor, func(after int64, n int) ([]jobs.Info, bool, error) {
		filter.Below = after
		if after == 0 {
			filter.Below = math.MaxInt64
		}
		return readPage(n, func(n int) ([]jobs.Info, error) {
			filter.Limit = n
			return d.Jobs.List(r.Context(), filter)
		})
	}, func(j jobs.Info) (workAnswer, int64) { return workOf(j), j.ID })
}

// retryWork answers POST /v2/admin/jobs/{id}/retry.
func (s *Server) retryWork(w http.ResponseWriter, r *http.Request) error {
	return manageWork(w, r, JobQueue.Retry)
}

// endWork answers DELETE /v2/admin/jobs/{id}.
func (s *Server) endWork(w http.ResponseWriter, r *http.Request) error {
	return manageWork(w, r, JobQueue.End)
}

func manageWork(w http.ResponseWriter, r *http.Request,
	do func(JobQueue, context.Context, int64) (jobs.Info, error),
) error {
	d, _ := operated(r)
	id, err := numberOf(r, "a job, as GET /v2/admin/jobs gives it")
	if err != nil {
		return err
	}
	job, err := do(d.Jobs, r.Context(), id)
	switch {
	case errors.Is(err, jobs.ErrNotFound):
		return kith.Errorf(kith.NotFound, "JOB_NOT_FOUND", "there is no job %d; ended jobs are kept for two days", id)
	case errors.Is(err, jobs.ErrOpen):
		return kith.Errorf(kith.Conflict, "JOB_NOT_FAILED", "job %d has not failed; only failed and canceled jobs are "+
			"tried again", id)
	case errors.Is(err, jobs.ErrEnded):
		return kith.Errorf(kith.Conflict, "JOB_ENDED", "job %d has ended already", id)
	case errors.Is(err, jobs.ErrJoined):
		return kith.Errorf(kith.Conflict, "JOB_EXISTS", "a job like job %d is already open; wait until it ends", id)
	case err != nil:
		return err
	}
	respond(w, r, workOf(job))
	return nil
}
