package bench

import (
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

// bare serves one search without Kith: it sends the engine the requests that Kith sent, and answers with Kith's answer.
// The extra time compared with the engine alone is the unavoidable cost of HTTP.
type bare struct {
	*client
	srv *http.Server
}

// newBare starts the server on its own loopback port, and connects to it.
func newBare(ctx context.Context, replay func(context.Context) error, answer []byte) (*bare, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	srv := &http.Server{
		ReadHeaderTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			if err := replay(r.Context()); err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
			_, _ = w.Write(answer)
		}),
	}
	go func() { _ = srv.Serve(ln) }()
	c, err := newClient(ctx, Engine{URL: "http://" + ln.Addr().String()})
	if err != nil {
		_ = srv.Close()
		return nil, err
	}
	return &bare{client: c, srv: srv}, nil
}

func (b *bare) close() {
	b.client.close()
	_ = b.srv.Close()
}
