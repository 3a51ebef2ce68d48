package commands_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// app and token print the bare secret, so that scripts can use it.
func TestCommandsPrintBareSecrets(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		s := k.Serve(t)
		key := aloneOnALine(t, k.Run(t, "app", "create", "acme"))
		token := aloneOnALine(t, k.Run(t, "token", "--app", "acme", "--user", "u1", "--email", "u1@example.com"))
		if a := s.Get(t, "/v2/user/me", token); a.Status != http.StatusOK ||
			!strings.Contains(string(a.Body), `"u1@example.com"`) {
			t.Errorf("the printed token: status %d: %s", a.Status, a.Body)
		}
		req, err := http.NewRequest(http.MethodPost, s.URL+"/v2/auth/tokens",
			strings.NewReader(`{"external_user_id":"u2","email":"u2@example.com"}`))
		expect.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("secret-key", key)
		if a, err := e2e.Do(req); err != nil || a.Status != http.StatusOK {
			t.Errorf("the printed key: %v, status %d: %s", err, a.Status, a.Body)
		}
		if log := s.Output(); strings.Contains(log, token) || strings.Contains(log, key) {
			t.Error("the log has a secret")
		}
		if a := s.Post(t, "/v2/auth/tokens/revoke", token, map[string]any{}); a.Status != http.StatusOK {
			t.Errorf("revoking the printed token: status %d: %s", a.Status, a.Body)
		}
		_, stderr, err := k.Try(t, "token", "--app", "nobody", "--user", "u1", "--email", "u1@example.com")
		if e2e.ExitCode(err) != 1 || !strings.Contains(stderr, "kith app create nobody") {
			t.Errorf("a token of an unknown app: code %d\n%s", e2e.ExitCode(err), stderr)
		}
	})
}

func aloneOnALine(t *testing.T, out string) string {
	t.Helper()
	secret, rest, _ := strings.Cut(out, "\n")
	if len(secret) < 20 || strings.ContainsAny(secret, " \t\r") || rest != "" {
		t.Fatalf("not a secret alone on a line: %q", out)
	}
	return secret
}

