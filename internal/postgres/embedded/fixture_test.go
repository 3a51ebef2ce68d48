//go:build unix

package embedded_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/embedded"
	"kith/internal/test/expect"
	"kith/internal/test/leash"
)

// ownerEnv makes the test binary act as a kith with a data directory. It prints the address of the
// server, and exits when its input ends.
const ownerEnv = "KITH_TEST_OWNER_OF"

func TestMain(m *testing.M) {
	if dir := os.Getenv(ownerEnv); dir != "" {
		os.Exit(actAsOwner(dir))
	}
	os.Exit(leash.Run(m))
}

func actAsOwner(dir string) int {
	s, err := embedded.Open(context.Background(), dir, embedded.Options{})
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	fmt.Println(s.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Close(); err != nil {
		fmt.Println("error:", err)
		return 1
	}
	return 0
}

// owner is another process with a data directory.
type owner struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	url   string
}

func startOwner(t *testing.T, program, dir string, uid int) *owner {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), ownerEnv+"="+dir)
	cmd.Dir = "/"
	if uid != os.Getuid() {
		bin, err := embedded.Programs(t.Context())
		expect.NoError(t, err)
		cmd.Env = append(cmd.Env, "KITH_POSTGRES_BIN="+bin) // this user cannot enter the cache of the test's user
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	stdin, err := cmd.StdinPipe()
	expect.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	expect.NoError(t, err)
	expect.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	expect.NoError(t, err)
	return &owner{cmd: cmd, stdin: stdin, url: strings.TrimSpace(line)}
}

func (o *owner) leave(t *testing.T) {
	t.Helper()
	expect.NoError(t, o.stdin.Close())
	expect.NoError(t, o.cmd.Wait())
}

func open(t *testing.T, dir string) *embedded.Server {
	t.Helper()
	s, err := embedded.Open(t.Context(), dir, embedded.Options{})
	expect.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func exec1(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	expect.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	var text string
	expect.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&text))
	return text
}

// keep stores a row that must be found again.
func keep(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	expect.NoError(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	_, err = conn.Exec(t.Context(), "create table t as select 'kept' as x")
	expect.NoError(t, err)
}

func serverPID(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	expect.NoError(t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	expect.NoError(t, err)
	return pid
}

func isRunning(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "postgres", "postmaster.pid"))
	return err == nil
}
