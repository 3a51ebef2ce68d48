//go:build unix

package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rs/zerolog"
)

// minMajor is the oldest PostgreSQL that kith's statements run on.
const minMajor = 14

// binaries is one installation of PostgreSQL.
type binaries struct {
	dir     string
	version string
	major   int
	// fetched is the root of a fetched installation; empty for an installed one.
	fetched string
}

func (b binaries) path(program string) string { return filepath.Join(b.dir, program) }

// findBinaries returns the installation for a cluster: one with the cluster's own major version if it exists, else the
// newest installed one, else a fetched one.
func findBinaries(ctx context.Context, c cluster, log zerolog.Logger) (binaries, error) {
	major, err := c.major()
	if err != nil {
		return binaries{}, err
	}
	return findMajor(ctx, major, log)
}

// Programs returns the directory of the PostgreSQL programs for a new cluster: the newest installed ones, else fetched
// ones.
func Programs(ctx context.Context) (dir string, err error) {
	found, err := findMajor(ctx, 0, zerolog.Nop())
	return found.dir, err
}

// findMajor returns an installation with a major version; 0 is any.
func findMajor(ctx context.Context, major int, log zerolog.Logger) (binaries, error) {
	if dir := os.Getenv("KITH_POSTGRES_BIN"); dir != "" {
		return givenBinaries(ctx, dir, major)
	}
	var found []binaries
	if os.Getenv("KITH_POSTGRES_FETCH") != "always" {
		found = installed(ctx)
	}
	if ctx.Err() != nil { // an interrupted look-up is incomplete
		return binaries{}, ctx.Err()
	}
	if b, ok := choose(found, major); ok {
		return b, nil
	}
	if major != 0 && major != fetchMajor {
		return binaries{}, wrongMajor(major, found)
	}
	return fetchBinaries(ctx, log)
}

func givenBinaries(ctx context.Context, dir string, major int) (binaries, error) {
	b, err := inspect(ctx, dir)
	if err != nil {
		return binaries{}, fmt.Errorf("the PostgreSQL programs given in KITH_POSTGRES_BIN cannot be used: %w", err)
	}
	if _, ok := choose([]binaries{b}, major); !ok {
		return binaries{}, wrongMajor(major, []binaries{b})
	}
	return b, nil
}

// choose picks the newest suitable installation; major 0 is any from minMajor.
func choose(found []binaries, major int) (binaries, bool) {
	var best binaries
	for _, b := range found {
		if b.major >= minMajor && (major == 0 || b.major == major) && b.major > best.major {
			best = b
		}
	}
	return best, best.dir != ""
}

func wrongMajor(major int, found []binaries) error {
	have := "none"
	if len(found) > 0 {
		names := make([]string, len(found))
		for i, b := range found {
			names[i] = b.version + " in " + b.dir
		}
		have = strings.Join(names, ", ")
	}
	if major == 0 {
		return fmt.Errorf("PostgreSQL %d or newer is needed; found: %s", minMajor, have)
	}
	return fmt.Errorf("the data was made by PostgreSQL %d, which only PostgreSQL %d can read; found: %s. Install "+
		"PostgreSQL %d, or set KITH_POSTGRES_BIN to its bin directory, or load the data again into another --data "+
		"directory", major, major, have, major)
}

// installed looks in the usual places. It skips what cannot be run.
func installed(ctx context.Context) []binaries {
	var found []binaries
	for _, dir := range usualDirs(ctx) {
		if slices.ContainsFunc(found, func(b binaries) bool { return b.dir == dir }) {
			continue
		}
		if b, err := inspect(ctx, dir); err == nil {
			found = append(found, b)
		}
	}
	return found
}

func usualDirs(ctx context.Context) []string {
	var dirs []string
	if path, err := exec.LookPath("postgres"); err == nil {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			dirs = append(dirs, filepath.Dir(real))
		}
	}
	if out, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/libexec/postgresql*",
		"/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin",
		"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
		"/Applications/Postgres.app/Contents/Versions/*/bin",
	} {
		// The patterns are fixed and well formed.
		matches, _ := filepath.Glob(pattern)
		dirs = append(dirs, matches...)
	}
	return dirs
}

// inspect checks that a directory holds the needed programs, and gets their version.
func inspect(ctx context.Context, dir string) (binaries, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return binaries{}, err
	}
	b := binaries{dir: dir}
	for _, program := range []string{"initdb", "postgres"} {
		if _, err := os.Stat(b.path(program)); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return b, fmt.Errorf("%s has no %s", dir, program)
			}
			return b, err
		}
	}
	out, err := exec.CommandContext(ctx, b.path("postgres"), "--version").CombinedOutput()
	if err != nil {
		return b, fmt.Errorf("%s --version: %w: %s", b.path("postgres"), err, strings.TrimSpace(string(out)))
	}
	b.version, b.major, err = parseVersion(string(out))
	return b, err
}

// parseVersion reads "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)".
func parseVersion(s string) (version string, major int, err error) {
	_, rest, ok := strings.Cut(s, "(PostgreSQL)")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return "", 0, fmt.Errorf("not a PostgreSQL version: %q", strings.TrimSpace(s))
	}
	digits := strings.IndexFunc(words[0], func(r rune) bool { return r < '0' || r > '9' })
	if digits < 0 {
		digits = len(words[0])
	}
	major, err = strconv.Atoi(words[0][:digits])
	if err != nil {
		return "", 0, fmt.Errorf("not a PostgreSQL version: %q", strings.TrimSpace(s))
	}
	return words[0], major, nil
}
