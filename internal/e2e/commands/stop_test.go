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

	"kith/internal/e2e"
)

// TestMetricsAddressTaken serves metrics at an address that is taken: a server that
// cannot do all of its work does not start, and says why.
func TestMetricsAddressTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	k := e2e.Fresh(t, e2e.Postgres())
	_, stderr, err := k.Try(t, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", address)
	if e2e.ExitCode(err) != 1 || !strings.Contains(stderr, address) || !strings.Contains(stderr, "--metrics-listen") ||
		!strings.Contains(stderr, "in use") {
		t.Errorf("metrics at an address that is taken: code %d\n%s", e2e.ExitCode(err), stderr)
	}
	if _, err := os.Stat(k.Data()); err == nil {
		t.Error("something was started before the address was tried")
	}
}

// TestInterrupted tells commands to stop in the middle of what they do: they say so, and
// not that something else is wrong.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	g := e2e.Generate(t)
	t.Run("load", func(t *testing.T) {
		t.Parallel()
		k := e2e.New(t, e2e.Postgres())
		k.Run(t, "load", g.Companies)
		cmd := k.Command(t.Context(), t, "load", "--kind", "people", "-")
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = in
		interrupted(t, cmd, func() {
			in.Close() // so that only the command reads
			// It is written to until nobody reads any more: it has not come to the end.
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

// TestTerminalCloses closes the terminal of a server, which ends with its Postgres, and
// that of a load under nohup, which goes on.
func TestTerminalCloses(t *testing.T) {
	t.Parallel()
	// Where the tests run under nohup themselves, kith would go on: whoever listens
	// hands the signal on to those who are started.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	k := e2e.New(t, e2e.Postgres())
	s := k.Serve(t)
	if err := s.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-s.Gone
	if pid, err := k.PostgresPID(); s.Err != nil || err == nil {
		t.Errorf("kith serve ended with %v, Postgres runs as %d\n%s", s.Err, pid, s.Output())
	}
	cmd := k.Command(t.Context(), t, "load", "--kind", "people", "--no-index", "-")
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, cmd.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const lines = 10_000
	line := strings.Repeat(" ", 200) + "{}\n" // more than a pipe holds: once they are written, the load has begun
	if _, err := io.WriteString(in, strings.Repeat(line, lines)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil || !strings.Contains(stdout.String(), fmt.Sprintf("%d lines read", lines)) {
		t.Errorf("%v: %s", err, &stdout)
	}
}

// interrupted runs a command that is interrupted meanwhile.
func interrupted(t *testing.T, cmd *exec.Cmd, meanwhile func()) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	if err := cmd.Wait(); e2e.ExitCode(err) != 130 || !strings.HasSuffix(stderr.String(), "kith: interrupted\n") ||
		strings.Contains(stdout.String(), "problem") {
		t.Errorf("code %d\nstdout: %s\nstderr: %s", e2e.ExitCode(err), &stdout, &stderr)
	}
}