func TestBadCommandLinesExitWithTwo(t *testing.T) {
	k := e2e.Offline(t)
	for _, c := range []struct {
		name, stderr string
		args         []string
	}{
		{"no command", "expected one of", nil},
		{"unknown command", "unexpected argument", []string{"fly"}},
		{"unknown flag", "did you mean \"--listen\"?\nTry: kith serve --help\n", []string{"serve", "--lisen", "x"}},
		{"unknown flag of all commands", "Try: kith --help\n", []string{"--lisen", "x"}},
		{"subcommand without its argument", "Try: kith app create --help\n", []string{"app", "create"}},
		{"flag of another type", "--count-cap", []string{"serve", "--count-cap", "many"}},
		{"one of some values", "--compress", []string{"generate", "--compress", "rar", "x"}},
		{"missing argument", "<file>", []string{"load"}},
		{"one reject file for two", "--rejects", []string{
			"load", "--rejects", "r", "people1.ndjson",
			"people2.ndjson",
		}},
		{"standard input twice", "standard input is named twice", []string{"load", "--kind", "people", "-", "-"}},
		{"several values", "--burst must be more than 0", []string{"serve", "--rate=-1", "--burst=-5"}},
		{"no time for a token", "--token-ttl must be more than 0", []string{"serve", "--token-ttl=-1h"}},
		{
			"no time for a printed token", "--token-ttl must be more than 0",
			[]string{"token", "--app", "a", "--user", "u", "--email", "u@a.example", "--token-ttl", "0s"},
		},
		{"a rate that is no number", "--rate must be more than 0", []string{"serve", "--rate", "NaN"}},
		{"no grace", "--grace must be more than 0", []string{"serve", "--grace=-1s"}},
		{"nothing counted", "--count-cap must be more than 0", []string{"serve", "--count-cap", "0"}},
		{"nobody works", "--job-workers must be between 1 and 10000", []string{"serve", "--job-workers", "0"}},
		{"no data directory", "--data: it must name a directory", []string{"search", "x", "--data", ""}},
		{
			"an address for a network", "must be a network such as 10.1.0.0/16",
			[]string{"serve", "--allow-network", "10.1.0.1"},
		},
		{"help on nothing known", "unexpected argument fly", []string{"help", "fly"}},
		{"no time to write", "--stream-write-timeout must be more than 0", []string{
			"serve", "--stream-write-timeout",
			"0s",
		}},
		{"no time for the model", "--llm-timeout must be more than 0", []string{"search", "--llm-timeout", "0s", "x"}},
		{
			"no rate of the source", "--source-rate must be more than 0",
			[]string{"refresh", "--older-than", "1d", "--source-url", "https://a.example", "--source-rate", "0"},
		},
		{"nobody to print", "--limit must be between 1 and 100", []string{"search", "-n", "0", "x"}},
		{"nobody to explain", "--limit must be between 1 and 100", []string{"explain", "-n", "101", "x"}},
		{"fewer than nobody", "--people must be between 0 and 100000000", []string{"generate", "--people=-1", "x"}},
		{"nobody searched for", "say who to search for", []string{"search"}},
		{"an unknown filter", "the nearest is \"country\"", []string{"search", "-f", "colour=red"}},
		{"a filter that says nothing", "filters.companySize", []string{"search", "-f", "companySize=many"}},
		{"a long prompt", "at most 1000", []string{"search", strings.Repeat("a", 1001)}},
		{"nothing explained", "give a prompt", []string{"explain", ""}},
		{"no address of a source", "https://api.example.com/people", []string{"serve", "--source-url", "provider"}},
		{
			"no address of a source to refresh from", "https://api.example.com/people",
			[]string{"refresh", "--older-than", "1d", "--source-url", "provider"},
		},
		{"no source", "--source-url or --source-dir", []string{"refresh", "--older-than", "1d"}},
		{"two sources", "there is one source", []string{
			"serve", "--source-url", "https://a.example", "--source-dir",
			".",
		}},
		{"a model without a name", "name a model", []string{"serve", "--llm-url", "http://127.0.0.1:1/v1"}},
		{
			"no address of a model", "http://127.0.0.1:11434/v1",
			[]string{"search", "--llm-url", "model", "--llm-model", "m", "x"},
		},
		{
			"no address of a database", "postgres://user:password@host:5432/database",
			[]string{"doctor", "--database-url", "db:5432"},
		},
		{
			"no address of an engine", "http://localhost:9200",
			[]string{"load", "--elasticsearch-url", "search:9200", "--kind", "people", "-"},
		},
		{
			"an impossible prefix", "index prefix",
			[]string{"reindex", "--elasticsearch-url", "http://127.0.0.1:1", "--elasticsearch-prefix", "Kith"},
		},
		{"no port", "--listen must be an address with a port", []string{"serve", "--listen", "127.0.0.1"}},
		{
			"no port for metrics", "--metrics-listen must be an address with a port",
			[]string{"serve", "--metrics-listen", "metrics"},
		},
		{"an app without a name", "the name of an app", []string{"app", "create", " "}},
		{"an app whose name is invisible", "one of them visible", []string{"app", "create", "\u200b"}},
		{"a key whose name is invisible", "the name of a key", []string{"app", "add-key", "a", "--key-name", "\u200b"}},
		{
			"a user without an address", "email: must be a valid",
			[]string{"token", "--app", "a", "--user", "u", "--email", "u"},
		},
		{"a short key", "--credential-key", []string{"webhook", "list", "--app", "a", "--credential-key", "short"}},
		{"nobody deleted", "identifier 2 is blank", []string{"delete", "1", ""}},
		{
			"nobody asked before a deletion", "Delete 2 people for good? There is no terminal to ask on: give --yes",
			[]string{"delete", "1", "2"},
		},
		{"nobody asked before an erasure", "for good after seven days? There is no terminal", []string{"forget", "1"}},
		{"nobody asked before a token ends", "give --yes", []string{"token", "revoke", "1"}},
		{"nobody asked before a team goes", "give --yes", []string{"team", "delete", "--app", "a", "t"}},
		{"two users", "--user and --token", []string{"search", "--user", "u", "--token", "t", "x"}},
		{"a server without a token", "--server needs", []string{"search", "--server", "http://127.0.0.1:1", "x"}},
		{"no address of a server", "the server must be a URL", []string{
			"search", "--server", "here", "--token", "t",
			"x",
		}},
		{"two forms", "--csv cannot be combined", []string{"search", "--csv", "--json", "x"}},
		{"completion of another shell", "must be one of", []string{"completion", "tcsh"}},
		{"nobody forgotten", "identifier 1 is blank", []string{"forget", " "}},
		{"nobody exported", "identifier 1 is blank", []string{"export-subject", ""}},
		{"standard input of no kind", "give --kind", []string{"load", "-"}},
		{"a file of no kind", "give --kind", []string{"load", "folk.ndjson"}},
		{"no rounds", "--rounds must be more than 0", []string{"bench", "--rounds", "0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, err := k.Try(t, c.args...)
			if e2e.ExitCode(err) != 2 || stdout != "" || !strings.Contains(stderr, c.stderr) ||
				!strings.Contains(stderr, "Try: kith") {
				t.Errorf("code %d, not 2 and %q\nstdout: %s\nstderr: %s", e2e.ExitCode(err), c.stderr, stdout, stderr)
			}
		})
	}
	if _, err := os.Stat(k.Data()); err == nil {
		t.Error("a refused command made a data directory")
	}
}

