package commands_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/e2e"
)

// Search leaves unknown details of people out, and says how to fill an empty dataset.
func TestSearchPrintsKnownDetailsOnly(t *testing.T) {
	t.Parallel()
	k := e2e.Fresh(t, e2e.Alone(e2e.Postgres()))
	k.Run(t, "load", k.Write(t, "people.ndjson", nil))
	if _, stderr, err := k.Try(t, "search", "--demo", "engineer"); e2e.ExitCode(err) != 1 ||
		!strings.Contains(stderr, "kith serve --demo") || strings.Contains(stderr, "load") {
		t.Errorf("a search of a missing demo: %v: %s", err, stderr)
	}
	if _, stderr, err := k.Try(t, "search", "engineer"); e2e.ExitCode(err) != 1 ||
		!strings.Contains(stderr, "kith load") {
		t.Errorf("a search of an empty dataset: %v: %s", err, stderr)
	}
	profile := "https://social.example/in/jane-doe"
	person := func(job, place map[string]any) e2e.Record {
		r := e2e.Record{"full_name": "Jane Doe", "social_url": profile, "location": place}
		if job != nil {
			r["work_relevant"] = job
		}
		return r
	}
	acme := map[string]any{"name": "Acme"}
	for _, c := range []struct {
		job, place map[string]any
		want       string
	}{
		{nil, nil, ""},
		{map[string]any{"title": "Engineer"}, nil, "|Engineer"},
		{map[string]any{"company": acme}, nil, "|Acme"},
		{
			map[string]any{"title": "Engineer", "company": acme},
			map[string]any{"city": "Berlin", "country": "Germany"},
			"|Engineer|Acme|Berlin, Germany",
		},
	} {
		k.Run(t, "load", k.Write(t, "people.ndjson", []e2e.Record{person(c.job, c.place)}))
		_, line, _ := strings.Cut(k.Run(t, "search", "-f", "socialUrl="+profile), "\n")
		got := regexp.MustCompile(` {2,}`).ReplaceAllString(line, "|")
		if want := "Jane Doe" + c.want + "|" + profile + "\n"; got != want {
			t.Errorf("printed %q, not %q", got, want)
		}
	}
}

// Commands that need data fail without a dataset, and create nothing.
func TestCommandsThatNeedDataCreateNothing(t *testing.T) {
	k := e2e.Offline(t)
	for _, args := range [][]string{
		{"search", "x"},
		{"search", "--demo", "x"},
		{"explain", "x"},
		{"doctor"},
		{"jobs"},
		{"app", "list"},
		{"keys", "show"},
		{"keys"},
		{"audit"},
		{"audit", "verify"},
		{"duplicates"},
		{"erasures", "list"},
		{"export-subject", "1"},
		{"backup", "b"},
		{"token", "list", "--app", "a"},
		{"user", "list", "--app", "a"},
		{"team", "list", "--app", "a"},
		{"login-link", "--app", "a", "--user", "u"},
		{"webhook", "list", "--app", "a"},
		{"export", "--app", "a", "--user", "u"},
		{"delete", "--yes", "1"},
		{"forget", "--yes", "1"},
		{"reindex"},
		{"rerank"},
		{"refresh", "--older-than", "1d", "--no-wait"},
		{"keys", "rotate"},
		{"keys", "reseal", "--old-credential-key", strings.Repeat("k", 32)},
	} {
		stdout, stderr, err := k.Try(t, args...)
		stderr += stdout // doctor reports on standard output
		want := "kith load"
		if slices.Contains(args, "--demo") {
			want = "kith serve --demo"
		}
		if e2e.ExitCode(err) != 1 || !strings.Contains(stderr, "there is no data directory at") ||
			!strings.Contains(stderr, want) {
			t.Errorf("kith %v: code %d: %s", args, e2e.ExitCode(err), stderr)
		}
		if left, err := os.ReadDir(k.Dir); err != nil || len(left) > 0 {
			t.Fatalf("kith %v created %v, %v", args, left, err)
		}
	}
}

