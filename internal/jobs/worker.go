package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// args are what a job is stored with. The key alone makes it unique.
type args struct {
	kind    string
	Key     string          `json:"key" river:"unique"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Kind implements [river.JobArgs].
func (a args) Kind() string { return a.kind }

// worker runs the jobs of one kind.
type worker struct {
	river.WorkerDefaults[args]
	kind Kind
}

// Timeout implements [river.Worker].
func (w *worker) Timeout(*river.Job[args]) time.Duration { return w.kind.Timeout }

const (
	// maxCrashes is how often a job may bring its worker down.
	maxCrashes = 3
	// rescued begins the error of an attempt whose process was gone.
	rescued = "Stuck job rescued"
	// maxAge is how long a job may put itself off.
	maxAge = 24 * time.Hour
)

// CodeSetAside is the code of a job that brought its worker down too often.
const CodeSetAside = "JOB_SET_ASIDE"

// Work implements [river.Worker].
func (w *worker) Work(ctx context.Context, job *river.Job[args]) error {
	if crashes(job.Errors) >= maxCrashes {
		return river.JobCancel(&Failure{
			Code:    CodeSetAside,
			Message: "its worker crashed three times: " + reasonOf(job.Errors).Message,
		})
	}
	err := w.kind.Work(ctx, Task{
		ID: job.ID, Key: job.Args.Key, payload: job.Args.Payload, Attempt: job.Attempt, Attempts: job.MaxAttempts,
	})
	return outcome(err, time.Since(job.CreatedAt))
}

// outcome tells River what to do about an error.
func outcome(err error, age time.Duration) error {
	f, ok := errors.AsType[*Failure](err)
	switch {
	case !ok:
		return err
	case !f.Again:
		return river.JobCancel(f)
	case f.After > 0 && age < maxAge:
		return river.JobSnooze(f.After)
	}
	return f
}

// crashes counts the attempts that ended with a panic or with their process.
func crashes(attempts []rivertype.AttemptError) int {
	n := 0
	for _, e := range attempts {
		if e.Trace != "" || strings.HasPrefix(e.Error, rescued) {
			n++
		}
	}
	return n
}

// CodeInternal is the code of an error that is no [Failure].
const CodeInternal = "INTERNAL_ERROR"

// reasonOf is why the last attempt failed.
func reasonOf(attempts []rivertype.AttemptError) Failure {
	if len(attempts) == 0 {
		return Failure{}
	}
	return ParseReason(attempts[len(attempts)-1].Error)
}

// ParseReason reads an error as it is stored with a job.
func ParseReason(text string) Failure {
	text = strings.TrimPrefix(text, "JobCancelError: ")
	code, message, ok := strings.Cut(text, ": ")
	if !ok || strings.ContainsFunc(code, func(r rune) bool { return (r < 'A' || r > 'Z') && r != '_' }) {
		return Failure{Code: CodeInternal, Message: text}
	}
	return Failure{Code: code, Message: message}
}

// NextRetry implements [river.ClientRetryPolicy].
func (b backoff) NextRetry(job *rivertype.JobRow) time.Time {
	return time.Now().Add(b(max(job.Attempt, 1)))
}

// keyOf is the key in the stored arguments of a job.
func keyOf(encoded []byte) string {
	var a args
	if json.Unmarshal(encoded, &a) != nil {
		return ""
	}
	return a.Key
}

// wasCanceled reports whether someone asked for a job to be canceled.
func wasCanceled(metadata []byte) bool {
	var m struct {
		CancelAttemptedAt *time.Time `json:"cancel_attempted_at"`
	}
	return json.Unmarshal(metadata, &m) == nil && m.CancelAttemptedAt != nil
}
