package commands_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// After its reader has gone, as head does after its last line, the last command still stops the embedded Postgres.
func TestCommandsStopPostgresAfterABrokenPipe(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Alone(e2e.Postgres()))
	g := e2e.Generate(t)
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:20]))
	url, _ := g.People[0]["social_url"].(string)
	for _, args := range [][]string{{"search", "-f", "socialUrl=" + url}, {"export-subject", url}, {"doctor"}} {
		r, w, err := os.Pipe()
		expect.NoError(t, err)
		r.Close()
		var stderr bytes.Buffer
		cmd := k.Command(t.Context(), t, args...)
		cmd.Stdout, cmd.Stderr = w, &stderr
		err = cmd.Run()
		w.Close()
		if err != nil || stderr.Len() > 0 {
			t.Errorf("kith %s: %v: %s", args[0], err, &stderr)
		}
		if pid, err := k.PostgresPID(); err == nil {
			t.Errorf("kith %s leaves Postgres running as %d", args[0], pid)
		}
	}
}

// If standard output is a full disk, commands fail, and a secret that could not be printed gives no access.
func TestCommandsFailIfOutputIsLost(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	g := e2e.Generate(t)
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:3]))
	k.Run(t, "app", "create", "acme")
	k.Run(t, "team", "create", "--app", "acme", "sales")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("this system has no disk that is always full")
	}
	defer full.Close()
	for _, args := range [][]string{
		{"app", "create", "lost"},
		{"token", "--app", "acme", "--user", "u1", "--email", "u1@example.com"},
		{"webhook", "add", "--app", "acme", "https://example.com/hook"},
		{"team", "list", "--app", "acme"},
		{"search", "-f", "experienceYears=0+"},
		{"doctor"},
		{"app", "list"},
		{"explain", "engineer"},
		{"reindex"},
		{"delete", "--yes", "1"},
		{"forget", "--yes", "2"},
		{"version"},
	} {
		var stderr bytes.Buffer
		cmd := k.Command(t.Context(), t, args...)
		cmd.Stdout, cmd.Stderr = full, &stderr
		if got := e2e.ExitCode(cmd.Run()); got != 1 || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("kith %s ended with %d: %s", strings.Join(args, " "), got, &stderr)
		}
	}
	k.Run(t, "app", "create", "lost") // the failed command left no app of that name
	if hooks := k.Run(t, "webhook", "list", "--app", "acme"); hooks != "" {
		t.Errorf("webhooks with an unprinted secret remain: %s", hooks)
	}
}
