package http

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"kith/client"
)

// success is the envelope of an answer without pages.
type success struct {
	Data     any             `json:"data"`
	Metadata client.Metadata `json:"metadata"`
}

// respond answers 200 with the success envelope.
func respond(w http.ResponseWriter, r *http.Request, data any) {
	writeJSON(w, http.StatusOK, success{Data: data, Metadata: newMetadata(r.Context())})
}

// answering is a handler for an operation that only returns the data of its answer.
func answering(operation func(*http.Request) (any, error)) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		data, err := operation(r)
		if err != nil {
			return err
		}
		respond(w, r, data)
		return nil
	}
}

// writeJSON writes v in one piece, with its length.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := encode(v)
	if err != nil {
		panic(err) // a type of ours that cannot be encoded is a defect
	}
	writeBody(w, status, typeJSON, append(body, '\n'))
}

const (
	typeJSON = "application/json"
	typeHTML = "text/html; charset=utf-8"
)

func writeBody(w http.ResponseWriter, status int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	boundWrite(w)
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client is gone, nobody needs the error
}

// boundWrite sets the deadline after which a client that does not read its answer is cut. Writers
// without deadlines, as in tests, have none.
func boundWrite(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTimeout))
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func newMetadata(ctx context.Context) client.Metadata {
	return client.Metadata{RequestID: requestID(ctx)}
}

func textOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
