//go:build unix

package embedded

import (
	"context"
	"time"
)

// keepEvery is how often Keep checks the server.
const keepEvery = 250 * time.Millisecond

// Keep restarts the server at the same address whenever it exits, for example killed for lack of memory. It returns
// ctx's error when ctx ends, which must be before Close. At least one process should keep a server that others rely on;
// any number may.
func (s *Server) Keep(ctx context.Context) error {
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for failing := false; ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		err := s.revive(ctx)
		if err != nil && !failing && ctx.Err() == nil {
			s.log.Error().Err(err).Msg("postgres exited; restart failed, retrying")
		}
		failing = err != nil
	}
}

// revive starts the server if it is gone.
func (s *Server) revive(ctx context.Context) error {
	if p, err := s.cluster.readPID(); err == nil && p.pid != 0 && alive(p.pid) {
		return nil
	}
	starting, err := s.lockStart(ctx)
	if err != nil {
		return err
	}
	defer starting.release()
	started, err := s.joinOrStart(ctx)
	if started {
		s.log.Warn().Msg("postgres exited and was restarted")
	}
	return err
}
