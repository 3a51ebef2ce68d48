//go:build unix

package embedded

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"
)

// stopInOrder is half of stopTimeout: the rest is for a server that does not stop in order.
const stopInOrder = stopTimeout / 2

// stop shuts the server down in order, cutting open connections, and waits until it is gone. If that fails, it forces
// the server to end, which then recovers at the next start. A server that recovers from the death of a child, for
// example on a full disk, may otherwise wait for another child forever.
func (c cluster) stop(ctx context.Context) error {
	p, err := c.readPID()
	if err != nil || p.pid == 0 || !alive(p.pid) || !servesFrom(ctx, p.pid, c.dir()) {
		return err
	}
	// SIGINT is PostgreSQL's "fast" shutdown, SIGQUIT its "immediate" one.
	inOrder, cancel := context.WithTimeout(ctx, c.stopInOrder)
	defer cancel()
	err = c.signal(inOrder, p.pid, syscall.SIGINT)
	if err != nil && ctx.Err() == nil {
		err = c.signal(ctx, p.pid, syscall.SIGQUIT)
	}
	return err
}

// signal tells the server to end and waits until it is gone.
func (c cluster) signal(ctx context.Context, pid int, s syscall.Signal) error {
	if err := syscall.Kill(pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("stop postgres (pid %d): %w", pid, err)
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		now, err := c.readPID()
		// It removes its file before it has released everything; from then on its process id may belong to another
		// program.
		if !alive(pid) || err == nil && now.pid != pid && !servesFrom(ctx, pid, c.dir()) {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("postgres (pid %d) did not stop: %w", pid, ctx.Err())
		}
	}
}
