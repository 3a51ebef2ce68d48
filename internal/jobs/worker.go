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

// args are the stored arguments of a task. Only the key makes it unique.
type args struct {
	kind    string
	Key     string          `json:"key" river:"unique"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Kind implements [river.JobArgs].
func (a args) Kind() string { return a.kind }

// worker runs the tasks of one kind.
type worker struct {
	river.WorkerDefaults[args]
	kind Kind
}

// Timeout implements [river.Worker].
func (w *worker) Timeout(*river.Job[args]) time.Duration { return w.kind.Timeout }

const (
	// maxCrashes is how often a task may crash its worker.
	maxCrashes = 3
	// rescued is the prefix of the error of an attempt whose process died.
	rescued = "Stuck job rescued"
	// maxAge limits how long a task may postpone itself.
	maxAge = 24 * time.Hour
)

// CodeSetAside is the code of a task that crashed its worker too often.
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

// outcome converts an error into River's form.
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

// crashes counts the attempts that ended with a panic or the death of the process.
func crashes(attempts []rivertype.AttemptError) int {
	n := 0
	for _, e := range attempts {
		if e.Trace != "" || strings.HasPrefix(e.Error, rescued) {
			n++
		}
	}
	return n
}

// CodeInternal is the code of an error that is not a [Failure].
const CodeInternal = "INTERNAL_ERROR"

// reasonOf returns why the last attempt failed.
func reasonOf(attempts []rivertype.AttemptError) Failure {
	if len(attempts) == 0 {
		return Failure{}
	}
	return ParseReason(attempts[len(attempts)-1].Error)
}

// ParseReason parses the stored error of a task.
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

// keyOf returns the key in the stored arguments of a task.
func keyOf(encoded []byte) string {
	var a args
	if json.Unmarshal(encoded, &a) != nil {
		return ""
	}
	return a.Key
}

// wasCanceled reports whether somebody canceled a task.
func wasCanceled(metadata []byte) bool {
	var m struct {
		CancelAttemptedAt *time.Time `json:"cancel_attempted_at"`
	}
	return json.Unmarshal(metadata, &m) == nil && m.CancelAttemptedAt != nil
}
