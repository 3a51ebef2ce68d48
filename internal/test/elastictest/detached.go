package elastictest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// pidFile is the file with the node's process id, in the node's directory.
const pidFile = "node.pid"

func (n *Node) leavePID() error {
	return os.WriteFile(filepath.Join(n.dir, pidFile), []byte(strconv.Itoa(n.PID)), 0o600)
}

// StopDetached stops the node that runs in dir, whichever process started it, and waits
// until it has ended. It does nothing if none runs.
func StopDetached(ctx context.Context, dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	pid, ok := running(ctx, dir)
	if !ok {
		return nil
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop Elasticsearch, process %d: %w", pid, err)
	}
	ctx, cancel := context.WithTimeout(ctx, stopLimit)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, still := running(ctx, dir); !still && ctx.Err() == nil {
			return os.Remove(filepath.Join(dir, pidFile))
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("process %d of Elasticsearch does not end: see %s", pid, filepath.Join(dir, "logs"))
		}
	}
}

// running returns the process of the node in dir. It ignores a process id that belongs to another program by now.
func running(ctx context.Context, dir string) (pid int, ok bool) {
	data, err := os.ReadFile(filepath.Join(dir, pidFile))
	if err != nil {
		return 0, false
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || pid < 2 {
		return 0, false
	}
	out, err := exec.CommandContext(ctx, "ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return pid, err == nil && strings.Contains(string(out), filepath.Join(dir, "config"))
}

// checkFree rejects a directory or a port that is in use, before anything is written.
func checkFree(ctx context.Context, o Options) error {
	if o.Dir != "" {
		dir, err := filepath.Abs(o.Dir)
		if err != nil {
			return err
		}
		if pid, ok := running(ctx, dir); ok {
			return fmt.Errorf("process %d already runs Elasticsearch on %s", pid, dir)
		}
		if err := os.Remove(filepath.Join(dir, pidFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if o.Port == 0 {
		return nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(o.Port)))
	if err != nil {
		return fmt.Errorf("port %d is taken: choose another, or 0 for a free one: %w", o.Port, err)
	}
	return l.Close()
}
