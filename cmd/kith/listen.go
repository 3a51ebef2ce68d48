package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/rs/zerolog"
)

// checkListen requires an address to be a port with an optional host.
func checkListen(ctx context.Context, flag, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = net.DefaultResolver.LookupPort(ctx, "tcp", port)
	}
	if err != nil {
		return fmt.Errorf("%s must be an address with a port, such as 127.0.0.1:8080 or :8080, not %q", flag, address)
	}
	return nil
}

func listen(ctx context.Context, flag, address string) (net.Listener, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot serve on %s (%s chooses another address): %w", address, flag, err)
	}
	return ln, nil
}

// listenForMetrics returns nil if metrics are disabled.
func (c *serveCmd) listenForMetrics(ctx context.Context) (net.Listener, error) {
	if c.MetricsListen == "" {
		return nil, nil
	}
	return listen(ctx, "--metrics-listen", c.MetricsListen)
}

func serveMetrics(ctx context.Context, ln net.Listener, handler http.Handler, log zerolog.Logger) error {
	log.Info().Str("url", "http://"+ln.Addr().String()+"/metrics").Msg("serving metrics")
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", handler)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { _ = srv.Close() }) // an interrupted scrape does no harm
	if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
