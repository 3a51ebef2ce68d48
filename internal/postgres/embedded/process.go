//go:build unix

package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// poll is the interval for checking a starting or stopping server.
const poll = 15 * time.Millisecond

// pidFile is the content of the server's postmaster.pid.
type pidFile struct {
	pid, port int
	ready     bool
	stopping  bool
}

// readPID reads postmaster.pid; a missing file is the zero value.
func (c cluster) readPID() (pidFile, error) {
	text, err := os.ReadFile(filepath.Join(c.dir(), "postmaster.pid"))
	if errors.Is(err, fs.ErrNotExist) {
		return pidFile{}, nil
	}
	if err != nil {
		return pidFile{}, err
	}
	// Lines: pid, data directory, start time, port, socket directory, listen
	// address, shared memory, status. A starting server has not written all.
	lines := strings.Split(string(text), "\n")
	line := func(i int) string {
		if i >= len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[i])
	}
	var p pidFile
	p.pid, _ = strconv.Atoi(line(0))
	p.port, _ = strconv.Atoi(line(3))
	p.ready, p.stopping = line(7) == "ready", line(7) == "stopping"
	return p, nil
}

// isRunning reports whether the server of this cluster runs, and waits until it answers. It removes the pid files of a
// killed server if its process id now belongs to another program, or to a zombie: PostgreSQL takes both for a running
// server. PostgreSQL detects surviving processes of a killed server without these files, by their shared memory.
func (c cluster) isRunning(ctx context.Context) (bool, error) {
	p, err := c.readPID()
	if err != nil || p.pid == 0 {
		return false, err
	}
	there := exists(p.pid)
	if !there || !alive(p.pid) || !servesFrom(ctx, p.pid, c.dir()) {
		served, err := c.isServed(ctx)
		if there && !served && err == nil {
			err = c.clear()
		}
		return served, err
	}
	if p.stopping {
		// The process that stopped it no longer waits, otherwise it would hold the start lock.
		return false, c.stop(ctx)
	}
	err = c.waitReady(ctx, p.pid, func() bool { return !alive(p.pid) })
	if errors.Is(err, errGone) {
		return c.isRunning(ctx)
	}
	return err == nil, err
}

