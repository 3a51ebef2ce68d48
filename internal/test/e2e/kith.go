package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kith/internal/postgres/embedded"
	"kith/internal/test/effort"
	"kith/internal/test/pgtest"
)

// Kith is one installation: a data directory and an engine.
type Kith struct {
	// Dir is the working directory of its commands; the data directory is below it.
	Dir    string
	Engine string
	// Env are the settings of its commands.
	Env []string
}

// New returns an installation whose Postgres has all tables and nobody in them: it is the copy of one that kith has
// made, because making one takes as long as many a test. What it started is gone when the test ends.
func New(t *testing.T, e Engine) Kith {
	t.Helper()
	k := install(t, e)
	if !e.Alone {
		return k.on(pgtest.CopyURL(t, "installation", func(url string) error {
			return makeTemplate(t, "KITH_DATA="+k.Data(), databaseVariable+"="+url)
		}))
	}
	template := once(t, "template", func(path string) error {
		return errors.Join(makeTemplate(t, "KITH_DATA="+path), forgetDisk(path))
	})
	CopyTree(t, template, k.Data())
	return k
}

// databaseVariable is the setting that names the database of an installation.
const databaseVariable = "KITH_DATABASE_URL"

// on is the installation on a database.
func (k Kith) on(url string) Kith {
	k.Env = append(k.Env, databaseVariable+"="+url)
	return k
}

// makeTemplate has kith make an installation with nobody in it.
func makeTemplate(t *testing.T, settings ...string) error {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), Program(t), "load", "--kind", "people", os.DevNull)
	cmd.Env = append(os.Environ(), settings...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("the template of installations: %w\n%s", err, out)
	}
	return nil
}

// forgetDisk has the Postgres of an installation not wait for the disk, as every stop of it
// would. What a killed process has written is kept all the same: the system has it.
func forgetDisk(data string) error {
	f, err := os.OpenFile(filepath.Join(data, "postgres", "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("fsync = off\n")
	return errors.Join(err, f.Close())
}

// Fresh returns an installation that no command has run on yet.
func Fresh(t *testing.T, e Engine) Kith {
	t.Helper()
	k := install(t, e)
	if e.Alone {
		return k
	}
	return k.on(pgtest.URL(t))
}

func install(t *testing.T, e Engine) Kith {
	t.Helper()
	k := Kith{Dir: t.TempDir(), Engine: e.Name, Env: e.Env(t)}
	effort.Deadline(t)
	t.Cleanup(func() { k.Clear(t) })
	return k
}

// Offline is an installation for commands that open none.
func Offline(t *testing.T) Kith {
	t.Helper()
	return Kith{Dir: t.TempDir()}
}

// CopyTree copies a directory with its owners to a place where there is nothing.
func CopyTree(t *testing.T, from, to string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", from, to).CombinedOutput(); err != nil {
		t.Fatalf("copy %s: %v\n%s", from, err, out)
	}
}

// Data is the data directory.
func (k Kith) Data() string { return filepath.Join(k.Dir, "data") }

// Variable is a setting of the installation.
func (k Kith) Variable(name string) string {
	for _, v := range k.Env {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// Command prepares a command on the installation.
func (k Kith) Command(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	effort.Deadline(t)
	cmd := exec.CommandContext(ctx, Program(t), args...)
	// The collector of the tests, which GOGC may set, is not that of kith.
	cmd.Env = append(append(os.Environ(), "GOGC=", "KITH_DATA="+k.Data(), "KITH_LOG_FORMAT=json"), k.Env...)
	cmd.Dir = k.Dir
	return cmd
}

// Kill kills a running command as kill -9 does, and waits for its end.
func Kill(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Kill(); err != nil {
		t.Errorf("the command had ended before it was killed: %v", err)
	}
	_ = cmd.Wait() // it was killed
}

// Run runs a command to its end and returns its standard output. It fails the test where the command does.
func (k Kith) Run(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := k.Try(t, args...)
	if err != nil {
		t.Fatalf("kith %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout
}

// Try runs a command to its end, which may be a failure.
func (k Kith) Try(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := k.Command(t.Context(), t, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// Find runs kith search and returns its standard output, which is empty if no one matches.
func (k Kith) Find(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := k.Try(t, append([]string{"search"}, args...)...)
	if nobody := ExitCode(err) == 1 && strings.Contains(stderr, "no one matches"); err != nil && !nobody {
		t.Fatalf("kith search %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout
}

// ExitCode is the code that a command ended with.
func ExitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

// LiveToken makes an app and a token of the live directory.
func (k Kith) LiveToken(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("app%d", time.Now().UnixNano())
	k.Run(t, "app", "create", name)
	return k.Token(t, name, "u1")
}

// Token makes a token of a user of an app.
func (k Kith) Token(t *testing.T, app, user string) string {
	t.Helper()
	return strings.TrimSpace(k.Run(t, "token", "--app", app, "--user", user, "--email", user+"@example.com"))
}

// KillPostgres ends the embedded server as `kill -9` does.
func (k Kith) KillPostgres(t *testing.T) {
	t.Helper()
	pid, err := k.PostgresPID()
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil {
		t.Errorf("killing postgres: %v", err)
	}
}

// PostgresPID is the process of the embedded server, or of the one that was there last, where that was killed.
func (k Kith) PostgresPID() (int, error) {
	text, err := os.ReadFile(filepath.Join(k.Data(), "postgres", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(strings.TrimSpace(first))
}

// Clear ends the Postgres that a killed kith left running, as the next command would.
func (k Kith) Clear(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(k.Data(), "postgres", "postmaster.pid")); err != nil {
		return
	}
	shared, err := embedded.Open(context.Background(), k.Data(), embedded.Options{})
	if err == nil {
		err = shared.Close()
	}
	if err != nil {
		t.Errorf("ending the Postgres of the test: %v", err)
	}
}
