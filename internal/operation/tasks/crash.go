package tasks

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

const (
	// maxCrashes is how often a task may crash its worker.
	maxCrashes = 3
	// rescued is the prefix of the error of an attempt whose process died.
	rescued = "Stuck job rescued"
)

// CodeSetAside is the code of a task that crashed its worker too often.
const CodeSetAside = "JOB_SET_ASIDE"

// setAside is a middleware that fails tasks that have crashed their worker too often.
func setAside(ctx context.Context, task *rivertype.JobRow, work func(context.Context) error) error {
	if crashes(task.Errors) >= maxCrashes {
		return river.JobCancel(&Failure{
			Code:    CodeSetAside,
			Message: "its worker crashed three times: " + lastFailure(task.Errors).Message,
		})
	}
	return work(ctx)
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

// lastFailure returns why the last attempt failed.
func lastFailure(attempts []rivertype.AttemptError) Failure {
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

// wasCanceled reports whether somebody canceled a task.
func wasCanceled(metadata []byte) bool {
	var m struct {
		CancelAttemptedAt *time.Time `json:"cancel_attempted_at"`
	}
	return json.Unmarshal(metadata, &m) == nil && m.CancelAttemptedAt != nil
}
