//go:build foreign

package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// examples returns the programs of docs/clients.md, by language.
func examples(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("../../../../docs/clients.md")
	expect.NoError(t, err)
	found := map[string][]string{}
	for _, m := range regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		found[m[1]] = append(found[m[1]], m[2])
	}
	return found
}

// The examples of docs/clients.md run unchanged against a server, with curl, Python and Node.
func TestExamplesInDocumentsRun(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	people, names := engineers()
	k.Run(t, "load", k.Write(t, "people.ndjson", people))
	s := k.Serve(t)
	env := append(os.Environ(), "KITH_SERVER="+s.URL, "KITH_TOKEN="+k.LiveToken(t))
	run := func(t *testing.T, dir string, command ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
		cmd.Env, cmd.Dir = env, dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", command, err, out)
		}
		return string(out)
	}
	write := func(t *testing.T, name, text string) string {
		t.Helper()
		dir := t.TempDir()
		expect.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
		return dir
	}
	programs := examples(t)
	t.Run("curl", func(t *testing.T) {
		if len(programs["sh"]) != 2 {
			t.Fatalf("%d examples", len(programs["sh"]))
		}
		page, stream := run(t, "", "bash", "-ec", programs["sh"][0]), run(t, "", "bash", "-ec", programs["sh"][1])
		for _, name := range names {
			if !strings.Contains(page, name) || !strings.Contains(stream, name) {
				t.Errorf("%s is not in\n%s\n%s", name, page, stream)
			}
		}
		if !strings.Contains(stream, "event: done\n") {
			t.Errorf("the stream has no end:\n%s", stream)
		}
	})
	t.Run("python", func(t *testing.T) {
		foundAll(t, run(t, write(t, "example.py", one(t, programs["python"])), "python3", "example.py"), names)
	})
	t.Run("typescript", func(t *testing.T) {
		dir := write(t, "example.mts", one(t, programs["typescript"]))
		run(t, dir, "npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--silent", "--prefix", dir,
			"typescript@5.9.3", "@types/node@20.19.43")
		run(t, dir, filepath.Join("node_modules", ".bin", "tsc"), "--strict", "--target", "es2022", "--module",
			"nodenext", "--lib", "es2023,dom,dom.iterable,dom.asynciterable", "example.mts")
		foundAll(t, run(t, dir, "node", "example.mjs"), names)
	})
}

func one(t *testing.T, programs []string) string {
	t.Helper()
	if len(programs) != 1 {
		t.Fatalf("%d examples", len(programs))
	}
	return programs[0]
}

// foundAll checks that an example printed every name twice, from the page and from the stream.
func foundAll(t *testing.T, printed string, names []string) {
	t.Helper()
	got := strings.Split(strings.TrimSpace(printed), "\n")
	var want []string
	for _, name := range names {
		want = append(want, "page "+name, "stream "+name)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the example printed %q, not %q", got, want)
	}
}
