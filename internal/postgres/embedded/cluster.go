//go:build unix

package embedded

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// role is the only database user; kith signs in as it.
const role = "kith"

// socketPort only names the socket file; nothing listens on a TCP port of that number.
const socketPort = 5432

// maxSocketPath is slightly below the lowest limit of any system (104 bytes on macOS, including the final zero).
const maxSocketPath = 100

// A cluster is PostgreSQL's part of a data directory:
//
//	postgres/      the cluster itself
//	postgres.log   the server's log; postgres.log.1 is that of the start before
//	run/           its socket, in a directory that only the owner may enter
//	password       for connections over loopback
type cluster struct {
	dataDir string
	owner   owner
	// port is the server's previous port, to be reused if free; 0 if unknown.
	port int
	// failing is true if the last start by this process failed.
	failing bool
	// stopInOrder is the time limit of an orderly stop, and silence that of an answer.
	stopInOrder, silence time.Duration
}

func (c cluster) dir() string      { return filepath.Join(c.dataDir, "postgres") }
func (c cluster) runDir() string   { return filepath.Join(c.dataDir, "run") }
func (c cluster) logFile() string  { return filepath.Join(c.dataDir, "postgres.log") }
func (c cluster) passFile() string { return filepath.Join(c.dataDir, "password") }

// onSocket reports whether the socket path is usable: short enough, and without a comma, which separates hosts in an
// address.
func (c cluster) onSocket() bool {
	socket := filepath.Join(c.runDir(), ".s.PGSQL."+strconv.Itoa(socketPort))
	return len(socket) <= maxSocketPath && !strings.Contains(socket, ",")
}

// Exists reports whether a data directory has a cluster, so that [Open] would not create one.
func Exists(dataDir string) bool {
	_, err := os.Stat(filepath.Join(cluster{dataDir: dataDir}.dir(), "PG_VERSION"))
	return err == nil
}

// major is the major version that created the cluster; 0 if there is none yet.
func (c cluster) major() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.dir(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s is not a PostgreSQL cluster: its PG_VERSION reads %q", c.dir(), text)
	}
	return major, nil
}

// create runs initdb if there is no cluster yet. The cluster appears atomically; leftovers of an interrupted run are
// removed.
func (c cluster) create(ctx context.Context, bin binaries) error {
	if major, err := c.major(); major != 0 || err != nil {
		return err
	}
	if entries, err := os.ReadDir(c.dir()); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is neither empty nor a PostgreSQL cluster: move it away, or choose another --data "+
			"directory", c.dir())
	}
	fresh := c.dir() + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if err := c.makeOwned(fresh); err != nil {
		return err
	}
	if err := c.makePassword(); err != nil {
		return err
	}
	if err := c.initdb(ctx, bin, fresh); err != nil {
		return err
	}
	if err := os.RemoveAll(c.dir()); err != nil {
		return err
	}
	return os.Rename(fresh, c.dir())
}

func (c cluster) initdb(ctx context.Context, bin binaries, fresh string) error {
	// C is the only locale that sorts text by bytes on every system. Text is folded before it gets here.
	cmd, err := c.owner.command(ctx, fresh, bin.path("initdb"),
		"--pgdata="+fresh, "--username="+role, "--pwfile="+c.passFile(), "--auth=scram-sha-256",
		"--encoding=UTF8", "--locale=C")
	if err != nil {
		return err
	}
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil { // instead of the signal that ended it
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("initdb: %w: %s", startError(err), lastLines(string(out), 5))
		if bin.fetched != "" {
			err = fmt.Errorf("%w; if that does not explain it, the fetched PostgreSQL may be damaged: delete %s to "+
				"fetch it "+"again", err, bin.fetched)
		}
		return err
	}
	return nil
}

// startError explains the failure to change users, typical of containers with reduced rights.
func startError(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: as root, kith runs PostgreSQL as an unprivileged user, and this environment does not "+
			"let "+"it change users; run kith as an ordinary user, or set DATABASE_URL", err)
	}
	return err
}

// makeOwned makes a directory that only the owner may enter.
func (c cluster) makeOwned(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	return c.owner.take(dir)
}

// makePassword writes the password of the role to a file that only its owner may read.
func (c cluster) makePassword() error {
	if err := os.Remove(c.passFile()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.WriteFile(c.passFile(), []byte(rand.Text()+"\n"), 0o600); err != nil {
		return err
	}
	return c.owner.take(c.passFile())
}

// url is the address of a database of the running server.
func (c cluster) url(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User(role), Path: "/" + database}
	if c.onSocket() {
		// pgx, like libpq, does not read a plus sign as a space.
		u.RawQuery = "host=" + strings.ReplaceAll(url.QueryEscape(c.runDir()), "+", "%20") + "&port=" +
			strconv.Itoa(socketPort)
		return u.String()
	}
	// Both files were read before, when the server was found running.
	password, _ := os.ReadFile(c.passFile())
	pid, _ := c.readPID()
	u.User = url.UserPassword(role, strings.TrimSpace(string(password)))
	u.Host = "127.0.0.1:" + strconv.Itoa(pid.port)
	u.RawQuery = "sslmode=disable"
	return u.String()
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}
