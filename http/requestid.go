package http

import (
	"context"
	"crypto/rand"
	"net/http"
	"strings"

	"github.com/oklog/ulid/v2"
)

const requestIDHeader = "X-Request-Id"

// maxRequestID is the maximum length of a client's request id, in bytes.
const maxRequestID = 128

type requestIDKey struct{}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// withRequestID gives every request an id: the client's own if it is safe to log and send back, else a new one.
func withRequestID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestIDHeader)
		if !safeRequestID(id) {
			id = "req_" + ulid.MustNew(ulid.Now(), rand.Reader).String() // ulid.Make's continue one another
		}
		w.Header().Set(requestIDHeader, id)
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
	})
}

func safeRequestID(id string) bool {
	const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:/+=@"
	return id != "" && len(id) <= maxRequestID && strings.Trim(id, safe) == ""
}