// Search prints a table, CSV or JSON, one page or all people, from a dataset or a server, for the operator or a user.
func TestSearchPrintsEveryFormat(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	g := e2e.Generate(t)
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:230]))
	token := k.LiveToken(t)
	s := k.Serve(t)
	for _, as := range [][]string{nil, {"--token", token}, {"--user", "u1"}, {"--server", s.URL, "--token", token}} {
		run := func(args ...string) (lines []string, stderr string) {
			out, stderr, err := k.Try(t, slices.Concat([]string{"search", "-f", "position=-zzz"}, as, args)...)
			if err != nil {
				t.Errorf("as %v: %v: %v: %s", as, args, err, stderr)
			}
			return strings.Split(strings.TrimSuffix(out, "\n"), "\n"), stderr
		}
		for _, c := range []struct {
			args   []string
			lines  int
			stderr string
		}{
			{nil, 26, "25 of 230: --all prints all\n"},
			{[]string{"--all"}, 231, "230 of 230\n"},
			{[]string{"-n", "3", "--json"}, 3, "3 of 230: --all prints all, --cursor "},
			{[]string{"--json", "--all"}, 230, "230 of 230\n"},
			{[]string{"--csv", "-n", "7"}, 8, "there are more: --all prints them\n"},
			{[]string{"--csv", "--all"}, 231, ""},
		} {
			if lines, stderr := run(c.args...); len(lines) != c.lines || !strings.Contains(stderr, c.stderr) {
				t.Errorf("as %v: %v prints %d lines and %q", as, c.args, len(lines), stderr)
			}
		}
		first, stderr := run("-n", "100", "--json")
		_, rest, _ := strings.Cut(stderr, "--cursor ")
		cursor, _, _ := strings.Cut(rest, " ")
		second, _ := run("-n", "100", "--json", "--cursor", cursor)
		if all, _ := run("--all", "--json"); !slices.Equal(slices.Concat(first, second), all[:200]) {
			t.Errorf("as %v: the first two pages differ from the start of --all", as)
		}
	}
	if _, stderr, err := k.Try(t, "search", "--token", "kt_nobody", "x"); e2e.ExitCode(err) != 1 ||
		!strings.Contains(stderr, "token") {
		t.Errorf("a search with a bad token: %v: %s", err, stderr)
	}
}

// A search without matches ends with 1, as grep does, in every form; close people do not count. JSON has nothing else.
func TestSearchWithoutMatchesEndsWithOne(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	person := e2e.Record{
		"full_name": "Jane Doe", "social_url": "https://social.example/in/jane", "headline": "R&D <lead>",
		"location":      map[string]any{"city": "Berlin", "country": "Germany"},
		"work_relevant": map[string]any{"title": "Nurse", "company": map[string]any{"name": "A&B"}},
	}
	k.Run(t, "load", k.Write(t, "people.ndjson", []e2e.Record{person}))
	for _, form := range [][]string{nil, {"--json"}, {"--csv"}, {"--csv", "--all"}, {"--json", "--all"}} {
		stdout, stderr, err := k.Try(t, append([]string{"search", "nurses in Paris"}, form...)...)
		rows := strings.Count(stdout, "Jane Doe")
		if e2e.ExitCode(err) != 1 || rows != 0 || !strings.HasSuffix(stderr, "kith: no one matches\n") {
			t.Errorf("%v: code %d, %d rows: %s", form, e2e.ExitCode(err), rows, stderr)
		}
		out := k.Run(t, append([]string{"search", "nurses in Berlin"}, form...)...)
		if strings.Count(out, "Jane Doe") == 0 || strings.Contains(out, `\u0026`) {
			t.Errorf("%v prints %q", form, out)
		}
		if slices.Contains(form, "--json") && !json.Valid([]byte(out)) {
			t.Errorf("not one JSON object: %q", out)
		}
	}
}

