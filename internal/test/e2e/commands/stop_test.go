package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// A server whose metrics address is in use fails at start and says why.
func TestServerNeedsItsMetricsAddress(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	defer taken.Close()
	address := taken.Addr().String()
	k := e2e.Fresh(t, e2e.Alone(e2e.Postgres()))
	_, stderr, err := k.Try(t, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", address)
	if e2e.ExitCode(err) != 1 || !strings.Contains(stderr, address) || !strings.Contains(stderr, "--metrics-listen") ||
		!strings.Contains(stderr, "in use") {
		t.Errorf("metrics at an address that is taken: code %d\n%s", e2e.ExitCode(err), stderr)
	}
	if _, err := os.Stat(k.Data()); err == nil {
		t.Error("kith started Postgres before it tried the address")
	}
}

// Interrupted commands report the interruption and no other error.
func TestInterruptedCommandsReportIt(t *testing.T) {
	t.Parallel()
	g := e2e.Generate(t)
	t.Run("load", func(t *testing.T) {
		t.Parallel()
		k := e2e.New(t, e2e.Postgres())
		k.Run(t, "load", g.Companies)
		cmd := k.Command(t.Context(), t, "load", "--kind", "people", "-")
		in, out, err := os.Pipe()
		expect.NoError(t, err)
		cmd.Stdin = in
		interrupted(t, cmd, func() {
			in.Close() // so that only the command reads
			// Write until nobody reads: the load has not reached the end of its input.
			for n := 0; ; n++ {
				person := maps.Clone(g.People[n%len(g.People)])
				delete(person, "id")
				person["social_url"] = fmt.Sprintf("https://social.example/in/endless-%d", n)
				if json.NewEncoder(out).Encode(person) != nil {
					break
				}
				if n == 5000 {
					_ = cmd.Process.Signal(os.Interrupt)
				}
			}
			out.Close()
		})
	})
	for _, args := range [][]string{{"doctor"}, {"search", "x"}, {"reindex"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			k := e2e.New(t, e2e.Postgres())
			asked := make(chan struct{}, 100)
			silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			}))
			defer silent.Close()
			cmd := k.Command(t.Context(), t, args...)
			cmd.Env = append(cmd.Env, "KITH_ELASTICSEARCH_URL="+silent.URL)
			interrupted(t, cmd, func() {
				<-asked
				_ = cmd.Process.Signal(os.Interrupt)
			})
		})
	}
}

// Closing the terminal stops a server and its Postgres. A load under nohup continues.
func TestClosingTheTerminalStopsTheServer(t *testing.T) {
	t.Parallel()
	// If the tests run under nohup, kith would ignore the signal too. Notify resets that for child processes.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	k := e2e.New(t, e2e.Alone(e2e.Postgres()))
	s := k.Serve(t)
	expect.NoError(t, s.Signal(syscall.SIGHUP))
	<-s.Gone
	if pid, err := k.PostgresPID(); s.Err != nil || err == nil {
		t.Errorf("kith serve ended with %v, Postgres runs as %d\n%s", s.Err, pid, s.Output())
	}
	cmd := k.Command(t.Context(), t, "load", "--kind", "people", "--no-index", "-")
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, cmd.Args...)
	in, err := cmd.StdinPipe()
	expect.NoError(t, err)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	expect.NoError(t, cmd.Start())
	const lines = 10_000
	line := strings.Repeat(" ", 200) + "{}\n" // more than a pipe holds, so a complete write means that the load reads
	if _, err := io.WriteString(in, strings.Repeat(line, lines)); err != nil {
		t.Fatal(err)
	}
	expect.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	in.Close()
	if err := cmd.Wait(); err != nil || !strings.Contains(stdout.String(), fmt.Sprintf("%d lines read", lines)) {
		t.Errorf("%v: %s", err, &stdout)
	}
}

// interrupted runs a command and interrupts it during meanwhile.
func interrupted(t *testing.T, cmd *exec.Cmd, meanwhile func()) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	expect.NoError(t, cmd.Start())
	meanwhile()
	if err := cmd.Wait(); e2e.ExitCode(err) != 130 || !strings.HasSuffix(stderr.String(), "kith: interrupted\n") ||
		strings.Contains(stdout.String(), "problem") {
		t.Errorf("code %d\nstdout: %s\nstderr: %s", e2e.ExitCode(err), &stdout, &stderr)
	}
}
