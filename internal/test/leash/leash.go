//go:build unix

// Package leash ends everything that a test process started, however the process ends. [Run] gives the tests of a
// package a temporary directory. A watcher removes it together with every process that uses it. [Shared] is such a
// directory for all packages of one go test command. For tests only.
package leash

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// watcher waits for process $1 to end. It then ends every process with $2 in its command line or environment, at first
// with SIGQUIT, on which Postgres and Go programs stop at once, then with SIGKILL. Finally it removes $2.
const watcher = `
while kill -0 "$1" 2>/dev/null; do sleep 0.2; done
for signal in QUIT QUIT KILL KILL KILL KILL KILL KILL; do
	found=$(ps axeww -o pid= -o command= | grep -F -e "$2" | grep -v -F -e kith-leash -e 'grep -F' | awk '{print $1}')
	[ -n "$found" ] || break
	kill -s "$signal" $found 2>/dev/null
	sleep 0.5
done
rm -rf "$2"
`

// Watch starts a watcher, which outlives this process: when process pid has ended, the watcher kills all processes with
// dir in their command line or environment, and removes dir.
func Watch(pid int, dir string) error {
	cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", watcher, "kith-leash", strconv.Itoa(pid), dir)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH") + ":/usr/bin:/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // terminal interrupts are for the tests
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the watcher of %s: %w", dir, err)
	}
	go func() { _ = cmd.Wait() }() // it ends after this process, except in its own tests
	return nil
}

// Run runs tests with their own temporary directory, which [testing.T.TempDir] and [os.MkdirTemp] use, and returns the
// exit code. When this process ends, the watcher kills every process that uses the directory, and removes it.
func Run(m *testing.M) int {
	dir, err := os.MkdirTemp(base(), "kt*.d") // no name is a prefix of another
	if err == nil {
		// The unprivileged user of Postgres and Elasticsearch needs access.
		err = errors.Join(os.Chmod(dir, 0o711), Watch(os.Getpid(), dir), os.Setenv("TMPDIR", dir),
			os.Unsetenv("GOTMPDIR"))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "a directory for the tests:", err)
		return 1
	}
	code := m.Run()
	if err := os.RemoveAll(dir); err != nil {
		fmt.Fprintln(os.Stderr, "removing the directory of the tests:", err)
	}
	return code
}

// base is where [Run] and [Shared] make their directories; Run later changes what [TempRoot] and [os.TempDir] return.
var base = sync.OnceValue(func() string { return cmp.Or(TempRoot(), os.TempDir()) })

// Shared returns a directory that all test processes of one go test command share. When that command ends, the watcher
// kills every process that uses the directory, and removes it. A test process that was started otherwise, for example
// by a debugger, has its own directory, shared with its children.
func Shared() (string, error) {
	if dir := os.Getenv(sharedVariable); dir != "" {
		return dir, nil
	}
	owner, since, err := owner()
	if err != nil {
		return "", err
	}
	name := fnv.New32a()
	_, _ = fmt.Fprint(name, owner, since) // a hash never fails
	dir := filepath.Join(base(), fmt.Sprintf("kith-test-%08x", name.Sum32()))
	err = os.Mkdir(dir, 0o711)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	err = Once(dir, "watched", func(string) error {
		return errors.Join(os.Chmod(dir, 0o711), Watch(owner, dir))
	})
	return dir, errors.Join(err, os.Setenv(sharedVariable, dir))
}

// sharedVariable passes the shared directory to test processes that a test starts.
const sharedVariable = "KITH_TEST_SHARED"

// owner returns the process whose end removes the shared directory, and its start time.
func owner() (pid int, since string, err error) {
	for _, pid := range []int{os.Getppid(), os.Getpid()} {
		out, err := exec.CommandContext(context.Background(), "ps", "-o", "lstart=,comm=", "-p",
			strconv.Itoa(pid)).Output()
		if err != nil {
			return 0, "", fmt.Errorf("asking ps for process %d: %w", pid, err)
		}
		line := strings.TrimSpace(string(out))
		if program := filepath.Base(line[strings.LastIndexByte(line, ' ')+1:]); program == "go" || pid == os.Getpid() {
			return pid, line, nil
		}
	}
	return 0, "", errors.New("this process is unknown to ps")
}

// Once calls create with the path of name in dir, unless another process has done so.
// After the first success it writes a file with the name and the suffix .made.
func Once(dir, name string, create func(path string) error) error {
	path := filepath.Join(dir, name)
	lock, err := os.OpenFile(path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer lock.Close()
	err = syscall.EINTR
	for errors.Is(err, syscall.EINTR) {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		return fmt.Errorf("locking %s: %w", path, err)
	}
	if _, err := os.Stat(path + ".made"); err == nil {
		return nil
	}
	if err := create(path); err != nil {
		return err
	}
	return os.WriteFile(path+".made", nil, 0o600)
}
