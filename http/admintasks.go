package http

import (
	"context"
	"errors"
	"net/http"
	"time"

	"kith"
	"kith/client"
	"kith/internal/operation/tasks"
)

// taskAnswer is the operator's view of a background task.
type taskAnswer struct {
	ID       int64       `json:"id"`
	Kind     string      `json:"kind"`
	About    string      `json:"about"`
	State    tasks.State `json:"state"`
	Attempt  int         `json:"attempt"`
	Attempts int         `json:"attempts"`

	CreatedAt time.Time          `json:"created_at"`
	NextAt    *time.Time         `json:"next_at"`
	EndedAt   *time.Time         `json:"ended_at"`
	Error     *client.EntryError `json:"error"`
}

func newTaskAnswer(j tasks.Info) taskAnswer {
	out := taskAnswer{
		ID: j.ID, Kind: j.Kind, About: j.Key, State: j.State, Attempt: j.Attempt, Attempts: j.Attempts,
		CreatedAt: j.Created.UTC(), NextAt: timeOrNull(j.Next.UTC()), EndedAt: timeOrNull(j.Ended.UTC()),
	}
	if j.Reason.Code != "" {
		out.Error = &client.EntryError{Code: j.Reason.Code, Message: j.Reason.Message}
	}
	return out
}

// listTasks answers GET /v2/admin/jobs, newest first.
func listTasks(w http.ResponseWriter, r *http.Request) error {
	d, owner := ownerOf(r)
	state := r.URL.Query().Get("state")
	list := listing[int64]{seal: d.Seal, purpose: "jobs", binding: owner + "/" + state}
	return answerList(w, r, nil, list, readPage(func(after int64, n int) ([]tasks.Info, error) {
		return d.Tasks.List(r.Context(), tasks.Filter{State: tasks.State(state), Below: after, Limit: n})
	}), func(j tasks.Info) (taskAnswer, int64) { return newTaskAnswer(j), j.ID })
}

// retryTask answers POST /v2/admin/jobs/{id}/retry.
func retryTask(r *http.Request) (any, error) {
	return manageTask(r, (*tasks.Queue).Retry)
}

// endTask answers DELETE /v2/admin/jobs/{id}.
func endTask(r *http.Request) (any, error) {
	return manageTask(r, (*tasks.Queue).End)
}

func manageTask(
	r *http.Request, do func(*tasks.Queue, context.Context, int64) (tasks.Info, error),
) (any, error) {
	d, _ := ownerOf(r)
	id, err := pathNumber(r, "id", "a job, as GET /v2/admin/jobs gives it")
	if err != nil {
		return nil, err
	}
	task, err := do(d.Tasks, r.Context(), id)
	switch {
	case errors.Is(err, tasks.ErrNotFound):
		return nil, kith.Errorf(kith.NotFound, "JOB_NOT_FOUND", "there is no job %d; ended jobs are kept for two days",
			id)
	case errors.Is(err, tasks.ErrNotFailed):
		return nil, kith.Errorf(kith.Conflict, "JOB_NOT_FAILED",
			"job %d has not failed; only failed and canceled jobs are "+"tried again", id)
	case errors.Is(err, tasks.ErrEnded):
		return nil, kith.Errorf(kith.Conflict, "JOB_ENDED", "job %d has ended already", id)
	case errors.Is(err, tasks.ErrJoined):
		return nil, kith.Errorf(kith.Conflict, "JOB_EXISTS", "a job like job %d is already open; wait until it ends",
			id)
	}
	return newTaskAnswer(task), err
}