// isServed reports whether a server with a process id unknown here answers at the socket: one in another container that
// shares the directory. It waits for one that is about to answer. PostgreSQL would take it for dead, and two servers at
// once destroy the data.
func (c cluster) isServed(ctx context.Context) (bool, error) {
	if !c.onSocket() {
		return false, nil // another container has its own ports
	}
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		err := c.ensureDatabase(ctx)
		if errors.Is(err, errUnresponsive) {
			return false, err
		}
		if _, answered := errors.AsType[*pgconn.PgError](err); !answered {
			return err == nil, ctx.Err()
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// clear removes the server's pid and lock files.
func (c cluster) clear() error {
	socket := filepath.Join(c.runDir(), ".s.PGSQL."+strconv.Itoa(socketPort)+".lock")
	for _, file := range []string{socket, filepath.Join(c.dir(), "postmaster.pid")} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// alive reports whether a process with that id runs, under any user. Zombies do not count: they remain if kith is the
// first process of a container.
func alive(pid int) bool {
	if !exists(pid) {
		return false
	}
	return readProcessState(pid) != 'Z'
}

// readProcessState returns the state letter of a process; 0 if the system does not provide it.
func readProcessState(pid int) byte {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return 0
	}
	// "pid (name) state …"; the name may hold anything.
	end := strings.LastIndexByte(string(stat), ')')
	if state := strings.TrimSpace(string(stat[end+1:])); state != "" {
		return state[0]
	}
	return 0
}

// exists reports whether there is a process with that id, running or zombie.
func exists(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// servesFrom reports whether a process is a PostgreSQL server that works in dir. If the system does not say, it returns
// true.
func servesFrom(ctx context.Context, pid int, dir string) bool {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	if cwd, err := os.Readlink(filepath.Join(proc, "cwd")); err == nil {
		real, err := filepath.EvalSymlinks(dir)
		return err != nil || cwd == real
	}
	out, err := exec.CommandContext(ctx, "ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.Contains(string(out), "postgres")
}

// errGone reports that the server ended before it was ready.
var errGone = errors.New("the server ended")

// connectTries is how many connection failures of a server that claims to be ready are tolerated.
const connectTries = 200

// waitReady waits until the server with that process id answers, however long its crash recovery takes, unless it is
// gone.
func (c cluster) waitReady(ctx context.Context, pid int, gone func() bool) error {
	tick := time.NewTicker(poll)
	defer tick.Stop()
	failures, ran := 0, time.Now()
	for {
		if readProcessState(pid) != 'T' { // stopped by a signal
			ran = time.Now()
		}
		if time.Since(ran) > c.silence {
			return fmt.Errorf("postgres (pid %d): %w", pid, errUnresponsive)
		}
		if p, err := c.readPID(); err == nil && p.ready && p.pid == pid {
			err := c.ensureDatabase(ctx)
			if err == nil {
				return nil
			}
			if errors.Is(err, errUnresponsive) {
				return fmt.Errorf("postgres (pid %d): %w", pid, err)
			}
			// It may have been killed a moment ago and be about to end. A server that recovers from the death of a
			// child claims to be ready all the time.
			if !recovers(err) {
				failures++
			}
			if failures == connectTries {
				return err
			}
		}
		if gone() {
			return errGone
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return fmt.Errorf("waiting for postgres to be ready: %w", ctx.Err())
		}
	}
}

// startTries is how often a start is retried after a transient failure.
const startTries = 100

// start runs the server and waits until it answers.
func (c cluster) start(ctx context.Context, bin binaries) error {
	if err := c.makeOwned(c.runDir()); err != nil {
		return err
	}
	if err := c.keepLog(); err != nil {
		return err
	}
	for try := 1; ; try++ {
		err := c.startOnce(ctx, bin)
		// After kill -9 of the server, its children need a moment to notice and leave; and a loopback port can be taken
		// before the server gets it.
		passing := err != nil && (strings.Contains(err.Error(), "is still in use") ||
			strings.Contains(err.Error(), "Address already in use"))
		if !passing || try == startTries {
			return err
		}
		select {
		case <-time.After(10 * poll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// keepLog keeps the log of the last server that ran, for diagnosis, even after many failed starts.
func (c cluster) keepLog() error {
	if c.failing {
		return nil
	}
	err := os.Rename(c.logFile(), c.logFile()+".1")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (c cluster) startOnce(ctx context.Context, bin binaries) error {
	args, err := c.serverArgs(ctx)
	if err != nil {
		return err
	}
	// The server outlives every context.
	cmd, err := c.owner.command(context.WithoutCancel(ctx), c.dir(), bin.path("postgres"), args...)
	if err != nil {
		return err
	}
	log, err := os.OpenFile(c.logFile(), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	if err := share(c.logFile()); err != nil {
		return err
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return startError(err)
	}
	ended := make(chan struct{})
	// Waiting reaps the server when it ends while this process still runs.
	go func() { _ = cmd.Wait(); close(ended) }()
	err = c.waitReady(ctx, cmd.Process.Pid, func() bool {
		select {
		case <-ended:
			return true
		default:
			return false
		}
	})
	if errors.Is(err, errGone) {
		text, _ := os.ReadFile(c.logFile())
		return fmt.Errorf("postgres did not start: %s", startFailure(string(text)))
	}
	if err != nil {
		_ = syscall.Kill(cmd.Process.Pid, syscall.SIGINT)
	}
	return err
}

// startFailure extracts from a log why a server did not start: the fatal line and the lines around it, else the last
// lines.
func startFailure(log string) string {
	const most = 6
	lines := strings.Split(strings.TrimSpace(log), "\n")
	fatal := slices.IndexFunc(lines, func(line string) bool {
		return strings.Contains(line, "FATAL:") ||
			strings.Contains(line, "PANIC:")
	})
	if fatal < 0 {
		return lastLines(log, most)
	}
	return strings.Join(lines[max(0, fatal-most/2):min(len(lines), fatal+most/2)], " | ")
}

// serverArgs returns the settings of the server. They are on the command line, not in the cluster, so that a newer kith
// brings its own.
func (c cluster) serverArgs(ctx context.Context) ([]string, error) {
	own := buffers(memory())
	settings := map[string]string{
		"shared_buffers": megabytes(own), "max_wal_size": "2GB", "wal_compression": "on", "jit": "off",
		"synchronous_commit": "on", "max_connections": "100", "work_mem": "16MB", "maintenance_work_mem": "128MB",
		"random_page_cost": "1.1", "effective_cache_size": megabytes(4 * own), "checkpoint_timeout": "10min",
		"autovacuum_naptime": "15s", "log_min_messages": "warning", "log_line_prefix": "%m [%p] ",
		"max_wal_senders": "0", "wal_level": "minimal",
	}
	hba := "local all " + role + " trust\n"
	if c.onSocket() {
		settings["listen_addresses"] = ""
		settings["unix_socket_directories"] = `"` + strings.ReplaceAll(c.runDir(), `"`, `""`) + `"`
		settings["unix_socket_permissions"] = "0700"
		settings["port"] = strconv.Itoa(socketPort)
	} else {
		port, err := c.choosePort(ctx)
		if err != nil {
			return nil, err
		}
		hba = "host all " + role + " 127.0.0.1/32 scram-sha-256\n"
		settings["listen_addresses"] = "127.0.0.1"
		settings["unix_socket_directories"] = ""
		settings["port"] = strconv.Itoa(port)
	}
	hbaFile := filepath.Join(c.runDir(), "pg_hba.conf")
	if err := os.WriteFile(hbaFile, []byte(hba), 0o600); err != nil {
		return nil, err
	}
	if err := c.owner.take(hbaFile); err != nil {
		return nil, err
	}
	settings["hba_file"] = hbaFile
	args := []string{"-D", c.dir()}
	for name, value := range settings {
		args = append(args, "-c", name+"="+value)
	}
	return args, nil
}

// choosePort returns the server's previous port if it is free, because other processes know it; else any free port.
func (c cluster) choosePort(ctx context.Context) (int, error) {
	if c.port != 0 {
		if port, err := freePort(ctx, c.port); err == nil {
			return port, nil
		}
	}
	return freePort(ctx, 0)
}

// freePort checks that a port is free; 0 picks any.
func freePort(ctx context.Context, port int) (int, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return 0, fmt.Errorf("no loopback port: %w", err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
