// Package e2e is the harness of the end-to-end tests in the packages below it: it builds the
// binary, starts it like an operator, and speaks HTTP to it. The tests check promises that span
// packages, on both engines: walks while records change, killed processes, unavailable servers,
// clients that stop reading. [Kith] is an installation, [Server] a running server of it.
package e2e

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/effort"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
	"kith/internal/test/leash"
)

// Main builds the program and runs the tests of a package. It is the whole body of TestMain.
func Main(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if err := build(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return leash.Run(m)
}

// build makes the program under test, once for all packages of a go test command.
func build() error {
	dir, err := leash.Shared()
	if err != nil {
		return err
	}
	return leash.Once(dir, "kith", func(path string) error {
		cmd := exec.CommandContext(context.Background(), "go", "build", "-o", path, "kith/cmd/kith")
		cmd.Env = append(os.Environ(), "GOFLAGS="+withoutRace(os.Getenv("GOFLAGS")))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build kith: %w\n%s", err, out)
		}
		return nil
	})
}

// withoutRace leaves out of flags the one that builds a program with the race detector: the
// program under test is the one that is shipped, whose memory and speed are tested too.
func withoutRace(flags string) string {
	var kept []string
	for flag := range strings.FieldsSeq(flags) {
		if name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "="); name != "race" {
			kept = append(kept, flag)
		}
	}
	return strings.Join(kept, " ")
}

// shared is the path of a thing in the directory that all packages share.
func shared(t *testing.T, name string) string {
	t.Helper()
	dir, err := leash.Shared()
	expect.NoError(t, err)
	return filepath.Join(dir, name)
}

// once makes a shared thing, and returns its path.
func once(t *testing.T, name string, create func(path string) error) string {
	t.Helper()
	path := shared(t, name)
	expect.NoError(t, leash.Once(filepath.Dir(path), name, create))
	return path
}

// Program is the path of the program under test.
func Program(t *testing.T) string { return shared(t, "kith") }

// Engine is one way to run kith.
type Engine struct {
	Name string
	// Env is what turns kith to the engine.
	Env func(t *testing.T) []string
	// Alone is true for an installation that starts a Postgres of its own, unless Env names one. Others have a database
	// of the tests' server.
	Alone bool
}

// Postgres is the engine of an installation that is told of nothing else.
func Postgres() Engine {
	return Engine{Name: "postgres", Env: func(*testing.T) []string { return nil }}
}

// Alone is an engine of an installation that starts a Postgres of its own.
func Alone(e Engine) Engine {
	e.Alone = true
	return e
}

// Elasticsearch is an engine of the tests' own node, with indices of the test's own.
func Elasticsearch() Engine {
	return Engine{Name: "elasticsearch", Env: func(t *testing.T) []string {
		url := elastictest.URL(t)
		return []string{"KITH_ELASTICSEARCH_URL=" + url, "KITH_ELASTICSEARCH_PREFIX=" + OwnIndices(t, url)}
	}}
}

// Engines are those that tests of behaviour run on.
func Engines() []Engine { return []Engine{Postgres(), Elasticsearch()} }

// OnEngines runs a test on each engine with an installation of its own, beside other tests:
// most of their time is waiting.
func OnEngines(t *testing.T, test func(t *testing.T, k Kith)) {
	t.Helper()
	on(t, Engines(), test)
}

// OnAnEngine is OnEngines for promises that do not depend on the engine: it runs the test on one that the seed chooses,
// and on both in the long part.
func OnAnEngine(t *testing.T, test func(t *testing.T, k Kith)) {
	t.Helper()
	on(t, AnEngine(t), test)
}

// AnEngine is the engines for such a test.
func AnEngine(t *testing.T) []Engine {
	t.Helper()
	all := Engines()
	if seed := effort.Seed(t); !effort.Long() {
		i := seed % uint64(len(all))
		return all[i : i+1]
	}
	return all
}

// AloneOnEngines is OnEngines for installations that start a Postgres of their own.
func AloneOnEngines(t *testing.T, test func(t *testing.T, k Kith)) {
	t.Helper()
	on(t, []Engine{Alone(Postgres()), Alone(Elasticsearch())}, test)
}

func on(t *testing.T, engines []Engine, test func(t *testing.T, k Kith)) {
	t.Helper()
	t.Parallel()
	for _, e := range engines {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			test(t, New(t, e))
		})
	}
}