// Every command that lists prints with --json nothing but one JSON object a line, in the words of the table.
func TestListsPrintJSON(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	k.Run(t, "app", "create", "acme")
	k.Token(t, "acme", "u1")
	k.Run(t, "team", "create", "--app", "acme", "R&D")
	k.Run(t, "team", "add", "--app", "acme", "R&D", "u1")
	k.Run(t, "webhook", "add", "--app", "acme", "--allow-network", "203.0.113.0/24", "https://203.0.113.1/?a=1&b=2")
	jane := e2e.Record{"full_name": "Jane Doe", "social_url": "x.example/in/jane"}
	k.Run(t, "load", k.Write(t, "people.ndjson", []e2e.Record{jane}))
	k.Run(t, "forget", "--yes", "x.example/in/jane")
	for _, c := range []struct {
		args   []string
		member string
	}{
		{[]string{"app", "list"}, "app"},
		{[]string{"app", "show", "acme"}, "key"},
		{[]string{"user", "list", "--app", "acme"}, "user"},
		{[]string{"token", "list", "--app", "acme"}, "token"},
		{[]string{"team", "list", "--app", "acme"}, "team"},
		{[]string{"webhook", "list", "--app", "acme"}, "webhook"},
		{[]string{"erasures", "list"}, "erasure"},
		{[]string{"audit"}, "seq"},
		{[]string{"keys"}, "key"},
		{[]string{"jobs"}, ""},
		{[]string{"duplicates"}, ""},
		{[]string{"duplicates", "merged"}, ""},
	} {
		out := k.Run(t, append(slices.Clone(c.args), "--json")...)
		for line := range strings.Lines(out) {
			var row map[string]any
			if err := json.Unmarshal([]byte(line), &row); err != nil || row[c.member] == nil {
				t.Errorf("%v: %v: %q", c.args, err, line)
			}
		}
		heading := strings.ToUpper(c.member)
		if table := k.Run(t, c.args...); (out == "") != (c.member == "") || !strings.HasPrefix(table, heading) {
			t.Errorf("%v prints\n%s%s", c.args, out, table)
		}
		if strings.Contains(out, `\u00`) {
			t.Errorf("%v escapes: %s", c.args, out)
		}
	}
}

// A token for a user who exists needs no address, and leaves theirs as it is.
func TestTokenOfAKnownUserNeedsNoAddress(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	k.Run(t, "app", "create", "acme")
	if _, stderr, err := k.Try(t, "token", "--app", "acme", "--user", "u1"); e2e.ExitCode(err) != 1 ||
		!strings.Contains(stderr, "--email") {
		t.Errorf("a token of a new user without an address: %v: %s", err, stderr)
	}
	k.Token(t, "acme", "u1")
	k.Run(t, "token", "--app", "acme", "--user", "u1")
	if out := k.Run(t, "user", "list", "--app", "acme", "--json"); !strings.Contains(out,
		`"user":"u1","email":"u1@example.com"`) || !strings.Contains(out, `"tokens":2`) {
		t.Errorf("the user is now %s", out)
	}
	card := "BEGIN:VCARD\nVERSION:3.0\nFN:Jane Doe\nEMAIL:jane@example.com\nEND:VCARD\n"
	k.Run(t, "import", "--yes", "--app", "acme", "--user", "u2", k.File(t, "book.vcf", card)) // u2 has no address
	k.Run(t, "token", "--app", "acme", "--user", "u2")
}

// A shell completes a command line with the script that kith prints.
func TestBashCompletesCommands(t *testing.T) {
	completes(t, "bash",
		`source <(kith completion bash); COMP_WORDS=(kith search --sc); COMP_CWORD=2; _kith; echo "${COMPREPLY[@]}"`)
}

// completes runs a script that completes kith search --sc in a shell.
func completes(t *testing.T, shell, script string) {
	t.Helper()
	k := e2e.Offline(t)
	cmd := exec.CommandContext(t.Context(), shell, "-c", script)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(e2e.Program(t))+":"+os.Getenv("PATH"), "HOME="+k.Dir)
	if out, err := cmd.CombinedOutput(); err != nil || strings.TrimSpace(string(out)) != "--scope" {
		t.Errorf("%s completes %q, %v", shell, out, err)
	}
}