func TestHelpShowsDefaultsAndExamples(t *testing.T) {
	k := e2e.Offline(t)
	for _, command := range []string{
		"", "serve", "load", "reindex", "search", "generate", "delete", "rerank", "bench",
		"app create", "token", "doctor", "version",
	} {
		out := k.Run(t, append(strings.Fields(command), "--help")...)
		if !strings.Contains(out, "Usage: kith "+command) || strings.Contains(out, "--data=") ||
			!strings.Contains(out, "--help-all") {
			t.Errorf("kith %s --help prints\n%s", command, out)
		}
		if same := k.Run(t, append([]string{"help"}, strings.Fields(command)...)...); same != out {
			t.Errorf("kith help %s prints\n%s", command, same)
		}
	}
	if out := k.Run(t, "--help-all"); !strings.Contains(out, `--data="./kith-data"`) ||
		!strings.Contains(out, "--llm-timeout=4s") {
		t.Errorf("kith --help-all does not show the defaults of flags:\n%s", out)
	}
	for _, command := range []string{"", "serve", "load", "search", "generate", "delete", "bench"} {
		if out := k.Run(t, append(strings.Fields(command), "--help")...); !strings.Contains(out, "Example") {
			t.Errorf("the help of kith %s has no example", command)
		}
	}
}

// Empty environment variables count as unset.
func TestEmptyVariablesCountAsUnset(t *testing.T) {
	k := e2e.Offline(t)
	k.Env = []string{
		"KITH_DATA=", "KITH_LOG_LEVEL=", "KITH_LOG_FORMAT=", "KITH_LLM_TIMEOUT=", "KITH_ELASTICSEARCH_CA=",
		"KITH_SCOPE=",
		"KITH_JSON=",
		"KITH_DATABASE_URL=", "DATABASE_URL=postgres://kith@127.0.0.1:1/kith",
	}
	stdout, stderr, err := k.Try(t, "search", "x")
	if e2e.ExitCode(err) != 1 || stdout != "" || !strings.Contains(stderr, "127.0.0.1:1") {
		t.Errorf("code %d\nstdout: %s\nstderr: %s", e2e.ExitCode(err), stdout, stderr)
	}
	if left, err := os.ReadDir(k.Dir); err != nil || len(left) > 0 {
		t.Errorf("the working directory holds %v, %v", left, err)
	}
}

func TestDoctorReportsMissingPostgres(t *testing.T) {
	out, _, err := e2e.Offline(t).Try(t, "doctor", "--database-url", "postgres://kith@127.0.0.1:1/kith")
	if e2e.ExitCode(err) != 1 || strings.Contains(out, "ok ") || !strings.Contains(out, "--database-url") {
		t.Errorf("code %d\n%s", e2e.ExitCode(err), out)
	}
}

// Without a search engine, doctor reports one problem. Checks that depend on the engine are not problems.
func TestDoctorReportsMissingEngineOnce(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	k.Env = append(k.Env, "ELASTICSEARCH_URL=http://127.0.0.1:1")
	out, _, err := k.Try(t, "doctor")
	if e2e.ExitCode(err) != 1 || strings.Count(out, "problem ") != 1 || !strings.Contains(out, "start Elasticsearch") ||
		!strings.Contains(out, "changes waiting") {
		t.Errorf("code %d\n%s", e2e.ExitCode(err), out)
	}
}

// The program has the time zones that users may choose for delivery: its container image has none.
func TestProgramHasItsOwnTimeZones(t *testing.T) {
	program, err := os.ReadFile(e2e.Program(t))
	expect.NoError(t, err)
	if !bytes.Contains(program, []byte("time/tzdata.")) {
		t.Error("the program has no time zones of its own")
	}
}

func TestVersionIsPrinted(t *testing.T) {
	out := e2e.Offline(t).Run(t, "version")
	if flag := e2e.Offline(t).Run(t, "--version"); flag != out {
		t.Errorf("kith --version prints %q, kith version %q", flag, out)
	}
	if !regexp.MustCompile(`^kith \d+\.\d+\.\d+ \(.+, go1\..+ \w+/\w+\)\n$`).MatchString(out) {
		t.Errorf("kith version prints %q", out)
	}
}

// The same seed and sizes generate the same dataset, in every compression.
func TestGenerateIsDeterministic(t *testing.T) {
	k := e2e.Offline(t)
	make := func(name string, args ...string) map[string][]byte {
		dir := filepath.Join(k.Dir, name)
		out := k.Run(t, append([]string{"generate", "--people", "300", "--companies", "40", dir}, args...)...)
		if !strings.Contains(out, ": 300 records") || !strings.Contains(out, ": 40 records") {
			t.Errorf("kith generate prints\n%s", out)
		}
		files := map[string][]byte{}
		for _, f := range []string{"people.ndjson", "companies.ndjson"} {
			text, err := os.ReadFile(filepath.Join(dir, f))
			expect.NoError(t, err)
			files[f] = text
		}
		return files
	}
	one, again, other := make("one", "--seed", "5"), make("again", "--seed", "5"), make("other", "--seed", "6")
	for name, text := range one {
		if !bytes.Equal(text, again[name]) {
			t.Errorf("%s differs for the same seed", name)
		}
		if bytes.Equal(text, other[name]) {
			t.Errorf("%s is the same for another seed", name)
		}
	}
	for line := range bytes.Lines(one["people.ndjson"]) {
		var p struct{ Email string }
		if err := json.Unmarshal(line, &p); err != nil || p.Email != "" && !strings.Contains(p.Email, "•") {
			t.Errorf("a generated person: %v: %s", err, line)
		}
	}
}
